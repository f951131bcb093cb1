"""Formats in which a file is one document, such as the JSON of one run, alone or several of them in a ZIP archive."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from registry.importing.formats import archives
from registry.importing.formats.flat import Fields, FlatTable, flattened
from registry.importing.formats.json_text import read_json
from registry.importing.formats.schemas import Schema, check
from registry.importing.problems import NotATable, Problem, Unreadable

ALWAYS = ("file", "no_results")


@dataclass(frozen=True, slots=True)
class Document:
    """How one file is recognised, checked and flattened. Its table has the columns `file`, `no_results` and `columns`.

    `marks` stand in every file of the format, `strays` in files that lie beside its files. `schema` is asked once the
    file is parsed. It and `records` may raise `NotATable` for a file that belongs to the format and holds no results;
    within an archive such a file gives one record that says so, which a profile has to skip.
    """

    label: str
    columns: tuple[str, ...]
    marks: tuple[bytes, ...]
    schema: Callable[[Any], Schema]
    records: Callable[[Any], Iterator[Fields]]
    parse: Callable[[bytes], Any] = read_json
    begins: tuple[bytes, ...] = (b"{",)
    strays: tuple[bytes, ...] = ()

    def is_one(self, content: bytes) -> bool:
        return has_marks(content, self.begins, self.marks) or any(
            has_marks(content, self.begins, (stray,)) for stray in self.strays
        )

    def read(self, content: bytes, filename: str = "") -> FlatTable:
        """Raises `NotATable` where there are no results at all and `Unreadable` for what is wrong."""
        if archives.is_zip(content):
            return self.table(self._several(content), "ZIP of UTF-8")
        return self.table(self._named(filename, self._one(content)), "UTF-8")

    def table(self, records: Iterator[Fields], encoding: str) -> FlatTable:
        return flattened((*ALWAYS, *self.columns), records, encoding)

    def _one(self, content: bytes) -> list[Fields]:
        value = self.parse(content)
        check(value, self.schema(value))
        records = list(self.records(value))
        if not records:
            raise NotATable(f"it is {self.label} without a single result.")
        return records

    def _named(self, file: str, records: list[Fields]) -> Iterator[Fields]:
        return ({"file": file, **record} for record in records)

    def _several(self, content: bytes) -> Iterator[Fields]:
        found, last = False, ""
        for file, member in archives.members(content):
            try:
                records = self._member(file, member)
                found = True
            except NotATable as nothing:
                last = nothing.why
                records = [{"no_results": last}]
            yield from self._named(file, records)
        if not found:
            raise NotATable(f"no file of the archive holds results; of the last, {last or 'there is none.'}")

    def _member(self, file: str, content: bytes) -> list[Fields]:
        try:
            return self._one(content)
        except Unreadable as faults:
            if not self.is_one(content):
                raise NotATable(f"it is not {self.label}.") from faults
            raise Unreadable(*(within(file, problem) for problem in faults.problems)) from faults


def has_marks(content: bytes, begins: tuple[bytes, ...], marks: tuple[bytes, ...]) -> bool:
    start = content[:200].lstrip(b"\xef\xbb\xbf \t\r\n")
    return start.startswith(begins) and all(mark in content for mark in marks)


def within(file: str, problem: Problem) -> Problem:
    """The same, of a file within an archive."""
    return Problem(problem.line, problem.column, problem.value, problem.reason, f"{file}: {problem.message}")


def objects(value: Any) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The entries of an object that are objects themselves."""
    return ((name, part) for name, part in value.items() if isinstance(part, dict)) if value else iter(())
