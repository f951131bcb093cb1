"""The rules of the house: what is excluded, how the method works, which policy is in force."""

from django.http import HttpRequest, HttpResponse

from ranking import live
from ranking.catalogue import Record
from ranking.public import words
from ranking.public.serving import page, public


@public
def exclusions(request: HttpRequest) -> HttpResponse:
    catalogue = live.catalogue()
    return page(
        request,
        "exclusions",
        title="Exclusions",
        description="What is refused as evidence: each with its reason, its date, and what would lift it.",
        data="exclusions/",
        releases=catalogue.releases,
        catalogue=catalogue,
        exclusions=[entry.record for entry in catalogue.exclusions.values()],
        lifted=[entry.record for entry in catalogue.lifted_exclusions.values()],
    )


@public
def method(request: HttpRequest) -> HttpResponse:
    return page(
        request,
        "method",
        title="Method",
        description="How a number becomes evidence, how evidence becomes a score, and when a score becomes a ranking.",
        data="policies/",
        criteria=words.CRITERIA,
    )


@public
def policy(request: HttpRequest) -> HttpResponse:
    catalogue = live.catalogue()
    return page(
        request,
        "policy",
        title="Gate policy",
        description="The thresholds that a ranking must pass, each with its value and the reason for it.",
        data="policies/",
        releases=catalogue.releases,
        catalogue=catalogue,
        policies=[(entry, thresholds(entry.record)) for entry in reversed(list(catalogue.policies.values()))],
    )


def thresholds(policy: Record) -> list[tuple[str, str, str, str]]:
    """Name, words, value and reason of each threshold, in the order of the gate; unknown ones last."""
    order = list(words.THRESHOLDS)
    names = sorted(policy["thresholds"], key=lambda name: (order.index(name) if name in order else len(order), name))
    return [
        (name, words.threshold(name), value_in_words(said["value"]), said["reason"])
        for name in names
        for said in [policy["thresholds"][name]]
    ]


def value_in_words(value: object) -> str:
    if value is None:
        return "not asked"
    if isinstance(value, dict):
        return ", ".join(f"{name} {value_in_words(part)}" for name, part in sorted(value.items()))
    return ", ".join(str(part) for part in value) if isinstance(value, list) else str(value)
