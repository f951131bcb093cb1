"""Rows of results on the way into their staging table."""

from registry.importing.results.lookups import Identity, Said
from registry.importing.results.rows import ResultRow
from registry.importing.staged import Staging, Values
from registry.models import StagedResult

_NOWHERE = (None, None, "", "", "")
_NOTHING = Said(None, "", None, None, None, None, None, "")


class StagedResults(Staging[Identity, Said]):
    model = StagedResult
    own = ("contract_id", "configuration_id", "source_url", "source_ref", "external_id", *Said._fields)
    moment = own.index("observed_on")

    def fields(self, row: ResultRow) -> Values:
        return (*(row.identity or _NOWHERE), *(row.said or _NOTHING))
