"""Gate policies: the first of an edition is loaded, a revision is drafted by one person and approved by another."""

from typing import Any

from django.contrib.auth.models import AbstractUser
from django.utils import timezone

from ranking.models import GatePolicy
from ranking.models.gates import PolicyState
from ranking.policies import active
from registry import audit
from registry.actions.base import Refused, action, says_something
from registry.actions.evidence_changed import announce
from registry.models import Edition
from registry.spelling import fault_of_text

Thresholds = dict[str, Any]
LARGEST = 1_000_000_000


@action("ranking.add_gatepolicy")
def load_policy(
    *, edition: Edition, version: int, title: str, thresholds: Thresholds, reason: str, by: AbstractUser
) -> GatePolicy:
    """The first policy of an edition, in force at once; the stored one when it says the same.

    A stored version is never rewritten, and a revision takes a person other than its author: both are refused here.
    """
    check_thresholds(thresholds)
    stored = GatePolicy.objects.filter(edition=edition, version=version).first()
    if stored is not None:
        if (stored.title, stored.thresholds, stored.reason) != (title, thresholds, reason):
            raise Refused("policy-differs", f"Policy {stored} is stored as something else; revise it by a new version.")
        return stored
    if GatePolicy.objects.filter(edition=edition).exists():
        raise Refused("policy-exists", f"Edition {edition} has a policy; only its first one can be loaded.")
    policy = GatePolicy(edition=edition, version=version, title=title, thresholds=thresholds, reason=reason)
    policy.state, policy.drafted_by, policy.drafted_at = PolicyState.ACTIVE, by.get_username(), timezone.now()
    policy.full_clean()
    policy.save(force_insert=True)
    audit.record("add", policy, by=by, after=audit.state_of(policy), reason=reason)
    announce(edition.collections.values_list("slug", flat=True))
    return policy


@action("ranking.add_gatepolicy")
def draft_policy(*, edition: Edition, title: str, thresholds: Thresholds, reason: str, by: AbstractUser) -> GatePolicy:
    """A new version, with the reason for it. It judges nothing before another person approves it."""
    check_thresholds(thresholds)
    if not says_something(reason):
        raise Refused("no-reason", "Say why the thresholds change: the reason stays with the version.")
    newest = GatePolicy.objects.select_for_update().filter(edition=edition).order_by("-version").first()
    if newest is None:
        raise Refused("no-policy", f"Edition {edition} has no policy to revise; load its first one.")
    if newest.state == PolicyState.DRAFT:
        told = (
            f"{newest.name} waits: a publisher puts it in force, or an editor discards it, before another is drafted."
        )
        raise Refused("draft-waiting", told)
    policy = GatePolicy(
        edition=edition,
        version=newest.version + 1,
        title=title,
        thresholds=thresholds,
        reason=reason,
        state=PolicyState.DRAFT,
        drafted_by=by.get_username(),
        drafted_at=timezone.now(),
    )
    policy.full_clean()
    policy.save(force_insert=True)
    audit.record("add", policy, by=by, after=audit.state_of(policy), reason=reason)
    return policy


def waiting_draft(edition: Edition) -> GatePolicy | None:
    """The one that waits to be put in force or discarded."""
    return GatePolicy.objects.filter(edition=edition, state=PolicyState.DRAFT).select_related("edition").first()


def may_start(policy: GatePolicy) -> bool:
    """Can a draft start from it? From the version in force, and from what was discarded since: typing is not lost."""
    standing = active(policy.edition)
    is_later = standing is None or policy.version > standing.version
    return policy == standing or (policy.state == PolicyState.DISCARDED and is_later)


def check_draft(policy: GatePolicy) -> None:
    """Raise Refused where it is no draft any more, or never was."""
    if policy.state != PolicyState.DRAFT:
        raise Refused("not-a-draft", f"Policy {policy} is {policy.get_state_display()}.")


def check_approval(policy: GatePolicy, by: AbstractUser) -> None:
    """Raise Refused where `by` may not put this draft in force. A superuser passes no rule of this either."""
    check_draft(policy)
    if policy.drafted_by == by.get_username():
        raise Refused("own-draft", "You drafted this policy; another person must approve it.")


@action("ranking.publish_release")
def approve_policy(*, policy: GatePolicy, by: AbstractUser, reason: str) -> GatePolicy:
    """Put a draft in force; the one before it retires. Evaluations under that one stay as they were."""
    draft = GatePolicy.objects.select_for_update(of=("self",)).select_related("edition").get(pk=policy.pk)
    check_approval(draft, by)
    for old in GatePolicy.objects.select_for_update().filter(edition=draft.edition, state=PolicyState.ACTIVE):
        _move(old, PolicyState.RETIRED, by, reason)
    draft.approved_by, draft.approved_at = by.get_username(), timezone.now()
    _move(draft, PolicyState.ACTIVE, by, reason)
    announce(draft.edition.collections.values_list("slug", flat=True))
    return draft


@action("ranking.add_gatepolicy")
def discard_policy(*, policy: GatePolicy, by: AbstractUser, reason: str) -> GatePolicy:
    """Let a draft go; it stays for the record, and another can be drafted."""
    draft = GatePolicy.objects.select_for_update(of=("self",)).select_related("edition").get(pk=policy.pk)
    check_draft(draft)
    if not says_something(reason):
        raise Refused("no-reason", "Say why the draft is discarded: the reason stays in the history.")
    _move(draft, PolicyState.DISCARDED, by, reason)
    return draft


def _move(policy: GatePolicy, state: PolicyState, by: AbstractUser, reason: str) -> None:
    before, policy.state = policy.state, state
    policy.save(update_fields=("state", "approved_by", "approved_at"))
    audit.record("change", policy, by=by, before={"state": before}, after={"state": str(state)}, reason=reason)


def check_thresholds(thresholds: Thresholds) -> None:
    """Every threshold has a value and the reason for it; a gate without reasons could not be defended."""
    if not isinstance(thresholds, dict) or not thresholds:
        raise Refused("bad-threshold", "Thresholds must be names, each with a value and a reason.")
    for name, threshold in thresholds.items():
        if not isinstance(threshold, dict) or set(threshold) != {"value", "reason"}:
            raise Refused("bad-threshold", f"Threshold {name!r} must have a value and a reason and nothing else.")
        if not isinstance(threshold["reason"], str) or not says_something(threshold["reason"]):
            raise Refused("bad-threshold", f"Threshold {name!r} needs its reason in words.")
        if not _is_value(threshold["value"]):
            number = f"a number of at least 0 and at most {LARGEST:,}"
            told = f"must be {number}, a list of words, or names with words and such numbers"
            raise Refused("bad-threshold", f"Threshold {name!r} {told}.")


def _is_value(value: Any) -> bool:
    """A number, a list of words, or named terms that are numbers or words."""
    if isinstance(value, list):
        return all(_is_word(word) for word in value)
    if isinstance(value, dict):
        return bool(value) and all(map(_is_word, value)) and all(_is_word(v) or _is_number(v) for v in value.values())
    return _is_number(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= LARGEST


def _is_word(value: Any) -> bool:
    return isinstance(value, str) and says_something(value) and not fault_of_text(value)
