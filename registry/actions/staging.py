"""Keeping a file and its rows within the transaction that stages them."""

import hashlib
from collections import Counter
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.utils import timezone

from registry.importing.chunks import chunks
from registry.importing.examination import Examination
from registry.importing.judging import Judged
from registry.models import ImportBatch, Source, StagedRow
from registry.vocabulary import Verdict


def keep_source(content: bytes, filename: str, *, url: str, reference: str, by: AbstractUser) -> Source:
    """The same bytes are one source, whoever brings them again; its first citation stands."""
    source, _ = Source.objects.get_or_create(
        sha256=hashlib.sha256(content).hexdigest(),
        defaults={
            "filename": _file_name(filename),
            "size": len(content),
            "content": content,
            "url": url,
            "reference": reference,
            "uploaded_by": by.get_username(),
            "uploaded_at": timezone.now(),
        },
    )
    return source


def _file_name(name: str) -> str:
    """Without directories, and without what a database cannot hold."""
    bare = name.replace("\\", "/").rsplit("/", 1)[-1].replace("\0", "")
    return bare.encode(errors="replace").decode()[-250:] or "unnamed"


def keep_rows(batch: ImportBatch, found: Examination) -> dict[str, int]:
    """Keep each row with its verdict; how many have which. Of a file refused as a whole, none is judged or kept."""
    if found.problems:
        return _counts(Counter({Verdict.REFUSED: found.rows}))
    counts: Counter[Verdict] = Counter()
    for some in chunks(found.judged()):
        StagedRow.objects.bulk_create(_staged(batch, judged) for judged in some)
        counts.update(judged.verdict for judged in some)
    return _counts(counts)


def _counts(counts: Counter[Verdict]) -> dict[str, int]:
    return {verdict.value: counts[verdict] for verdict in Verdict}


def _staged(batch: ImportBatch, judged: Judged[Any]) -> StagedRow:
    return StagedRow(
        batch=batch,
        line=judged.row.line,
        raw=judged.row.raw,
        values=judged.row.values,
        verdict=judged.verdict,
        problems=[problem.as_json() for problem in judged.problems],
    )
