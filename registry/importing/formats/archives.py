"""ZIP archives within limits that are checked before anything is unpacked."""

import io
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from xml.etree.ElementTree import ParseError

from registry.importing.formats.flat import whole

# The second is how one without a file begins.
ZIP = (b"PK\x03\x04", b"PK\x05\x06")
MOST_ENTRIES = 5_000
LARGEST_UNPACKED = 256 * 1024 * 1024
# Sheets pack 5- to 20-fold and JSON rarely 30-fold; what is small may be as uniform as it likes.
MOST_PACKED = 100
SMALL = 1024 * 1024

_EACH_ENTRY = b"PK\x01\x02"
_ENCRYPTED = 0x1
_OUTSIDE = re.compile(r"^[/\\]|^[A-Za-z]:|(^|[/\\])\.\.([/\\]|$)|[\\\0]")
_FAULTS = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    ParseError,
    EOFError,
    NotImplementedError,
    OSError,
    OverflowError,
    RuntimeError,
    ValueError,
)


def is_zip(content: bytes) -> bool:
    return content.startswith(ZIP)


@contextmanager
def opened(content: bytes) -> Iterator[zipfile.ZipFile]:
    """Raises `Unreadable` for an archive that breaks a limit, and for one that proves damaged while it is open."""
    # Each entry has this mark, so that an index of millions is never built.
    if content.count(_EACH_ENTRY) > MOST_ENTRIES:
        raise whole("too-many-entries", f"The archive holds more than {MOST_ENTRIES:,} files.")
    with damage_told(), zipfile.ZipFile(io.BytesIO(content)) as archive:
        _refuse_sizes(archive, len(content))
        _refuse_entries(archive)
        yield archive


@contextmanager
def damage_told() -> Iterator[None]:
    """What `zipfile` and its decoders raise on damaged bytes, told as one."""
    try:
        yield
    except _FAULTS as error:
        raise whole("damaged", "The archive is damaged, or cut off: it cannot be unpacked.") from error


def _refuse_sizes(archive: zipfile.ZipFile, size: int) -> None:
    """An entry never unpacks to more than it declares: `zipfile` stops there and its checksum fails."""
    unpacked = sum(entry.file_size for entry in archive.infolist())
    if unpacked > LARGEST_UNPACKED:
        raise whole("unpacks-too-large", f"The archive may unpack to {LARGEST_UNPACKED // 2**20} MiB, not {unpacked}.")
    if unpacked > SMALL and unpacked > MOST_PACKED * size:
        message = f"The archive unpacks {unpacked // size}-fold; more than {MOST_PACKED}-fold is no table of people."
        raise whole("unpacks-too-large", message)


def _refuse_entries(archive: zipfile.ZipFile) -> None:
    names = set()
    for entry in archive.infolist():
        name = entry.filename
        if entry.flag_bits & _ENCRYPTED:
            raise whole("encrypted", f"{name} in the archive is encrypted.", value=name)
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise whole(
                "compression", f"{name} in the archive is packed by a method that is not read here.", value=name
            )
        if _OUTSIDE.search(entry.orig_filename):
            raise whole("entry-name", f"The archive names a file outside itself: {name}.", value=name)
        if name in names:
            raise whole("repeated-entry", f"The archive holds {name} twice: which counts?", value=name)
        names.add(name)


def names(content: bytes) -> list[str]:
    with opened(content) as archive:
        return archive.namelist()


def members(content: bytes) -> Iterator[tuple[str, bytes]]:
    """Every file by its path, in order of paths; what macOS adds and hidden files are no files of anybody."""
    with opened(content) as archive:
        for entry in sorted(archive.infolist(), key=lambda entry: entry.filename):
            if entry.is_dir() or _is_hidden(entry.filename):
                continue
            packed = archive.read(entry)
            if is_zip(packed):
                message = f"{entry.filename} is an archive within the archive. Import it by itself."
                raise whole("nested-archive", message, value=entry.filename)
            yield entry.filename, packed


def _is_hidden(name: str) -> bool:
    return name.startswith("__MACOSX/") or any(part.startswith(".") for part in name.split("/"))


def packed(folder: Path) -> bytes:
    """A folder as an archive: the same files give the same bytes. Raises `Unreadable` where it breaks the limits."""
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink()]
    if len(files) > MOST_ENTRIES or sum(path.stat().st_size for path in files) > LARGEST_UNPACKED:
        message = f"A folder may hold {MOST_ENTRIES:,} files of {LARGEST_UNPACKED // 2**20} MiB in all."
        raise whole("unpacks-too-large", message)
    made = io.BytesIO()
    # Not compressed: what that gives depends on the version of the library.
    with zipfile.ZipFile(made, "w", zipfile.ZIP_STORED) as archive:
        for path in files:
            archive.writestr(zipfile.ZipInfo(path.relative_to(folder).as_posix()), path.read_bytes())
    return made.getvalue()
