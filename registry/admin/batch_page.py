"""What the page of a batch shows: its rows, the names it does not find, and what can be done with it."""

from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Page, Paginator
from django.http import HttpRequest
from django.urls import reverse

from registry.actions import imports
from registry.actions.judging_again import JUDGED_AGAIN
from registry.actions.names import REVIEW
from registry.actions.reading import APPLY_IMPORT, READ_IMPORT, TRIED_ROWS
from registry.actions.writing import WRITTEN
from registry.admin import confirm
from registry.admin.staged import TELLING, rows, shown
from registry.admin.uploads import AgainForm
from registry.exchange.dumping import value_as_yaml
from registry.importing.formats import FORMATS
from registry.importing.kinds import KINDS
from registry.importing.mending import BAD, bad_rows
from registry.importing.report import skip_reasons
from registry.importing.unresolved import Unresolved, unresolved
from registry.importing.uses import layout_of
from registry.models import AuditEvent, ConfigurationAlias, ImportBatch, Job, MappingProfile
from registry.standing import of_batch
from registry.vocabulary import BatchMode, BatchStatus, ImportKind, Verdict

IMPORT = "registry.import_result"
PER_PAGE = 50
NAMES_PER_PAGE = 20
BAD_LINES = 10


class Pages(Paginator):  # type: ignore[type-arg]
    """How many rows have which verdict the batch knows already."""

    def __init__(self, batch: ImportBatch, verdict: str) -> None:
        super().__init__(rows(batch, verdict), PER_PAGE)
        known = batch.counts.get(verdict) if verdict in Verdict.values else batch.rows
        self._known = 0 if batch.problems else known or 0

    @property
    def count(self) -> int:
        return self._known


def batch_context(batch: ImportBatch, request: HttpRequest) -> dict[str, Any]:
    verdict = request.GET.get("verdict", "")
    page = Pages(batch, verdict).get_page(request.GET.get("p"))
    layout = layout_of(batch) if batch.profile_key else None
    profile = MappingProfile.objects.filter(key=batch.profile_key).first() if batch.profile_key else None
    return {
        "batch": batch,
        "format": FORMATS[batch.format].label if batch.format in FORMATS else "to be recognised",
        "counts": [(word, word.label, batch.counts.get(word.value, 0)) for word in Verdict],
        "verdict": verdict,
        "page": page,
        "columns": TELLING[ImportKind(batch.kind)],
        "rows": [shown(row, batch, layout) for row in page.object_list],
        "profile": profile,
        "read_otherwise": bool(batch.profile_key) and (profile is None or profile.version != batch.profile_version),
        "spec": value_as_yaml(batch.spec) if batch.spec else "",
        "work": _work(batch),
        "refresh_seconds": confirm.REFRESH_SECONDS,
        "skipped": list(skip_reasons(batch).items()) if batch.counts.get("skipped") else [],
        "counting": of_batch(batch) if _is_looked_at(batch) else [],
        **_bad(batch),
        **_unread(batch, request),
        **_choices(batch, request),
        **_names(batch, request),
    }


def _is_looked_at(batch: ImportBatch) -> bool:
    """Its results are judged anew for the page."""
    return (batch.status, batch.kind) == (BatchStatus.APPLIED, ImportKind.RESULTS) and batch.rows <= TRIED_ROWS


def _bad(batch: ImportBatch) -> dict[str, Any]:
    """Where the first rows stand that cannot be taken, so that nobody turns pages for them."""
    count = 0 if batch.problems else sum(batch.counts.get(verdict, 0) for verdict in BAD)
    lines = [(row.line, row.verdict) for row in bad_rows(batch)[:BAD_LINES]] if count else []
    good = sum(batch.counts.get(verdict, 0) for verdict in WRITTEN)
    return {"has_bad_rows": count > 0, "bad_lines": lines, "more_bad": count - len(lines), "good": good}


def _unread(batch: ImportBatch, request: HttpRequest) -> dict[str, Any]:
    """What would read a file that was refused as a whole: a profile for its format, or another kind of import."""
    found = {problem["value"] for problem in batch.problems if problem["reason"] == "other-format"}
    profiles = MappingProfile.objects.filter(kind=batch.kind) if found else ()
    may = bool(batch.problems and batch.header and not batch.profile_key and request.user.has_perm(IMPORT))
    others = (each for kind, each in KINDS.items() if kind != batch.kind) if may else ()
    fits = [kind.name.value for kind in others if not kind.own.header.problems(batch.header)]
    return {
        "reading_profiles": [profile for profile in profiles if profile.spec.get("format") in found],
        "fitting_kinds": [(kind, _upload(kind=kind)) for kind in fits],
    }


def _work(batch: ImportBatch) -> Job | None:
    """The job that a batch waits for."""
    kind = {BatchStatus.READING: READ_IMPORT, BatchStatus.APPLYING: APPLY_IMPORT}.get(BatchStatus(batch.status))
    return Job.objects.filter(kind=kind, key=str(batch.pk)).first() if kind else None


def _choices(batch: ImportBatch, request: HttpRequest) -> dict[str, Any]:
    """What this person may do with the batch as it stands."""
    may = request.user.has_perm
    hindrance = imports.hindrance(batch)
    applied = batch.status == BatchStatus.APPLIED
    may_import = may(IMPORT)
    nothing_new = batch.status == BatchStatus.STAGED and not any(
        batch.counts.get(verdict) for verdict in (*WRITTEN, *BAD)
    )
    again = may_import and batch.status in JUDGED_AGAIN
    return {
        "hindrance": hindrance,
        "nothing_new": nothing_new and not hindrance,
        "apply_url": _asks("apply-import", batch)
        if may("registry.apply_importbatch") and not (hindrance or nothing_new)
        else "",
        "stored_url": _stored(batch) if applied else "",
        "revert_url": _asks("revert-batch", batch) if may("registry.revert_importbatch") and applied else "",
        "may_discard": may_import and batch.status in imports.DISCARDABLE,
        "again": AgainForm(batch) if again else None,
        "may_leave": again and batch.mode == BatchMode.ALL_OR_NOTHING,
        "mended_url": _mended(batch) if again else "",
        "profile_url": _profile(batch) if again and may("registry.add_mappingprofile") else "",
    }


def _asks(decision: str, batch: ImportBatch) -> str:
    return confirm.address(decision, batch=batch.pk)


def _stored(batch: ImportBatch) -> str:
    """What it stored, in the list of results or comparisons."""
    model = {ImportKind.RESULTS: "result", ImportKind.COMPARISONS: "comparison"}[ImportKind(batch.kind)]
    return f"{reverse(f'admin:registry_{model}_changelist')}?{urlencode({'batch__id__exact': batch.pk})}"


def _mended(batch: ImportBatch) -> str:
    """The upload, with what was chosen for this file."""
    chosen = {"profile": batch.profile_key, "source_url": batch.source_url, "source_ref": batch.source_ref}
    given = {"kind": batch.kind, "mode": batch.mode, **chosen}
    return _upload(**given)


def _upload(**given: str) -> str:
    query = urlencode({name: value for name, value in given.items() if value})
    return f"{reverse('admin:registry_importbatch_add')}?{query}"


def _profile(batch: ImportBatch) -> str:
    """A new profile that starts with the columns of a file which is in nobody's layout."""
    if not batch.header or not batch.problems or batch.profile_key:
        return ""
    return f"{reverse('admin:registry_mappingprofile_add')}?{urlencode({'batch': batch.pk})}"


def _names(batch: ImportBatch, request: HttpRequest) -> dict[str, Any]:
    """Names that can still be mended; candidates only for those on the page."""
    if batch.status not in JUDGED_AGAIN:
        return {}
    names = unresolved(batch)
    page: Page[Unresolved] = Paginator(names.found, NAMES_PER_PAGE).get_page(request.GET.get("names"))
    shown_names = names.with_candidates(list(page.object_list))
    proposed = _proposed(shown_names)
    waiting = [each.alias.pk for each in shown_names if each.alias and not each.resolved]
    return {
        "waiting": len(waiting),
        "review_url": confirm.address("review-aliases", aliases=waiting)
        if waiting and request.user.has_perm(REVIEW)
        else "",
        "names": [(each, proposed.get(each.alias.pk) if each.alias else None) for each in shown_names],
        "names_page": page,
        "names_whole": names.is_whole,
        "names_rows": sum(each.rows for each in names.found),
        "names_resolved": sum(each.rows for each in names.found if each.resolved),
    }


def _proposed(names: list[Unresolved]) -> dict[int, AuditEvent]:
    """Who proposed each alias, and when."""
    pks = [str(each.alias.pk) for each in names if each.alias]
    label = ConfigurationAlias._meta.label_lower
    events = AuditEvent.objects.filter(object_type=label, object_id__in=pks, verb="add") if pks else ()
    return {int(event.object_id): event for event in events}
