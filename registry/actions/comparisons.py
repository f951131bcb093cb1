"""Writing comparisons within the transaction of an import, and taking them back. They are never corrected."""

from collections.abc import Iterable

from django.contrib.auth.models import AbstractUser
from django.db.models import Q

from registry import audit
from registry.actions.base import permit
from registry.actions.writing import Reach
from registry.importing.comparisons.verdicts import Judged
from registry.models import Collection, Comparison, ImportBatch, Judge, Source, Task
from registry.vocabulary import ResultState, Verdict
from registry.wording import counted


class _Comparisons:
    """Touched are the tasks."""

    def lock(self, batch: ImportBatch) -> None:
        """By the source, whose bytes name the identities, and by the tasks, on which a judge may contradict himself."""
        Source.objects.select_for_update().only("pk").get(pk=batch.source_id)
        named = batch.staged.filter(verdict=Verdict.NEW).order_by()
        keys = set(named.values_list("values__task", flat=True).distinct())
        _lock(Task.objects.filter(key__in=keys).values_list("pk", flat=True))

    def write(self, batch: ImportBatch, rows: list[Judged], *, by: AbstractUser, reason: str) -> set[int]:
        judges = _judges({judged.row.said.judge for judged in rows if judged.row.said}, by=by, reason=reason)
        stored = Comparison.objects.bulk_create([_comparison(batch, judged, judges) for judged in rows])
        return {comparison.task_id for comparison in stored}

    def take_back(self, batch: ImportBatch, *, by: AbstractUser, reason: str) -> set[int]:
        """Nothing stands on a comparison, so that nothing can stand in the way. Judges stay."""
        tasks = set(batch.comparisons.order_by().values_list("task", flat=True).distinct())
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


def _judges(keys: set[str], *, by: AbstractUser, reason: str) -> dict[str, int]:
    """Ids by key. Who is not recorded yet is a person: only a profile that says so lets such a row through."""
    known = dict(Judge.objects.filter(key__in=keys).values_list("key", "pk"))
    if missing := sorted(keys - known.keys()):
        permit(by, "registry.add_judge")
        # Another file may record the same people at this moment; whoever comes second finds them there.
        Judge.objects.bulk_create([Judge(key=key, person=True) for key in missing], ignore_conflicts=True)
        for judge in Judge.objects.filter(key__in=missing).order_by("key"):
            audit.record("add", judge, by=by, after=audit.state_of(judge), reason=reason)
            known[judge.key] = judge.pk
    return known


def _comparison(batch: ImportBatch, judged: Judged, judges: dict[str, int]) -> Comparison:
    row = judged.row
    assert row.identity is not None
    assert row.said is not None
    said = row.said
    return Comparison(
        batch=batch,
        source_id=batch.source_id,
        line=row.line,
        comparison_id=row.identity,
        task_id=said.task,
        a_id=said.a,
        b_id=said.b,
        outcome=said.outcome,
        raw_outcome=row.values["raw_outcome"],
        judge_id=judges[said.judge],
        order=said.order,
        judged_at=said.judged_at,
        lineage_id=said.lineage,
    )
