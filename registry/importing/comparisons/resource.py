"""The columns of comparisons.csv, declared once: the validator parses by them, the export writes them.

An export of the comparisons of one source holds the same columns, so that importing it changes nothing.
"""

from typing import ClassVar

from django.db.models import QuerySet
from import_export.resources import ModelResource

from registry.importing import cells
from registry.importing.columns import Column, declared
from registry.importing.headers import Header
from registry.importing.layouts import OwnLayout
from registry.models import Comparison
from registry.vocabulary import Outcome, ResultState, ShownOrder


def _side(name: str) -> Column:
    told = "Key or reviewed alias of the configuration on this side; never the same on both."
    return Column(f"{name}__key", cells.name, required=True, limit=250, help=told)


class ComparisonResource(ModelResource):
    """One active comparison a row."""

    comparison_id = Column(
        "comparison_id",
        cells.visible,
        required=True,
        limit=200,
        help="Tells the verdict from all others of its source.",
    )
    facet = Column(
        "task__facet__key",
        cells.name,
        required=True,
        limit=161,
        help="`collection/facet`; or the facet alone, where one collection has it.",
    )
    task = Column("task__key", cells.name, required=True, limit=120, help="Key of the task within the facet's plan.")
    a = _side("a")
    b = _side("b")
    outcome = Column("outcome", cells.one_of(*Outcome.values), required=True, help=f"{', '.join(Outcome.values)}.")
    judge = Column("judge__key", cells.name, required=True, limit=120, help="Key of who judged.")
    order = Column(
        "order",
        cells.one_of(*ShownOrder.values),
        help="`ab` where A was shown first, `ba` where B was; blank where nobody recorded it.",
    )
    judged_at = Column(
        "judged_at", cells.moment, help="ISO 8601 with its zone, from 2015-01-01 to now; exported in UTC."
    )
    lineage = Column(
        "lineage__key", cells.name, limit=120, help="Key of the stream it comes from; blank where it is our own."
    )
    raw_outcome = Column(
        "raw_outcome", cells.text, limit=60, help="The outcome as its source wrote it; blank: the cell of `outcome`."
    )

    class Meta:
        model = Comparison
        exclude: ClassVar[tuple[str, ...]] = ("id", "source", "batch", "line", "state")

    def get_export_order(self) -> list[str]:
        return list(COLUMNS)

    def filter_export(self, queryset: QuerySet[Comparison], **kwargs: object) -> QuerySet[Comparison]:
        return queryset.filter(state=ResultState.ACTIVE).select_related(
            "task__facet__collection", "a", "b", "judge", "lineage"
        )


COLUMNS = declared(ComparisonResource)
LAYOUT = OwnLayout(
    Header(
        needs=frozenset(name for name, column in COLUMNS.items() if column.required),
        knows=frozenset(COLUMNS),
    )
)
