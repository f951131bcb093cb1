"""Wherever an address is typed: what would be published holds no password."""

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError

from registry.actions import curate
from registry.models import Publisher, RightsDecision, Suite

SECRET = "https://ada:secret@example.org/"


def test_a_curated_record_takes_no_address_with_a_password(editor: User) -> None:
    publisher = curate.save(obj=Publisher(key="p", name="P", url="https://example.org/@ada"), by=editor)
    records = [
        (Publisher(key="q", name="Q", url=SECRET), "url"),
        (Suite(key="s", publisher=publisher, title="S", url=SECRET), "url"),
        (RightsDecision(publisher=publisher, use="store", clause="MIT", clause_url=SECRET), "clause_url"),
    ]
    for record, field in records:
        with pytest.raises(ValidationError) as caught:
            curate.save(obj=record, by=editor)
        assert [error.code for error in caught.value.error_dict[field]] == ["address-with-account"]
        assert "secret" not in str(caught.value)
