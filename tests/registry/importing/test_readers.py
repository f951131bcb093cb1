from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from registry.importing import readers
from registry.importing.formats.xlsx import LONGEST_SHEET_NAME
from registry.importing.problems import NotATable, Problem, Unreadable
from registry.importing.readers import read
from registry.models import ImportBatch

HEADER = b"a,b\n"


def rows(content: bytes) -> list[tuple[int, list[str]]]:
    return [(record.line, record.cells) for record in read(content)]


def problem(content: bytes) -> Problem:
    with pytest.raises(Unreadable) as caught:
        list(read(content))
    (only,) = caught.value.problems
    return only


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_may_end_in_three_ways(end: str) -> None:
    assert rows(end.join(["a,b", "1,2", "3,4"]).encode()) == [(2, ["1", "2"]), (3, ["3", "4"])]


def test_a_byte_order_mark_is_no_part_of_the_header() -> None:
    table = read(b"\xef\xbb\xbfa,b\n1,2")
    assert (table.header, table.encoding) == (["a", "b"], "UTF-8 with BOM")


def test_quoted_cells_keep_every_character() -> None:
    assert rows(HEADER + b'1,"x\n\xc3\xa9, ""y""\r\nz"\n\t2,\t=1\n') == [
        (2, ["1", 'x\né, "y"\r\nz']),
        (5, ["\t2", "\t=1"]),
    ]


def test_a_record_has_the_line_where_it_begins_and_blank_lines_are_none() -> None:
    assert rows(HEADER + b'1,"x\n\ny"\n\n\n3,4\n\n') == [(2, ["1", "x\n\ny"]), (7, ["3", "4"])]


def test_iterating_again_gives_the_records_again() -> None:
    table = read(HEADER + b"1,2")
    assert list(table) == list(table)


@pytest.mark.parametrize(
    ("body", "line", "column"),
    [
        (b'1, "2"\n', 2, "b"),
        (b'1,2"3\n', 2, "b"),
        (b'1,"2"3\n', 2, "b"),
        (b'1,2\n"3" ,4\n', 3, "a"),
        (b'1,2\n3,"4\n5,6\n', 3, "b"),
        (b'"1\n2","x"y\n', 3, "b"),
    ],
)
def test_quotes_that_do_not_enclose_a_cell_are_refused_with_their_place(body: bytes, line: int, column: str) -> None:
    found = problem(HEADER + body)
    assert (found.line, found.column, found.reason) == (line, column, "quoting")


def test_bad_quotes_in_the_header() -> None:
    assert (problem(b'a, "b"\n1,2').line, problem(b'a, "b"\n1,2').column) == (1, "")


@pytest.mark.parametrize(
    ("content", "reason", "seen"),
    [
        (b"a;b\n1;2", "delimiter", "';'"),
        (b"a\tb\n1\t2", "delimiter", "TAB"),
        ("a,b\n1,2".encode("utf-16"), "encoding", "UTF-16"),
        ("a,b\n1,2".encode("utf-32"), "encoding", "UTF-32"),
        (b"a,b\n1,caf\xe9", "encoding", "0xE9"),
        (b"a,b\n1,\0", "nul-byte", "NUL"),
        ("a,b\n1,2".encode("utf-16-le"), "nul-byte", "NUL"),
    ],
)
def test_other_encodings_and_delimiters_are_refused_by_name(content: bytes, reason: str, seen: str) -> None:
    found = problem(content)
    assert found.reason == reason
    assert seen in found.message


@pytest.mark.parametrize(("content", "line"), [(b"a,b\n1,2\r\n3,\xff", 3), (b"a,b\n1,2\r3,\0", 3)])
def test_bytes_that_cannot_be_text_are_refused_with_their_line(content: bytes, line: int) -> None:
    assert problem(content).line == line


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b" \n\n",
        b"\xef\xbb\xbf",
        b"<!DOCTYPE html><html></html>",
        b'\n  {"a": 1}',
        b"[1, 2]",
        b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n",
        b"PK\x03\x04\0\0",
        b"%PDF-1.7",
        b"just a sentence\nand another",
    ],
)
def test_what_is_no_table_at_all_is_said_to_be_none(content: bytes) -> None:
    with pytest.raises(NotATable, match=r"not a table of rows: (it is|its first line)"):
        read(content)


CELLS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)


@given(st.lists(st.lists(CELLS, min_size=2, max_size=2), max_size=6), st.sampled_from(["\n", "\r\n", "\r"]))
def test_quoted_text_comes_back_as_it_was(table: list[list[str]], end: str) -> None:
    lines = [",".join('"' + cell.replace('"', '""') + '"' for cell in row) for row in table]
    assert [record.cells for record in read(end.join(["a,b", *lines]).encode())] == table


@given(st.binary(max_size=60) | st.text(st.sampled_from('a,";\n\r\t '), max_size=30).map(str.encode))
def test_any_bytes_are_read_or_refused(content: bytes) -> None:
    try:
        records = list(read(content))
    except (NotATable, Unreadable):
        return
    assert all(record.cells for record in records)


@dataclass
class Pieces:
    """The same bytes in pieces of another size."""

    content: bytes
    size: int

    def chunks(self) -> Iterator[bytes]:
        for start in range(0, len(self.content), self.size):
            yield self.content[start : start + self.size]


def outcome(content: Pieces) -> object:
    try:
        return [(record.line, record.cells) for record in read(content)]
    except (NotATable, Unreadable) as error:
        return str(error)


TABLES = st.text(st.sampled_from('a,"\n\r é'), max_size=40).map(lambda text: b"a,b\n" + text.encode())


@given(TABLES | st.binary(max_size=40).map(lambda more: b"a,b\n" + more), st.integers(1, 9))
@example(b"a,b\n\x01\x80\0", 1)
def test_it_does_not_matter_in_which_pieces_a_file_comes(content: bytes, size: int) -> None:
    whole, cut = outcome(Pieces(content, 1_000)), outcome(Pieces(content, len(HEADER) + size))
    assert whole == cut


def test_mixed_line_ends_are_told() -> None:
    table = read(b"a,b\r\n1,2\n3,4\r5,6")
    assert len(list(table)) == 3
    assert table.encoding == "UTF-8, mixed line ends (CR, CRLF, LF)"


@pytest.mark.parametrize("open_quote", ["", '"'])
def test_a_record_without_an_end_is_refused_and_hides_no_row(monkeypatch: pytest.MonkeyPatch, open_quote: str) -> None:
    monkeypatch.setattr(readers, "LONGEST_BLOCK", 40)
    content = f"a,b\n1,2\n3,{open_quote}{'x' * 60}\n4,5\n".encode()
    with pytest.raises(Unreadable) as refused:
        list(read(Pieces(content, 16)))
    (problem,) = refused.value.problems
    assert (problem.line, problem.reason) == (3, "quoting" if open_quote else "record-too-long")


def test_a_long_record_that_ends_is_read_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readers, "LONGEST_BLOCK", 40)
    content = f"a,b\n1,{'x' * 30}\n4,5\n".encode()
    assert [record.cells for record in read(Pieces(content, 16))] == [["1", "x" * 30], ["4", "5"]]


def test_every_name_of_an_encoding_can_be_kept() -> None:
    table = read(b"\xef\xbb\xbfa,b\r\n1,2\n3,4\r5,6")
    assert len(list(table)) == 3
    length = ImportBatch._meta.get_field("encoding").max_length or 0
    assert len(table.encoding) <= length
    # Excel lets a sheet have 31 characters, others more: what is longer is cut by the reader of workbooks.
    assert len("XLSX, sheet ") + LONGEST_SHEET_NAME <= length


def test_an_open_quote_is_found_in_one_pass() -> None:
    """Each line end was looked at with all behind it: 128 KiB of them took half a minute."""
    counted = Counted('"' + "\n" * 5_000)
    assert readers._whole_records(counted) == 0
    assert Counted.asked < 10


class Counted(str):
    """A text that counts how often it is searched."""

    __slots__ = ()
    asked = 0

    def rfind(self, *args: Any) -> int:
        Counted.asked += 1
        return super().rfind(*args)


@given(st.text(alphabet='a"\n\r,', max_size=40))
def test_records_are_cut_behind_the_last_line_end_outside_of_quotes(text: str) -> None:
    ends = [at + 1 for at, character in enumerate(text) if character in "\r\n" and text.count('"', 0, at) % 2 == 0]
    assert readers._whole_records(text) == (ends[-1] if ends else 0)
