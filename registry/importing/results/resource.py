"""The columns of results.csv, declared once: the validator parses by them, the export writes them, the docs list them.

An export holds the same columns, so that importing it changes nothing.
"""

from typing import Any, ClassVar

from django.db.models import QuerySet
from import_export.resources import ModelResource

from registry.importing import cells
from registry.importing.columns import Column, declared
from registry.models import Result
from registry.vocabulary import UNKNOWN, Absence, ResultState


def _part(attribute: str, what: str, blank: str | None = None) -> Column:
    return Column(
        f"configuration__{attribute}",
        cells.name,
        limit=120,
        blank=blank,
        help=f"{what} of the configuration. The parts look one up, or must agree with `configuration`.",
    )


def _statement(attribute: str, what: str) -> Column:
    return Column(
        f"contract__{attribute}",
        cells.name,
        limit=120,
        states=attribute.removesuffix("__key"),
        help=f"{what}. If given, it must equal the contract's.",
    )


class ResultResource(ModelResource):
    """One active result a row."""

    contract = Column("contract__key", cells.name, required=True, limit=120, help="Key of the metric contract.")
    configuration = Column(
        "configuration__key",
        cells.name,
        limit=250,
        help="Key or reviewed alias of the configuration; or blank, and the parts are given.",
    )
    organization = _part("model__organization__key", "Key of the maker")
    model = _part("model__key", "Key of the model release")
    harness = _part("harness", "Harness (blank: unknown)", blank=UNKNOWN)
    effort = _part("effort", "Reasoning effort (blank: unknown)", blank=UNKNOWN)
    value = Column(
        "value", cells.number, help="In the contract's unit, with a decimal point. Blank only with `absence`."
    )
    absence = Column(
        "absence", cells.one_of(*Absence.values), help=f"Why there is no value: {', '.join(Absence.values)}."
    )
    stderr = Column("stderr", cells.spread, help="Standard error, in the contract's unit.")
    sd = Column("sd", cells.spread, help="Standard deviation over runs; never used as a standard error.")
    n = Column("n", cells.count, help="Number of distinct tasks.")
    runs = Column("runs", cells.count, help="Number of runs.")
    lineage = _statement("lineage__key", "Key of the lineage")
    protocol = _statement("protocol__key", "Key of the protocol")
    unit = _statement("unit", "Unit of the value")
    direction = _statement("direction", "`higher` or `lower`, whichever is better")
    subject_kind = _statement("subject_kind", "Kind of subject that was measured")
    observed_on = Column("observed_on", cells.day, help="ISO date, from 2015-01-01 to today (UTC).")
    source_url = Column(
        "source_url",
        cells.address,
        limit=500,
        help="Where it was published, http(s). Required here or for the file as a whole; the row wins.",
    )
    source_ref = Column("source_ref", cells.visible, limit=250, help="Commit, page or row within the source.")
    external_id = Column("external_id", cells.visible, limit=200, help="Key of the result in its source.")
    notes = Column("notes", cells.text, help="Free text; every character is kept.")

    class Meta:
        model = Result
        # The other fields of the model; whatever is neither here nor above fails the test of the columns.
        exclude: ClassVar[tuple[str, ...]] = ("id", "source", "batch", "line", "state", "replaced_by")

    def get_export_order(self) -> list[str]:
        return list(COLUMNS)

    def filter_export(self, queryset: QuerySet[Result], **kwargs: Any) -> QuerySet[Result]:
        """Superseded and reverted rows stay behind: imported again, they would undo what came after them."""
        return queryset.filter(state=ResultState.ACTIVE).select_related(
            "contract__lineage", "contract__protocol", "configuration__model__organization"
        )


COLUMNS = declared(ResultResource)
STATEMENTS = {name: column.states for name, column in COLUMNS.items() if column.states}
PARTS = ("organization", "model", "harness", "effort")
