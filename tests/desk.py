"""Reading the desk's pages as a person at a browser does: forms with what stands in them, and the text."""

import re
from html.parser import HTMLParser
from typing import Any

from django.test import Client
from django.urls import reverse

Typed = dict[str, list[str]]


class _Forms(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[tuple[dict[str, str], Typed]] = []
        self.select = self.textarea = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.forms.append((given, {}))
        elif tag == "select":
            self.select = given.get("name", "")
        elif tag == "option" and self.select and "selected" in given:
            self._put(self.select, given.get("value", ""))
        elif tag == "textarea":
            self.textarea = given.get("name", "")
            self._put(self.textarea, "")
        elif tag == "input":
            self._input(given)

    def _input(self, given: dict[str, str]) -> None:
        kind = given.get("type", "text")
        if kind in ("submit", "file", "button") or (kind in ("checkbox", "radio") and "checked" not in given):
            return
        self._put(given.get("name", ""), given.get("value", "on" if kind == "checkbox" else ""))

    def handle_data(self, data: str) -> None:
        if self.textarea and self.forms:
            held = self.forms[-1][1][self.textarea]
            held[-1] += data.removeprefix("\n") if not held[-1] else data

    def handle_endtag(self, tag: str) -> None:
        if tag == "select":
            self.select = ""
        elif tag == "textarea":
            self.textarea = ""

    def _put(self, name: str, value: str) -> None:
        if name and self.forms:
            self.forms[-1][1].setdefault(name, []).append(value)


def form_on(response: Any, name: str) -> Typed:
    """What the form with this id or action would post as it stands."""
    parser = _Forms()
    parser.feed(response.content.decode())
    found = [typed for given, typed in parser.forms if name in (given.get("id"), given.get("action"))]
    assert found, f"no form {name}"
    return found[0]


def text_of(response: Any) -> str:
    """Without head and navigation, in one line."""
    body = re.sub(r"(?s)<(head|header|nav)\b.*?</\1>", " ", response.content.decode())
    text = re.sub(r"<[^>]+>", " ", body).replace("&#x27;", "'").replace("&amp;", "&").replace("&quot;", '"')
    return re.sub(r"\s+", " ", text)


def address(record: Any, page: str = "change") -> str:
    meta = record._meta
    return reverse(f"admin:{meta.app_label}_{meta.model_name}_{page}", args=(record.pk,))


def opened(client: Client, record: Any) -> Typed:
    """The form of a record as its page shows it."""
    response = client.get(address(record))
    assert response.status_code == 200, response.status_code
    return form_on(response, f"{record._meta.model_name}_form")


def confirmed(client: Client, page: Any, **typed: str) -> Any:
    """Post the confirm page that `page` is."""
    action = page.context["decision"].name
    return client.post(reverse("admin:confirm", args=(action,)), {**form_on(page, "confirm-form"), **typed})
