"""The bytes of a file, read a piece at a time and as often as needed: it may be larger than memory should hold."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

PIECE = 1024 * 1024


class Content(Protocol):
    """What an upload, a stored source and a file on disk have in common."""

    def chunks(self) -> Iterator[bytes]:
        """All of it from the beginning, again each time."""


@dataclass(frozen=True, slots=True)
class Held:
    """Bytes in memory."""

    content: bytes

    def chunks(self) -> Iterator[bytes]:
        for start in range(0, len(self.content), PIECE):
            yield self.content[start : start + PIECE]


@dataclass(frozen=True, slots=True)
class OnDisk:
    """A file. Raises OSError when it cannot be read."""

    path: Path

    def chunks(self) -> Iterator[bytes]:
        with self.path.open("rb") as file:
            while piece := file.read(PIECE):
                yield piece


@dataclass(slots=True)
class Counted:
    """Tells how far a reader has come."""

    content: Content
    seen: int = 0

    def chunks(self) -> Iterator[bytes]:
        self.seen = 0
        for piece in self.content.chunks():
            self.seen += len(piece)
            yield piece


def identified(content: Content) -> tuple[str, int]:
    """SHA-256 and size in bytes."""
    digest, size = hashlib.sha256(), 0
    for piece in content.chunks():
        digest.update(piece)
        size += len(piece)
    return digest.hexdigest(), size


def pieces(content: Content) -> Iterator[bytes]:
    """The bytes in pieces of one size, whatever they come in."""
    held = bytearray()
    for piece in content.chunks():
        held += piece
        while len(held) >= PIECE:
            yield bytes(held[:PIECE])
            del held[:PIECE]
    if held:
        yield bytes(held)
