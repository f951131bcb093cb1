"""Rows of comparisons on the way into their staging table."""

from registry.importing.comparisons.lookups import Said
from registry.importing.comparisons.rows import ComparisonRow, Identity
from registry.importing.staged import Staging, Values
from registry.models import StagedComparison

_NOTHING = (None, None, None, "", "", "", None, None)


class StagedComparisons(Staging[Identity, Said]):
    model = StagedComparison
    own = (
        *("comparison_id", "raw_outcome"),
        *("task_id", "a_id", "b_id", "outcome", "judge", "order", "judged_at", "lineage_id"),
    )
    moment = own.index("judged_at")

    def fields(self, row: ComparisonRow) -> Values:
        return (row.identity or "", row.values.get("raw_outcome", ""), *(row.said or _NOTHING))
