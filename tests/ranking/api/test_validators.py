"""ETag and what it saves, and what it must never hide."""

import pytest

from registry.models import Collection
from tests.ranking.public import world


def test_an_unchanged_answer_is_not_sent_again(api, ranked_addresses):
    for path in [*ranked_addresses.values(), "schema/", "docs/"]:
        validator = api(path).headers["ETag"]
        answer = api(path, headers={"If-None-Match": validator})
        assert (answer.status_code, answer.content) == (304, b""), path
        assert answer.headers["ETag"] == validator
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        assert answer.headers["Cache-Control"] == "no-cache"


def test_the_validator_of_a_release_is_its_identifier(api, published):
    name = f"releases/{published.identifier[:12]}/"
    for path in (name, f"{name}rows/", f"{name}evidence/", f"collections/{world.SLUG}/gate/"):
        assert api(path).headers["ETag"] == f'"{published.identifier}"'


def test_two_formats_have_two_validators(api, published):
    csv = api("mappings/", headers={"Accept": "text/csv"}).headers["ETag"]
    assert api("mappings/", headers={"If-None-Match": csv}).status_code == 200
    assert api("mappings/", headers={"If-None-Match": csv, "Accept": "text/csv"}).status_code == 304


@pytest.mark.parametrize("change", ["publish", "withdraw"])
def test_no_validator_hides_a_change(api, addresses, published, change):
    """After a publish or a withdrawal no conditional request is told that the earlier answer still holds."""
    before = {path: api(path).headers["ETag"] for path in addresses.values()}
    if change == "publish":
        Collection.objects.filter(slug=world.SLUG).update(title="Edited")
        world.publish(reason="Edited.")
    else:
        world.withdraw(published)
    unchanged = {
        path for path, validator in before.items() if api(path, headers={"If-None-Match": validator}).status_code == 304
    }
    # What a release seals never changes; whether it can still be read does.
    name = f"releases/{published.identifier[:12]}/"
    assert unchanged == ({f"{name}rows/", f"{name}evidence/"} if change == "publish" else set())


def test_another_state_than_if_match_names_is_refused(api, published):
    assert api("collections/", headers={"If-Match": "*"}).status_code == 200
    answer = api("collections/", headers={"If-Match": '"0"'})
    assert (answer.status_code, answer.headers["Content-Type"]) == (412, "application/problem+json")
    assert answer.told["type"].endswith("#problem-precondition-failed")


def test_any_validator_does_not_make_an_unknown_address_unchanged(api, published):
    assert api("collections/none/", headers={"If-None-Match": "*"}).status_code == 404
