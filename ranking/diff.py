"""What a later release changed, from the contents of two sealed releases of one collection. Pure.

Either side may be an evidence status, or nothing at all: then it has no rows and no evidence of its own.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from ranking import canonical

Record = dict[str, Any]
Content = Mapping[str, Any]


def between(before: Content, after: Content) -> Record:
    """`rows_in`, `rows_out`, `moved`, `panel_in`, `panel_out`, `scale`, `gate`, `facets`, `mappings`, `counted`,
    `evidence_added`, `evidence_gone`, `comparisons`, `exclusions_added`, `exclusions_lifted`, `policy` and `weights`;
    each a list, empty where nothing changed.
    """
    was, now = _ranks(before), _ranks(after)
    evidence_was, evidence_now = _evidence(before), _evidence(after)
    excluded_was, excluded_now = _keyed(before, "exclusions"), _keyed(after, "exclusions")
    return {
        "rows_in": [now[key] for key in _only(now, was)],
        "rows_out": [was[key] for key in _only(was, now)],
        "moved": [_move(was[key], now[key]) for key in _both(now, was) if _range(was[key]) != _range(now[key])],
        **_scale(before, after),
        "gate": _numbers(_criteria(before), _criteria(after)),
        "facets": _numbers(_statuses(before), _statuses(after)),
        "mappings": _numbers(_roles(before), _roles(after)),
        "counted": _numbers(counted(before), counted(after)),
        "evidence_added": [evidence_now[key] for key in _only(evidence_now, evidence_was)],
        "evidence_gone": [evidence_was[key] for key in _only(evidence_was, evidence_now)],
        "comparisons": _numbers(_counts(before), _counts(after)),
        "exclusions_added": [excluded_now[key] for key in _only(excluded_now, excluded_was)],
        "exclusions_lifted": [excluded_was[key] for key in _only(excluded_was, excluded_now)],
        "policy": _numbers(_thresholds(before), _thresholds(after)),
        "weights": _numbers(_weights(before), _weights(after)),
    }


def on_one_scale(changed: Record) -> bool:
    """Are scores of the two comparable? Not where another panel, or other evidence of it, sets 50 and 10."""
    return not any(changed[part] for part in ("panel_in", "panel_out", "scale"))


def rows(changed: Record) -> list[Record]:
    """One line for each row that came, went or moved: its configuration and its rank range before and after."""
    came = [_line(row, "not ranked", _words(row)) for row in changed["rows_in"]]
    went = [_line(row, _words(row), "not ranked") for row in changed["rows_out"]]
    moved = [_line(row, _words(row["before"]), _words(row["after"])) for row in changed["moved"]]
    return [*came, *went, *moved]


_PARTS = {
    "panel_in": "Came into the panel",
    "panel_out": "Left the panel",
    "scale": "Cells on another scale",
    "gate": "Criteria that answer otherwise",
    "facets": "Facets whose evidence is told otherwise",
    "mappings": "Benchmarks in another role",
    "evidence_added": "Values that count now and did not",
    "evidence_gone": "Values that counted and no longer do",
    "exclusions_added": "Exclusions made",
    "exclusions_lifted": "Exclusions lifted",
    "policy": "Thresholds of the policy",
    "weights": "Weights of facets",
}


def counts(changed: Record) -> list[tuple[str, str, str]]:
    """How many entries each other part has, where it has any."""
    told = [(name, "", str(len(changed[part]))) for part, name in _PARTS.items() if changed[part]]
    told += [(one["name"].capitalize(), _number(one["before"]), _number(one["after"])) for one in changed["counted"]]
    rows = changed["comparisons"]
    return told + [(f"{one['name'].capitalize()} compared", str(one["before"]), str(one["after"])) for one in rows]


def _number(count: int | None) -> str:
    return "none" if count is None else str(count)


def _line(row: Record, before: str, after: str) -> Record:
    return {"configuration": row["configuration"], "ranks": (before, after)}


def _words(row: Record) -> str:
    return f"{row['rank_low']} to {row['rank_high']}"


def _ranks(content: Content) -> dict[str, Record]:
    names = ("configuration", "model", "rank", "rank_low", "rank_high", "score")
    table = content.get("ranking", {}).get("rows", ())
    return {row["configuration"]: {name: row[name] for name in names} for row in table}


def _range(row: Record) -> tuple[int, int]:
    return row["rank_low"], row["rank_high"]


def _move(was: Record, now: Record) -> Record:
    return {"configuration": now["configuration"], "model": now["model"], "before": was, "after": now}


def _scale(before: Content, after: Content) -> Record:
    """Who came into the panel and left it, and the cells of both whose scale is another. Only rankings have them."""
    was, now = _panel(before), _panel(after)
    both = was and now
    known = _constants(before), _constants(after)
    common = [{name: cells[name] for name in known[0].keys() & known[1].keys()} for cells in known]
    return {
        "panel_in": sorted(now - was) if both else [],
        "panel_out": sorted(was - now) if both else [],
        "scale": _numbers(*common),
    }


def _panel(content: Content) -> set[str]:
    return set(content.get("ranking", {}).get("panel", ()))


def _constants(content: Content) -> dict[str, Any]:
    """Mean and standard deviation of the panel by cell."""
    return {
        f"{one['facet']} / {one['lineage']}": {"mean": one["mean"], "sd": one["sd"]}
        for one in content.get("ranking", {}).get("constants", ())
    }


def _criteria(content: Content) -> dict[str, Record]:
    """Each criterion with its verdict and its numbers, where it has any."""
    told = {row["code"]: row for row in content.get("gate", {}).get("criteria", ())}
    names = ("verdict", "observed", "required")
    return {code: {name: row[name] for name in names if row[name] is not None} for code, row in told.items()}


def _statuses(content: Content) -> dict[str, str]:
    """Of the facets of a category; the overall leaderboard has others, without evidence of their own."""
    facets = content.get("facets", ())
    return {facet["slug"]: facet["status"]["code"] for facet in facets if "status" in facet}


def _roles(content: Content) -> dict[str, str]:
    return {mapping["key"]: mapping["role"] for mapping in content.get("mappings", ())}


_COUNTED = {
    "results": "results on record",
    "eligible": "results that count",
    "comparisons": "comparisons that count",
}


def counted(content: Content) -> dict[str, int]:
    """How much is on record and counts, by what it is."""
    found = content.get("evidence", {})
    return {told: found[name] for name, told in _COUNTED.items() if name in found}


def _evidence(content: Content) -> dict[str, Record]:
    """A corrected value is one that went and one that came."""
    names = ("configuration", "contract", "value", "stderr", "n", "source_url", "source_ref", "external_id")
    found = content.get("ranking", {}).get("evidence", ())
    return {canonical.text([row[name] for name in names]): {name: row[name] for name in names} for row in found}


def _keyed(content: Content, name: str) -> dict[str, Record]:
    """By what makes it another one; what it is about in words, older releases do not say."""
    return {canonical.text({**row, "about": ""}): row for row in content.get(name, ())}


def _counts(content: Content) -> dict[str, Any]:
    return dict(content.get("ranking", {}).get("comparisons", {}))


def _thresholds(content: Content) -> dict[str, Any]:
    policy = content.get("policy", {"thresholds": {}})
    return {name: threshold["value"] for name, threshold in policy["thresholds"].items()}


def _weights(content: Content) -> dict[str, Any]:
    return {facet["slug"]: facet["weight"] for facet in content.get("facets", ())}


def _numbers(was: Mapping[str, Any], now: Mapping[str, Any]) -> list[Record]:
    return [
        {"name": name, "before": was.get(name), "after": now.get(name)}
        for name in sorted(was.keys() | now.keys())
        if was.get(name) != now.get(name)
    ]


def _only(these: Mapping[str, Any], those: Mapping[str, Any]) -> Sequence[str]:
    return sorted(these.keys() - those.keys())


def _both(these: Mapping[str, Any], those: Mapping[str, Any]) -> Sequence[str]:
    return [key for key in these if key in those]
