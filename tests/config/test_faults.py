"""A busy database is told as busy, a fault as a fault, in the form the asker reads."""

import json
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.db import OperationalError
from django.test import Client

pytestmark = pytest.mark.django_db


@pytest.fixture
def visitor() -> Client:
    return Client(raise_request_exception=False)


def break_everything(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise error

    monkeypatch.setattr("ranking.live.catalogue", fail)
    monkeypatch.setattr("ranking.live.state", fail)


@pytest.mark.parametrize(
    ("error", "status", "words"),
    [(OperationalError("database is locked"), 503, "The database is busy"), (RuntimeError("x"), 500, "went wrong")],
)
def test_a_page_tells_which_of_the_two_it_is(
    visitor: Client, monkeypatch: pytest.MonkeyPatch, error: Exception, status: int, words: str
) -> None:
    break_everything(monkeypatch, error)
    answer = visitor.get("/")
    assert (answer.status_code, words in answer.content.decode()) == (status, True)
    assert answer.headers.get("Retry-After") == ("5" if status == 503 else None)
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]


@pytest.mark.parametrize(("error", "status"), [(OperationalError("locked"), 503), (RuntimeError("x"), 500)])
def test_the_api_tells_it_as_a_problem(
    visitor: Client, monkeypatch: pytest.MonkeyPatch, error: Exception, status: int
) -> None:
    break_everything(monkeypatch, error)
    answer = visitor.get("/api/v1/collections/")
    assert (answer.status_code, answer.headers["Content-Type"]) == (status, "application/problem+json")
    assert json.loads(answer.content)["status"] == status


def test_a_form_without_its_token_is_told_so_in_our_own_page() -> None:
    answer = Client(enforce_csrf_checks=True).post("/admin/login/", {"username": "x", "password": "y"})
    text = answer.content.decode()
    assert (answer.status_code, "<style" in text, "open the page again" in text) == (403, False, True)


FORM = "application/x-www-form-urlencoded"


@pytest.mark.parametrize("charset", ["latin-1", "utf-16"])
@pytest.mark.parametrize("address", ["/", "/admin/login/", "/api/v1/collections/"])
def test_a_form_in_another_charset_is_refused(visitor: Client, address: str, charset: str) -> None:
    visitor.cookies["csrftoken"] = "a" * 32
    answer = visitor.generic("POST", address, b"a=b", content_type=f"{FORM}; charset={charset}")
    assert (answer.status_code, "A form comes in UTF-8." in answer.content.decode()) == (400, True)


@pytest.mark.parametrize("address", ["/admin/registry/importbatch/add/?profile=%00", "/admin/?x=%00"])
def test_a_nul_in_an_address_is_refused(visitor: Client, address: str) -> None:
    answer = visitor.get(address)
    assert (answer.status_code, "holds a NUL" in answer.content.decode()) == (400, True)


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        ({"text": "a" * 3 * 2**20}, "A form takes 2 MB of text; upload what is longer as a file."),
        ({str(number): "" for number in range(1_001)}, "A form takes 1,000 fields"),
        ({str(number): ContentFile(b"", name="a.csv") for number in range(101)}, "A form takes 100 files at a time."),
    ],
)
def test_a_form_that_holds_too_much_is_told_how_much_one_takes(sent: dict[str, Any], told: str) -> None:
    visitor = Client(enforce_csrf_checks=True)
    visitor.cookies["csrftoken"] = "a" * 32
    answer = visitor.post("/admin/login/", sent)
    assert (answer.status_code, told in answer.content.decode()) == (400, True)
