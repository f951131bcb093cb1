"""The registry behind the categories: mapping records, benchmarks, lineages, contracts and atoms."""

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse

from ranking import live
from ranking.catalogue import Catalogue, Entries, Entry
from ranking.public import indexes, records
from ranking.public.serving import page, present, public
from registry.vocabulary import ExclusionScope

EVIDENCE = ("Evidence", "/evidence/")


def named(catalogue: Catalogue, index: str, key: str, what: str) -> Entry:
    """A record of an index of the catalogue; what only a withdrawn category carried is answered by its tombstone."""
    known: Entries = getattr(catalogue, index)
    if key in known:
        return known[key]
    gone: Entries = getattr(live.buried(), index)
    if key in gone:
        present(live.release(gone[key].release.identifier), what)
    raise Http404(f"No live release has a {what} “{key}”.")


@public
def evidence(request: HttpRequest) -> HttpResponse:
    catalogue = live.catalogue()
    return page(
        request,
        "evidence",
        title="Evidence",
        description="Every benchmark that is mapped to a category, alphabetically, and what for.",
        data="mappings/",
        releases=catalogue.releases,
        catalogue=catalogue,
        benchmarks=[
            (entry, catalogue.mappings_of(key))
            for key, entry in sorted(catalogue.benchmarks.items(), key=lambda item: item[1].record["title"])
        ],
    )


@public
def mapping(request: HttpRequest, key: str) -> HttpResponse:
    catalogue = live.catalogue()
    entry = named(catalogue, "mappings", key, "mapping record")
    [found] = records.of_entries([entry])
    benchmark = entry.record["benchmark"]
    return page(
        request,
        "mapping",
        title=f"{benchmark['title']} as evidence for {entry.record['collection_title']}",
        description="What this benchmark may say about a category: contracts, lineages, identity, rights. No scores.",
        data=f"mappings/{key}/",
        releases=[entry.release],
        crumbs=[EVIDENCE, (benchmark["title"], reverse("public:benchmark", args=[found.address]))],
        catalogue=catalogue,
        mapping=found,
        siblings=records.siblings(catalogue, found),
    )


@public
def benchmark(request: HttpRequest, key: str) -> HttpResponse:
    catalogue = live.catalogue()
    entry = named(catalogue, "benchmarks", key, "benchmark")
    mappings = catalogue.mappings_of(key)
    return page(
        request,
        "benchmark",
        title=entry.record["title"],
        description=f"What {entry.record['title']} is mapped to, each record apart. No scores.",
        data=f"benchmarks/{key}/",
        releases=entry.releases,
        crumbs=[EVIDENCE],
        catalogue=catalogue,
        entry=entry,
        mappings=records.of_entries(mappings),
    )


@public
def lineage(request: HttpRequest, key: str) -> HttpResponse:
    catalogue = live.catalogue()
    entry = named(catalogue, "lineages", key, "lineage")
    group = entry.record["group"]
    return page(
        request,
        "lineage",
        title=entry.record["title"],
        description="One stream of evidence: its version, its track, what it shares with others, where it may count.",
        data=f"lineages/{key}/",
        releases=entry.releases,
        crumbs=[EVIDENCE, indexes.LINEAGES.crumb],
        catalogue=catalogue,
        entry=entry,
        group=[found for found in catalogue.lineages.values() if found.record["group"] == group],
        mappings=catalogue.mappings_with_lineage(key),
        contracts=catalogue.contracts_of(key),
        exclusions=[
            found.record
            for found in catalogue.exclusions.values()
            if (found.record["scope"], found.record["target"]) == (ExclusionScope.LINEAGE, key)
        ],
    )


@public
def contract(request: HttpRequest, key: str) -> HttpResponse:
    catalogue = live.catalogue()
    entry = named(catalogue, "contracts", key, "metric contract")
    mappings = catalogue.mappings_with_contract(key)
    return page(
        request,
        "contract",
        title=entry.record["title"],
        description="The exact meaning of one number: lineage, subject, protocol, unit, bounds, and its use.",
        data=f"contracts/{key}/",
        releases=entry.releases,
        crumbs=[EVIDENCE, indexes.CONTRACTS.crumb],
        catalogue=catalogue,
        entry=entry,
        protocol=catalogue.protocols[entry.record["protocol"]].record,
        measured=[(found, _measures(found, key)) for found in mappings],
    )


def _measures(mapping: Entry, contract: str) -> tuple[str, str]:
    """Title of the facet that the contract measures in a mapping, and why; empty where it measures none."""
    found = [
        (facet["title"], row["reason"])
        for facet in mapping.record["facets"]
        for row in facet["measured_by"]
        if row["contract"] == contract
    ]
    return found[0] if found else ("", "")


@public
def atom(request: HttpRequest, key: str) -> HttpResponse:
    catalogue = live.catalogue()
    entry = named(catalogue, "atoms", key, "capability atom")
    return page(
        request,
        "atom",
        title=entry.record["title"],
        description="One small ability from the list that all categories share, and the benchmarks that call on it.",
        data=f"atoms/{key}/",
        releases=entry.releases,
        crumbs=[EVIDENCE, indexes.ATOMS.crumb],
        catalogue=catalogue,
        entry=entry,
        mappings=catalogue.mappings_with_atom(key),
    )
