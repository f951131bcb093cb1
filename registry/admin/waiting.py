"""What waits for a person in the registry."""

from collections.abc import Iterator
from typing import Any

from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.timezone import localtime

from registry.actions.writing import WRITTEN
from registry.admin.queue import SHOWN, Cell, Section
from registry.importing.mending import BAD
from registry.models import ConfigurationAlias, ImportBatch, Job, RightsDecision, Suite
from registry.vocabulary import BatchStatus, JobStatus, RightsVerdict


def sections(request: HttpRequest) -> Iterator[Section]:
    if request.user.has_perm("registry.import_result"):
        yield _imports()
    if request.user.has_perm("registry.view_job"):
        yield _failed_jobs()
    if request.user.has_perm("registry.view_rightsdecision"):
        yield _rights()
    if request.user.has_perm("registry.view_configurationalias"):
        yield _aliases()


def when(moment: Any) -> str:
    """Absolute, with its time zone."""
    return date_format(localtime(moment), "DATETIME_FORMAT") if moment else ""


def address(record: Model) -> str:
    meta = record._meta
    return reverse(f"admin:{meta.app_label}_{meta.model_name}_change", args=(record.pk,))


def listing(model: type[Model], query: str = "") -> str:
    meta = model._meta
    return reverse(f"admin:{meta.app_label}_{meta.model_name}_changelist") + (f"?{query}" if query else "")


def adding(model: type[Model], query: str = "") -> str:
    meta = model._meta
    return reverse(f"admin:{meta.app_label}_{meta.model_name}_add") + (f"?{query}" if query else "")


def first(rows: "QuerySet[Any]") -> tuple[list[Any], int]:
    """The first rows and how many there are; one query where all are shown."""
    shown = list(rows[: SHOWN + 1])
    return (shown, len(shown)) if len(shown) <= SHOWN else (shown[:SHOWN], rows.count())


def _imports() -> Section:
    # Where all that a file says is stored already, nobody has anything to decide.
    nothing = {f"counts__{verdict.value}": 0 for verdict in (*WRITTEN, *BAD)}
    staged = ImportBatch.objects.filter(status=BatchStatus.STAGED).exclude(**nothing)
    batches, total = first(staged.select_related("source"))
    return Section(
        order=10,
        title="Imports waiting for a decision",
        columns=("File", "Rows", "Cannot be taken", "By", "Since"),
        rows=[
            (
                Cell(str(batch), address(batch)),
                Cell(str(batch.rows)),
                Cell(str(batch.counts.get("refused", 0) + batch.counts.get("conflict", 0))),
                Cell(batch.created_by),
                Cell(when(batch.created_at)),
            )
            for batch in batches
        ],
        total=total,
        url=listing(ImportBatch, "status__exact=staged"),
        empty="No import waits.",
        next_step=Cell("Import results", adding(ImportBatch)),
    )


def _failed_jobs() -> Section:
    jobs, total = first(Job.objects.filter(status=JobStatus.FAILED))
    return Section(
        order=60,
        title="Jobs that failed",
        columns=("Job", "About", "Tries", "What went wrong", "Ended"),
        rows=[
            (
                Cell(job.kind, address(job)),
                Cell(job.key),
                Cell(str(job.attempts)),
                Cell(job.error),
                Cell(when(job.finished_at)),
            )
            for job in jobs
        ],
        total=total,
        url=listing(Job, "status__exact=failed"),
        empty="No job has failed.",
    )


def _rights() -> Section:
    """Verdicts left open, and suites about which nobody decided anything, neither for them nor their publisher."""
    open_verdicts, total = first(
        RightsDecision.objects.filter(verdict=RightsVerdict.UNREVIEWED).select_related("publisher", "suite", "source")
    )
    silent, silent_total = first(
        Suite.objects.filter(rights__isnull=True, publisher__rights__isnull=True).select_related("publisher")
    )
    rows = [(Cell(str(found.publisher or found.suite or found.source), address(found)), Cell(found.get_use_display()),
             Cell("not reviewed")) for found in open_verdicts]  # fmt: skip
    rows += [(Cell(str(suite), adding(RightsDecision, f"suite={suite.pk}")), Cell("all"), Cell("nobody decided"))
             for suite in silent]  # fmt: skip
    return Section(
        order=70,
        title="Rights not reviewed",
        columns=("For", "Use", "State"),
        rows=rows[:SHOWN],
        total=total + silent_total,
        url=listing(RightsDecision, "verdict__exact=unreviewed"),
        empty="Every suite has its rights reviewed.",
    )


def _aliases() -> Section:
    aliases, total = first(
        ConfigurationAlias.objects.filter(reviewed_at__isnull=True).select_related("configuration__model")
    )
    return Section(
        order=80,
        title="Aliases not reviewed",
        columns=("Name in files", "Would mean"),
        rows=[(Cell(alias.name, address(alias)), Cell(str(alias.configuration))) for alias in aliases],
        total=total,
        url=listing(ConfigurationAlias, "reviewed_at__isempty=1"),
        empty="Every alias is reviewed: the names in files resolve.",
    )
