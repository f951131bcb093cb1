"""Names by which files find configurations: proposed by whoever meets them, reviewed before they resolve anything."""

from django.contrib.auth.models import AbstractUser
from django.utils import timezone

from registry.actions import curate
from registry.actions.base import Refused, action, says_something
from registry.models import Configuration, ConfigurationAlias
from registry.spelling import composed

PROPOSE = "registry.add_configurationalias"
REVIEW = "registry.change_configurationalias"


@action(PROPOSE)
def propose_alias(*, name: str, configuration: Configuration, by: AbstractUser, reason: str = "") -> ConfigurationAlias:
    """Record that `name` may mean `configuration`; it resolves nothing before somebody reviews it.

    The same proposal twice is one. Raises ValidationError where the name cannot be an alias.
    """
    name = composed(name)
    if Configuration.objects.filter(key=name).exists():
        raise Refused("is-a-key", f"{name} is the key of a configuration: files find it already.")
    known = ConfigurationAlias.objects.select_related("configuration").filter(name=name).first()
    if known is None:
        return curate.save(obj=ConfigurationAlias(name=name, configuration=configuration, reason=reason), by=by)
    if known.configuration_id != configuration.pk:
        raise Refused("taken", f"{name} is recorded as an alias of {known.configuration.key} already.")
    return known


@action(REVIEW)
def review_alias(*, alias: ConfigurationAlias, by: AbstractUser, reason: str = "") -> ConfigurationAlias:
    """From now on the name means its configuration in every file."""
    alias = _locked(alias)
    if alias.reviewed_by:
        raise Refused("already-reviewed", f"{alias.name} was reviewed by {alias.reviewed_by} already.")
    alias.reviewed_by, alias.reviewed_at = by.get_username(), timezone.now()
    return curate.save(obj=alias, by=by, reason=reason)


@action(REVIEW)
def withdraw_review(*, alias: ConfigurationAlias, by: AbstractUser, reason: str) -> ConfigurationAlias:
    """The name resolves nothing any more; what was imported under it stays."""
    alias = _locked(alias)
    if not alias.reviewed_by:
        raise Refused("not-reviewed", f"Nobody has reviewed {alias.name}: it resolves nothing.")
    if not says_something(reason):
        raise Refused("reason-needed", "Withdrawing a review needs a reason.")
    alias.reviewed_by, alias.reviewed_at = "", None
    return curate.save(obj=alias, by=by, reason=reason)


def _locked(alias: ConfigurationAlias) -> ConfigurationAlias:
    found = ConfigurationAlias.objects.select_for_update().filter(pk=alias.pk).first()
    if found is None:
        raise Refused("gone", f"The alias {alias.name} was removed by somebody else.")
    return found
