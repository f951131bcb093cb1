"""The names of configurations in a batch that files do not find: over all of its rows, as the registry stands now."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple

from django.db.models import Count, F, Q, QuerySet, TextField
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast

from registry.importing.likeness import Likeness
from registry.importing.results.resource import PARTS
from registry.importing.subjects import Parts, Subject, all_of, all_subjects, named
from registry.models import ConfigurationAlias, ImportBatch
from registry.spelling import fault_of_alias
from registry.vocabulary import UNKNOWN, ImportKind, Verdict

NAMED = {ImportKind.RESULTS: ("configuration",), ImportKind.COMPARISONS: ("a", "b")}
"""The columns of the own layout that name a configuration."""
REASONS = ("unknown-configuration", "unreviewed-alias")
# Nobody mends more names than this by hand; the commonest are looked at.
MOST_NAMES = 500
# Of a large batch the first are looked at, or its page would take many seconds; what they leave, judging again shows.
MOST_ROWS = 10_000
MOST_CANDIDATES = 3


class Candidate(NamedTuple):
    """A configuration, the name of it that is meant, and why it may be."""

    subject: Subject
    name: str
    why: str


@dataclass(slots=True)
class Unresolved:
    """A name, or the parts of a configuration, and how many refused rows give it."""

    name: str
    rows: int
    parts: Parts | None = None
    alias: ConfigurationAlias | None = None
    """What it is proposed to mean."""
    resolved: Subject | None = None
    """What it means by now: judged again, these rows are read otherwise."""
    fault: str = ""
    """Why it can never be an alias."""
    candidates: list[Candidate] = field(default_factory=list)

    @property
    def is_open(self) -> bool:
        """Nobody has proposed anything yet."""
        return self.parts is None and self.alias is None and self.resolved is None and not self.fault


@dataclass(frozen=True, slots=True)
class Names:
    """The commonest first. What each may mean is asked for the few that are shown."""

    found: list[Unresolved]
    subjects: Mapping[str, Subject]
    is_whole: bool = True
    """False where more rows are refused for a name than are looked at."""

    def with_candidates(self, shown: list[Unresolved]) -> list[Unresolved]:
        if not any(each.is_open for each in shown):
            return shown
        likeness = Likeness(self.subjects, all_of(self.subjects))
        for each in shown:
            if each.is_open:
                each.candidates = list(islice(self._candidates(likeness, each.name), MOST_CANDIDATES))
        return shown

    def _candidates(self, likeness: Likeness, text: str) -> Iterator[Candidate]:
        """Each configuration once, by the name of it that is likeliest."""
        seen: set[int] = set()
        for name, why in likeness.of(text).items():
            subject = self.subjects[name]
            if subject.pk not in seen:
                seen.add(subject.pk)
                yield Candidate(subject, name, why)


def unresolved(batch: ImportBatch) -> Names:
    """Of the rows that are refused for a name; nothing is asked where no row is refused."""
    if batch.read_as_id or not batch.counts.get(Verdict.REFUSED.value):
        return Names([], {})
    subjects, _ = named(all_subjects())
    rows = rows_refused_for(batch)
    beyond = next(iter(rows.order_by("line").values_list("line", flat=True)[MOST_ROWS : MOST_ROWS + 1]), None)
    rows = rows.filter(line__lt=beyond) if beyond else rows
    found = [*_by_name(batch, rows, subjects), *_by_parts(batch, rows, subjects)]
    return Names(sorted(found, key=lambda each: (-each.rows, each.name)), subjects, is_whole=beyond is None)


def rows_refused_for(batch: ImportBatch) -> "QuerySet[Any]":
    """The rows in whose way a name stands."""
    told = batch.staged.filter(verdict=Verdict.REFUSED).alias(told=Cast("problems", TextField()))
    which = Q()
    for reason in REASONS:
        which |= Q(told__contains=f'"{reason}"')
    rows: QuerySet[Any] = told.filter(which).order_by()
    return rows


def _by_name(batch: ImportBatch, rows: "QuerySet[Any]", subjects: Mapping[str, Subject]) -> Iterator[Unresolved]:
    counted: Counter[str] = Counter()
    for column in NAMED[ImportKind(batch.kind)]:
        counted.update(dict(_counted(rows, column)))
    aliases = ConfigurationAlias.objects.filter(reviewed_at=None).select_related("configuration")
    waiting = {alias.name: alias for alias in aliases.filter(name__in=counted)}
    keys = {subject.key for subject in subjects.values()} if batch.kind == ImportKind.COMPARISONS else set()
    for name, count in counted.items():
        # The other side of a comparison is known, and stands there by its key.
        if name not in keys:
            alias, meant = waiting.get(name), subjects.get(name)
            yield Unresolved(name, count, alias=alias, resolved=meant, fault="" if meant else fault_of_alias(name))


def _by_parts(batch: ImportBatch, rows: "QuerySet[Any]", subjects: Mapping[str, Subject]) -> Iterator[Unresolved]:
    """Rows of results that give a configuration by what it is made of."""
    if batch.kind != ImportKind.RESULTS:
        return
    known = {subject.parts: subject for subject in subjects.values()}
    for *said, count in _counted(rows.filter(values__configuration__isnull=True), *PARTS):
        maker, model, harness, effort = (part or UNKNOWN for part in said)
        parts = (maker, model, harness, effort)
        yield Unresolved(" / ".join(parts), count, parts=parts, resolved=known.get(parts))


def _counted(rows: "QuerySet[Any]", *columns: str) -> Iterator[tuple[Any, ...]]:
    """What stands in these columns, as far as it could be read, with the number of rows."""
    said = {f"said_{column}": KeyTextTransform(column, "values") for column in columns}
    grouped = rows.annotate(**said).exclude(**{f"said_{columns[0]}": None})
    names = list(said)
    yield from grouped.values_list(*names).annotate(rows=Count("line")).order_by(F("rows").desc(), *names)[:MOST_NAMES]
