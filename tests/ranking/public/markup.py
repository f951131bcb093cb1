"""A page as its elements, read strictly: what a browser would forgive is an error here."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"meta", "link", "br", "hr", "img", "input", "wbr", "path", "rect", "circle"}


@dataclass
class Element:
    tag: str
    attributes: dict[str, str]
    parent: "Element | None"
    children: "list[Element | str]" = field(default_factory=list)

    @property
    def text(self) -> str:
        found = (child if isinstance(child, str) else child.text for child in self.children)
        return " ".join(" ".join(found).split())

    def all(self, *tags: str) -> "Iterator[Element]":
        for child in self.children:
            if isinstance(child, Element):
                if not tags or child.tag in tags:
                    yield child
                yield from child.all(*tags)

    def first(self, tag: str) -> "Element":
        return next(self.all(tag))


class Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = self.open = Element("", {}, None)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"an attribute twice: {tag} {names}"
        element = Element(tag, {name: value or "" for name, value in attrs}, self.open)
        self.open.children.append(element)
        if tag not in VOID:
            self.open = element

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in VOID, f"<{tag}/> is not closed by a slash"
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.tag == tag, f"</{tag}> closes <{self.open.tag}>: {self.open.text[:80]}"
        assert self.open.parent
        self.open = self.open.parent

    def handle_data(self, data: str) -> None:
        self.open.children.append(data)


def read(html: str) -> Element:
    reader = Reader()
    reader.feed(html)
    reader.close()
    assert reader.open is reader.root, f"<{reader.open.tag}> is never closed"
    return reader.root


def table(page: Element, caption: str) -> list[list[str]]:
    """The rows under a caption, cell by cell."""
    [found] = [table for table in page.all("table") if table.first("caption").text == caption]
    return [[cell.text for cell in row.all("th", "td")] for row in found.all("tr")]


def facts(page: Element) -> dict[str, str]:
    """What each term of the page's description lists is said to be."""
    return {group.first("dt").text: group.first("dd").text for group in page.all("div") if "dt" in _tags(group)}


def _tags(element: Element) -> set[str]:
    return {child.tag for child in element.children if isinstance(child, Element)}
