"""Writing comparisons within the transaction of an import, and taking them back. They are never corrected."""

from collections.abc import Iterable

from django.contrib.auth.models import AbstractUser
from django.db.models import Q, QuerySet

from registry import audit
from registry.actions.base import permit
from registry.actions.moving import move
from registry.actions.writing import Reach
from registry.importing.chunks import chunks
from registry.importing.comparisons.staged import StagedComparisons
from registry.models import Collection, Comparison, ImportBatch, Judge, Source, StagedComparison, Task
from registry.vocabulary import BatchStatus, ResultState, Verdict
from registry.wording import counted


class _Comparisons:
    """Touched are the tasks."""

    def touched(self, batch: ImportBatch) -> set[int]:
        rows = batch.comparisons.order_by() if batch.status == BatchStatus.APPLIED else _new(batch)
        return set(rows.values_list("task", flat=True).distinct())

    def lock(self, batch: ImportBatch) -> None:
        """By the source, whose bytes name the identities, and by the tasks, on which a judge may contradict himself."""
        Source.objects.select_for_update().get(pk=batch.source_id)
        _lock(self.touched(batch))

    def write(self, batch: ImportBatch, *, by: AbstractUser, reason: str) -> set[int]:
        _record_judges(batch, by=by, reason=reason)
        columns = {name: f'staged."{name}"' for name in StagedComparisons.own if name != "judge"}
        known = f"JOIN {Judge._meta.db_table} AS judge ON judge.key = staged.judge"
        move(batch, StagedComparison, Comparison, columns | {"judge_id": "judge.id"}, known)
        return self.touched(batch)

    def take_back(self, batch: ImportBatch, *, by: AbstractUser, reason: str) -> set[int]:
        """Nothing stands on a comparison, so that nothing can stand in the way. Judges stay."""
        tasks = self.touched(batch)
        _lock(tasks)
        batch.comparisons.filter(state=ResultState.ACTIVE).update(state=ResultState.REVERTED)
        return tasks

    def reach(self, batch: ImportBatch) -> Reach:
        return Reach(counted(batch.comparisons.filter(state=ResultState.ACTIVE).count(), "comparison"), 0)

    def collections(self, touched: Iterable[int]) -> Iterable[str]:
        """Those whose plan holds one of the tasks, or a task that is the same as one."""
        tasks = Task.objects.filter(Q(pk__in=list(touched)) | Q(same_as__in=list(touched)))
        planned = Collection.objects.filter(facets__tasks__in=tasks)
        return planned.order_by("slug").values_list("slug", flat=True).distinct()


WRITING = _Comparisons()


def _lock(tasks: Iterable[int]) -> None:
    list(Task.objects.select_for_update().filter(pk__in=list(tasks)).order_by("pk"))


def _new(batch: ImportBatch) -> "QuerySet[StagedComparison]":
    return StagedComparison.objects.filter(batch=batch, verdict=Verdict.NEW).order_by()


def _record_judges(batch: ImportBatch, *, by: AbstractUser, reason: str) -> None:
    """Who is not recorded yet is a person: only a profile that says so lets such a row through."""
    named = _new(batch).exclude(judge__in=Judge.objects.values("key"))
    for keys in chunks(sorted(named.values_list("judge", flat=True).distinct())):
        permit(by, "registry.add_judge")
        # Another file may record the same people at this moment; whoever comes second finds them there.
        Judge.objects.bulk_create([Judge(key=key, person=True) for key in keys], ignore_conflicts=True)
        judges = Judge.objects.filter(key__in=keys).order_by("key")
        audit.record_all("add", ((judge, None, audit.state_of(judge)) for judge in judges), by=by, reason=reason)
