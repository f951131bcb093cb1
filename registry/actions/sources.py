"""Keeping the bytes of a file within the transaction that stages it."""

from django.contrib.auth.models import AbstractUser
from django.utils import timezone

from registry.importing.contents import Content, pieces
from registry.models import Source, SourcePart


def keep_source(
    content: Content, sha256: str, size: int, filename: str, *, url: str, reference: str, by: AbstractUser
) -> Source:
    """The same bytes are one source, whoever brings them again; its first citation stands."""
    source, is_new = Source.objects.get_or_create(
        sha256=sha256,
        defaults={
            "filename": _file_name(filename),
            "size": size,
            "url": url,
            "reference": reference,
            "uploaded_by": by.get_username(),
            "uploaded_at": timezone.now(),
        },
    )
    if is_new:
        for number, piece in enumerate(pieces(content)):
            SourcePart.objects.create(source=source, number=number, content=piece)
    return source


def _file_name(name: str) -> str:
    """Without directories, and without what a database cannot hold."""
    bare = name.replace("\\", "/").rsplit("/", 1)[-1].replace("\0", "")
    return bare.encode(errors="replace").decode()[-250:] or "unnamed"
