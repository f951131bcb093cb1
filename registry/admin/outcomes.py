"""What the outcome pages of the registry's decisions have to tell."""

from registry.admin.confirm import Detail, outcome_of
from registry.admin.waiting import address
from registry.confirm import Outcome
from registry.models import Exclusion, ImportBatch


@outcome_of("apply-import")
@outcome_of("revert-batch")
def imported(outcome: Outcome) -> Detail:
    batch = ImportBatch.objects.defer("source__content").get(pk=outcome["batch"])
    told = "The gates of the collections it reaches are asked again by themselves."
    return Detail(told, links=[("Import batch", address(batch))])


@outcome_of("exclude")
@outcome_of("lift-exclusion")
def excluded(outcome: Outcome) -> Detail:
    exclusion = Exclusion.objects.get(pk=outcome["exclusion"])
    return Detail("It stands in the ledger with its reason.", links=[("Exclusion", address(exclusion))])
