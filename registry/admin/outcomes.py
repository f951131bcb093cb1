"""What the outcome pages of the registry's decisions have to tell."""

from registry.admin.confirm import Detail, outcome_of
from registry.admin.waiting import address
from registry.confirm import Outcome
from registry.models import ConfigurationAlias, Exclusion, ImportBatch
from registry.vocabulary import BatchStatus


@outcome_of("apply-import")
@outcome_of("revert-batch")
def imported(outcome: Outcome) -> Detail:
    """Waits for the worker where it was left to it."""
    batch = ImportBatch.objects.get(pk=outcome["batch"])
    links = [("Import batch", address(batch))]
    if batch.status == BatchStatus.APPLYING:
        return Detail("The worker applies it, all of it or nothing.", links=links, waiting=True)
    if batch.status == BatchStatus.STAGED:
        return Detail(batch.reason, title=f"Batch {batch.pk} was not applied", links=links)
    told = "The gates of the collections it reaches are asked again by themselves."
    return Detail(told, title=f"Batch {batch.pk} is {batch.get_status_display()}", links=links)


@outcome_of("exclude")
@outcome_of("lift-exclusion")
def excluded(outcome: Outcome) -> Detail:
    exclusion = Exclusion.objects.get(pk=outcome["exclusion"])
    return Detail("It stands in the ledger with its reason.", links=[("Exclusion", address(exclusion))])


@outcome_of("review-aliases")
@outcome_of("withdraw-alias-review")
def named(outcome: Outcome) -> Detail:
    """Leads on to the batches that wait for the names."""
    aliases = ConfigurationAlias.objects.filter(pk__in=outcome.get("aliases", ())).order_by("name")
    links = [(f"Alias {alias.name}", address(alias)) for alias in aliases]
    batches = ImportBatch.objects.filter(pk__in=outcome.get("batches", ()))
    links += [(f"Judge batch {batch.pk} again", f"{address(batch)}#again") for batch in batches]
    told = "Batches that wait stay as they were judged until they are judged again." if batches else ""
    return Detail(told, links=links)
