"""The lists of the API, composed from the live releases. Pure: a catalogue in, rows by key out, in order of key."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from typing import Any

from ranking import diff
from ranking.catalogue import CATEGORIES, Catalogue, Entry, Listed, Place, Published, Tombstone, address_of

Row = dict[str, Any]
Rows = dict[str, Row]
Keys = dict[str, list[str]]

RANKED, NOT_RANKED = "ranked", "not-ranked"

NO_RANKING = "no-ranking"
NO_RANKING_MESSAGE = "An evidence-status release ranks nothing: it says what evidence there is and what is missing."


NO_RANKING_ABSENCE = {"reason": NO_RANKING, "message": NO_RANKING_MESSAGE}
NO_VALUES_ABSENCE = {
    "reason": "no-values",
    "message": "An evidence-status release carries no values: it counts evidence and says why some does not count.",
}
IN_FORCE = {"state": "in-force", "lifted_on": None, "lifted_by": None, "lift_reason": None}
NOTHING_ABSENT = {"reason": None, "message": None}


def told(entry: Entry) -> Row:
    """The record in the newest words, with where they stand."""
    differing = [release.identifier for release in entry.differing]
    return entry.record | {"release": entry.release.identifier, "differs_in": differing}


def editions(known: Catalogue) -> Rows:
    collections: Keys = defaultdict(list)
    for slug, release in known.categories.items():
        collections[release.content["collection"]["edition"]["key"]].append(slug)
    return {key: told(entry) | {"collections": collections[key]} for key, entry in known.editions.items()}


def collections(known: Catalogue) -> Rows:
    return {slug: collection(release) for slug, release in known.categories.items()}


def collection(release: Published) -> Row:
    """A category by its live release."""
    content = release.content
    absence = NOTHING_ABSENT if release.is_ranking else NO_RANKING_ABSENCE
    return {
        **content["collection"],
        "edition": content["collection"]["edition"]["key"],
        "kind": release.kind,
        "state": RANKED if release.is_ranking else NOT_RANKED,
        "gate": content["gate"]["verdict"],
        "policy": content["policy"]["name"],
        "release": release.identifier,
        "number": release.number,
        "published_at": release.published_at,
        **absence,
        "unmet": [row["code"] for row in content["gate"]["criteria"] if row["verdict"] != "passed"],
        "facets": content["facets"],
        "mappings": [mapping["key"] for mapping in content["mappings"]],
        "evidence": content["evidence"],
    }


def gate(release: Published) -> Row:
    """The gate evaluation that a release seals, in the shape that scripts rely on."""
    return {"collection": release.collection, "evaluated_at": release.evaluated_at, **release.content["gate"]}


def facets(known: Catalogue) -> Rows:
    return {key: told(entry) | {"collection": entry.release.collection} for key, entry in known.facets.items()}


def atoms(known: Catalogue) -> Rows:
    mappings = _mappings_by(known, lambda mapping: (atom["key"] for atom in mapping["atoms"]))
    return {key: told(entry) | {"mappings": mappings[key]} for key, entry in known.atoms.items()}


def suites(known: Catalogue) -> Rows:
    benchmarks: Keys = defaultdict(list)
    for key, entry in known.benchmarks.items():
        benchmarks[entry.record["suite"]["key"]].append(key)
    return {key: told(entry) | {"benchmarks": benchmarks[key]} for key, entry in known.suites.items()}


def benchmarks(known: Catalogue) -> Rows:
    mappings = _mappings_by(known, lambda mapping: [address_of(mapping["benchmark"])])
    return {key: told(entry) | {"mappings": mappings[key]} for key, entry in known.benchmarks.items()}


def lineages(known: Catalogue) -> Rows:
    mappings = _mappings_by(known, lambda mapping: {row["lineage"] for row in mapping["usable_lineages"]})
    return {key: told(entry) | {"mappings": mappings[key]} for key, entry in known.lineages.items()}


def protocols(known: Catalogue) -> Rows:
    contracts: Keys = defaultdict(list)
    for key, entry in known.contracts.items():
        contracts[entry.record["protocol"]].append(key)
    return {key: told(entry) | {"contracts": contracts[key]} for key, entry in known.protocols.items()}


def contracts(known: Catalogue) -> Rows:
    mappings = _mappings_by(known, lambda mapping: (row["key"] for row in mapping["contracts"]))
    measures: dict[str, list[Row]] = defaultdict(list)
    for key, entry in known.mappings.items():
        for row in entry.record["contracts"]:
            if row["measures"]:
                measures[row["key"]].append({"mapping": key, "facet": row["measures"]})
    return {
        key: told(entry) | {"mappings": mappings[key], "measures": measures[key]}
        for key, entry in known.contracts.items()
    }


def mappings(known: Catalogue) -> Rows:
    return {key: told(entry) for key, entry in known.mappings.items()}


def exclusions(known: Catalogue) -> Rows:
    """In force and lifted, in one order."""
    ledger = {key: told(entry) | {"key": key} | IN_FORCE for key, entry in known.exclusions.items()}
    for key, entry in known.lifted_exclusions.items():
        ledger[key] = told(entry) | {"key": key, "state": "lifted"}
    return dict(sorted(ledger.items()))


def policies(known: Catalogue) -> Rows:
    return {
        key: told(entry)
        | {"thresholds": [{"name": name} | row for name, row in sorted(entry.record["thresholds"].items())]}
        for key, entry in known.policies.items()
    }


def releases(history: Sequence[Listed]) -> Rows:
    """Every publication, newest first. A key counts down from the first one, so that a new one moves no other."""
    return {f"{10**9 - len(history) + place:010}": facts(listed) for place, listed in enumerate(history)}


def facts(listed: Listed) -> Row:
    return {name: getattr(listed, name) for name in (field.name for field in fields(Listed))} | {
        "predecessor": listed.predecessor or None
    }


def release(published: Published) -> Row:
    return facts(published) | {"evaluated_at": published.evaluated_at, "content": published.content}


def ranked(published: Published) -> Row:
    """The ranked rows of a release and those listed apart; or why there are none."""
    ranking = published.content.get("ranking")
    return {
        "release": published.identifier,
        "collection": published.collection,
        "rows": ranking["rows"] if ranking else [],
        "apart": ranking["apart"] if ranking else [],
        **(NOTHING_ABSENT if ranking else NO_RANKING_ABSENCE),
    }


def evidence(published: Published) -> Row:
    content = published.content
    ranking = content.get("ranking")
    return {
        **content["evidence"],
        "release": published.identifier,
        "collection": published.collection,
        "snapshot": content["gate"]["snapshot"],
        "mappings": [mapping["evidence"] | {"mapping": mapping["key"]} for mapping in content["mappings"]],
        "values": ranking["evidence"] if ranking else [],
        **(NOTHING_ABSENT if ranking else NO_VALUES_ABSENCE),
    }


def difference(before: Published, after: Published) -> Row:
    names = {"collection": after.collection, "before": before.identifier, "after": after.identifier}
    return names | diff.between(before.content, after.content)


def models(known: Catalogue) -> Rows:
    """The models that live rankings list; no other release names one."""
    return {
        key: told(entry)
        | {"configurations": [found.key for found in known.configurations_of(key)]}
        | {"collections": [release.collection for release in sorted(entry.releases, key=lambda row: row.collection)]}
        for key, entry in known.models.items()
    }


def configurations(known: Catalogue) -> Rows:
    return {
        key: told(entry) | {"places": [_place(place) for place in known.places_of(key)]}
        for key, entry in known.configurations.items()
    }


def _place(place: Place) -> Row:
    """Where one ranking has a configuration: numbers where it is ranked, a reason where it is listed apart."""
    names = ("rank", "rank_low", "rank_high", "tier", "score", "low", "high", "coverage", "code", "message")
    stands = {"collection": place.release.collection, "release": place.release.identifier, "ranked": place.ranked}
    return stands | {name: place.row.get(name) for name in names}


def overall(known: Catalogue, withdrawn: Iterable[Tombstone], found: Published | None = None) -> Row:
    """The live overall leaderboard, or why there is none; and each category's part in it."""
    contributing = [release.collection for release in known.rankings]
    if found:
        contributing = [category["collection"] for category in found.content["categories"]]
    missing = {
        slug: {"title": release.title} | NO_RANKING_ABSENCE
        for slug, release in known.categories.items()
        if not release.is_ranking
    }
    for tombstone in withdrawn:
        reason = {"reason": "withdrawn", "message": f"Its release was withdrawn. {tombstone.withdrawal_reason}"}
        missing[tombstone.collection] = {"title": tombstone.title, **reason}
    return {
        "release": found.identifier if found else None,
        **(NOTHING_ABSENT if found else _no_overall(len(contributing))),
        "contributing": contributing,
        "not_contributing": [{"collection": slug} | missing[slug] for slug in sorted(missing)],
    }


def _no_overall(ranked: int) -> Row:
    if not ranked:
        message = "The overall leaderboard is made of live ranking releases, and no category has one."
        return {"reason": "no-ranking-release", "message": message}
    if ranked < CATEGORIES:
        message = f"The overall leaderboard averages at least {CATEGORIES} live rankings; there are {ranked}."
        return {"reason": "too-few-rankings", "message": message}
    message = f"{ranked} categories rank, and no overall release is published."
    return {"reason": "not-published", "message": message}


def _mappings_by(known: Catalogue, names: Callable[[Row], Iterable[str]]) -> Keys:
    """Keys of the mappings that name something, by the key of what they name."""
    found: Keys = defaultdict(list)
    for key, entry in known.mappings.items():
        for name in names(entry.record):
            found[name].append(key)
    return found
