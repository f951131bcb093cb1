"""Taking a live page back: the release stays sealed, its address tells why it is gone."""

from django.contrib.auth.models import AbstractUser
from django.utils import timezone

from ranking.actions import publish
from ranking.models import Publication
from ranking.models.releases import PublicationState, ReleaseKind
from registry import audit
from registry.actions.base import Refused, action, says_something


def check(publication: Publication, by: AbstractUser) -> None:
    """Raise Refused where `by` may not withdraw it now. A superuser passes no rule of this either."""
    if publication.state != PublicationState.LIVE:
        raise Refused("not-live", f"Number {publication.number} is {publication.get_state_display()}, not live.")
    release = publication.release
    if release.kind != ReleaseKind.STATUS and release.sealed_by == by.get_username():
        raise Refused("own-seal", "You sealed this ranking; another person must withdraw it.")


@action("ranking.publish_release")
def withdraw(*, publication: Publication, by: AbstractUser, reason: str) -> Publication:
    """Leave a tombstone with who, when and why in place of the live page."""
    publish.lock(publication.collection)
    locked = Publication.objects.select_for_update(of=("self",)).select_related("release").get(pk=publication.pk)
    check(locked, by)
    if not says_something(reason):
        raise Refused("no-reason", "Say why it is withdrawn: the reason stands in place of the page.")
    locked.state = PublicationState.WITHDRAWN
    locked.withdrawn_by, locked.withdrawn_at, locked.withdrawal_reason = by.get_username(), timezone.now(), reason
    locked.save(update_fields=("state", "withdrawn_by", "withdrawn_at", "withdrawal_reason"))
    after = {"number": locked.number, "identifier": locked.identifier}
    audit.record("withdraw", locked.release, by=by, after=after, reason=reason)
    return locked
