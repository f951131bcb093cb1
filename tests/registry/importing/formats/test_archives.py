"""What an archive may be, checked before anything is unpacked."""

import io
import os
import struct
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from registry.importing.formats import archives
from registry.importing.formats.archives import members, packed
from registry.importing.problems import Unreadable
from tests.registry.importing.formats.conftest import zipped

RANDOM = os.urandom(1000)


def told(content: bytes) -> str:
    with pytest.raises(Unreadable) as caught:
        list(members(content))
    (problem,) = caught.value.problems
    return problem.reason


def test_files_come_in_the_order_of_their_paths_without_hidden_ones() -> None:
    content = zipped({"b.json": b"2", "a/x.json": b"1", "__MACOSX/a": b"", ".DS_Store": b"", "a/.git/x": b""})
    assert list(members(content)) == [("a/x.json", b"1"), ("b.json", b"2")]


@pytest.mark.parametrize("name", ["../a", "/a", "a/../../b", "..\\a", "C:/a", "a\\b", "..", "a/.."])
def test_a_name_outside_the_archive_is_refused(name: str) -> None:
    assert told(zipped({name: b"x"})) == "entry-name"


def test_a_name_twice_is_refused() -> None:
    made = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(made, "w") as archive:
        warnings.simplefilter("ignore")
        archive.writestr("a", b"1")
        archive.writestr("a", b"2")
    assert told(made.getvalue()) == "repeated-entry"


def test_an_archive_within_the_archive_is_refused() -> None:
    assert told(zipped({"a.zip": zipped({"b": b"1"})})) == "nested-archive"


def test_an_encrypted_file_is_named() -> None:
    content = bytearray(zipped({"a": b"x"}))
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(mark) + place] |= 1
    assert told(bytes(content)) == "encrypted"


def test_a_method_of_packing_that_is_not_read_is_named() -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("a", b"x")
    assert told(made.getvalue()) == "compression"


def test_too_many_entries_are_counted_before_they_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MOST_ENTRIES", 3)
    assert told(zipped({str(number): b"" for number in range(4)})) == "too-many-entries"
    assert len(list(members(zipped({str(number): b"" for number in range(3)})))) == 3


def test_what_unpacks_too_large_is_refused_by_what_it_declares() -> None:
    assert told(zipped({"a": bytes(2 * archives.SMALL)})) == "unpacks-too-large"
    assert len(list(members(zipped({"a": bytes(archives.SMALL)})))) == 1, "small files may be uniform"


def test_what_declares_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "LARGEST_UNPACKED", 999)
    assert told(zipped({"a": RANDOM})) == "unpacks-too-large"


def test_what_declares_too_little_never_unpacks_further() -> None:
    content = bytearray(zipped({"a": bytes(100_000)}))
    place = content.index(b"PK\x01\x02") + 24
    content[place : place + 4] = struct.pack("<I", 10)
    assert told(bytes(content)) == "damaged"


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: content[:-30],
        lambda content: content[:40] + bytes(20) + content[60:],
        lambda content: content[:4] + b"junk",
        lambda content: content.replace(b"PK\x01\x02", b"PK\x01\x09"),
    ],
)
def test_a_damaged_archive_is_said_to_be(damage: Callable[[bytes], bytes]) -> None:
    assert told(damage(zipped({"a.json": RANDOM}))) == "damaged"


def test_a_folder_is_packed_the_same_each_time(tmp_path: Path) -> None:
    for name in ("b.json", "a/x.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    (tmp_path / "link").symlink_to("/etc/hostname")
    once = packed(tmp_path)
    os.utime(tmp_path / "b.json", (1, 1))
    assert packed(tmp_path) == once
    assert list(members(once)) == [("a/x.json", b"a/x.json"), ("b.json", b"b.json")]


def test_a_folder_of_too_much_is_not_packed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MOST_ENTRIES", 1)
    for name in "ab":
        (tmp_path / name).touch()
    with pytest.raises(Unreadable):
        packed(tmp_path)
