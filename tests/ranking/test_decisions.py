"""What a confirm page tells of a page before it is sealed or published: by part, in words, all of it."""

import re

import pytest
from django.contrib.auth.models import User

from ranking.actions import seal
from ranking.decisions import Publish, Seal
from registry import confirm
from registry.actions import curate
from registry.confirm import Consequence, Ticket
from registry.models import Collection, EvidenceMapping, Facet, Result
from tests.ranking.public import world

pytestmark = pytest.mark.django_db

Rows = list[tuple[str, str, str]]


@pytest.fixture
def live() -> Collection:
    world.build()
    world.publish()
    return Collection.objects.get(slug=world.SLUG)


def rename(by: User) -> None:
    facet = Facet.objects.get(collection__slug=world.SLUG, slug="de-escalation")
    facet.title = "Calming down"
    curate.save(obj=facet, by=by)


def tables(consequences: list[Consequence]) -> dict[str, Rows]:
    return {one.heading: list(one.rows) for one in consequences if one.rows}


def planned(decision: confirm.Decision, by: User) -> dict[str, Rows]:
    return tables(list(confirm.plan(decision, by).consequences))


def test_sealing_tells_by_part_what_would_read_otherwise(live: Collection, editor: User) -> None:
    Result.objects.filter(value=world.SECRET).update(state="retired")
    EvidenceMapping.objects.filter(collection=live).update(role="supporting")
    rename(editor)
    found = planned(Seal(live.slug), editor)
    assert ("External evidence", "met: 1, at least 1 asked", "not met: 0, at least 1 asked") in found["Gate"]
    assert ("Results that count", "1", "0") in found["Would read otherwise: evidence"]
    assert ("Calming down: title", "De-escalation", "Calming down") in found["Would read otherwise: facets"]
    mapped = found["Would read otherwise: benchmarks that are mapped"]
    assert ("STATE-Bench customer support", "primary evidence", "supporting evidence") in mapped
    for what, *_ in (row for rows in found.values() for row in rows):
        assert not re.search(r" / |\d more", what), what


def test_the_criteria_stand_once(live: Collection, editor: User) -> None:
    Result.objects.filter(value=world.SECRET).update(state="retired")
    found = planned(Seal(live.slug), editor)
    assert "Would read otherwise: criteria of the gate" not in found
    assert len(found["Gate"]) == 12


def test_the_same_again_says_so(live: Collection, editor: User) -> None:
    assert confirm.plan(Seal(live.slug), editor).total == "The candidate would say exactly what the live page says."


def test_publishing_tells_pages_by_kind_first_and_each_of_them_last(
    live: Collection, editor: User, publisher: User
) -> None:
    rename(editor)
    found = planned(Publish(seal.seal(collection=live, by=editor).pk), publisher)
    first, *_, last = found
    assert (first, last) == ("Pages", "Each page")
    assert found["Pages"][:2] == [
        ("5 pages of categories and their facets", "live", "new text"),
        (f"/evidence/{world.MAPPING}/", "live", "new text"),
    ]
    assert ("/categories/customer-service/de-escalation/", "live", "new text") in found["Each page"]


def test_publishing_tells_in_words_what_moved_since_sealing(live: Collection, editor: User, publisher: User) -> None:
    candidate = seal.seal(collection=live, by=editor)
    facet = live.facets.get(slug="policy-boundaries")
    facet.description = "Otherwise."
    curate.save(obj=facet, by=editor)
    candidate = seal.seal(collection=live, by=editor)
    signed = Ticket.issue(Publish(candidate.pk), confirm.plan(Publish(candidate.pk), publisher), publisher)
    rename(editor)
    title = ("Calming down: title", "De-escalation", "Calming down")
    assert planned(Publish(candidate.pk), publisher)["The registry says otherwise by now: facets"] == [title]
    with pytest.raises(confirm.Stale) as stale:
        confirm.confirm(signed, by=publisher, typed=live.slug, reason="Now.")
    told = "since sealing.Facets, Calming down: title", None, "De-escalation, now Calming down"
    assert stale.value.changed == [told]


def test_a_stale_page_of_sealing_says_what_moved(live: Collection, editor: User) -> None:
    signed = Ticket.issue(Seal(live.slug), confirm.plan(Seal(live.slug), editor), editor)
    Result.objects.filter(value=world.SECRET).update(state="retired")
    rename(editor)
    with pytest.raises(confirm.Stale) as stale:
        confirm.confirm(signed, by=editor)
    changed = {where: (shown, present) for where, shown, present in stale.value.changed}
    assert changed["gate.External evidence"] == ("met: 1, at least 1 asked", "not met: 0, at least 1 asked")
    assert changed["otherwise than the live page.Facets, Calming down: title"] == (
        None, "De-escalation, now Calming down",
    )  # fmt: skip
