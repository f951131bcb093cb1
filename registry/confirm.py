"""Consequences before decisions: the one mechanism behind every confirm page.

A `Decision` can tell its plan and carry itself out. The page shows the plan and holds a signed ticket with what was
shown. On confirm, in one transaction: the ticket's nonce is claimed (a second post finds it and gets the first
outcome), the decision locks what it touches, checks permission and state again and builds its plan again; a plan
that differs from the one shown is refused with what changed.
"""

import json
import uuid
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar, get_type_hints

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.core import signing
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.module_loading import import_string

from registry import audit
from registry.actions.base import Refused, check_text, permit, says_something
from registry.models import Confirmation
from registry.spelling import is_number

SALT = "registry.confirm"
TICKET_SECONDS = 12 * 3600

Facts = dict[str, Any]
Outcome = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Consequence:
    """One heading of the page and its rows: what it is about, what is there now, what would be."""

    heading: str
    rows: Sequence[tuple[str, str, str]]
    columns: tuple[str, str, str] = ("What", "Now", "Would be")

    @property
    def shown(self) -> list[tuple[str, ...]]:
        """The headings and the rows, without a column in which nothing stands."""
        table = [self.columns, *self.rows]
        filled = [place for place in range(3) if place == 0 or any(row[place] for row in self.rows)]
        return [tuple(row[place] for place in filled) for row in table]


@dataclass(frozen=True, slots=True)
class Plan:
    """What a confirm page says. `facts` are the data it rests on: when they differ, the plan is stale."""

    verb: str
    object: str
    total: str
    consequences: Sequence[Consequence]
    stays: str
    undo: str
    facts: Facts = field(default_factory=dict)


class Decision(ABC):
    """Something that asks before it is done. Subclasses are dataclasses whose fields are JSON values."""

    name: ClassVar[str]
    level: ClassVar[int]
    permission: ClassVar[str]

    @property
    @abstractmethod
    def object_key(self) -> str:
        """What is typed to confirm at level 2 and above, and what the record of the decision is filed under."""

    @abstractmethod
    def lock(self) -> None:
        """Lock the rows it touches, so that the plan built next stays true until it is done."""

    @abstractmethod
    def plan(self, by: AbstractUser) -> Plan:
        """What it would do; raises Refused where it cannot be done."""

    def facts(self, by: AbstractUser) -> Facts:
        """What the plan rests on, asked again under the lock. Where planning is dear, this need not be."""
        return self.plan(by).facts

    @abstractmethod
    def execute(self, by: AbstractUser, reason: str) -> Outcome:
        """Do it, through actions. `message` in the outcome is shown to the person."""

    def parameters(self) -> Facts:
        return asdict(self)  # type: ignore[call-overload,no-any-return]  # every decision is a dataclass

    @property
    def needs_reason(self) -> bool:
        return self.level >= 2

    @property
    def needs_typing(self) -> bool:
        return self.level >= 2


class Stale(Refused):
    """The plan is not what it was when it was shown."""

    def __init__(self, changed: list[tuple[str, Any, Any]]) -> None:
        super().__init__("stale", "Something changed since you looked. Nothing was done; look again and decide anew.")
        self.changed = changed


@dataclass(frozen=True, slots=True)
class Ticket:
    """What the page was about, as it travels through the form."""

    nonce: str
    decision: str
    parameters: Facts
    by: str
    facts: Facts

    @classmethod
    def issue(cls, decision: Decision, plan: Plan, by: AbstractUser) -> str:
        ticket = cls(str(uuid.uuid4()), decision.name, decision.parameters(), by.get_username(), as_json(plan.facts))
        return signing.dumps(asdict(ticket), salt=SALT, compress=True)

    @classmethod
    def read(cls, signed: str) -> "Ticket":
        """Raises Refused where the ticket is forged, damaged or too old."""
        try:
            return cls(**signing.loads(signed, salt=SALT, max_age=TICKET_SECONDS))
        except (signing.BadSignature, TypeError, ValueError) as error:
            raise Refused("bad-ticket", "This page is too old or was altered. Open it again.") from error

    def belongs_to(self, name: str, texts: Mapping[str, str]) -> None:
        """Raises Refused where the ticket is of another page than the one of decision `name` with these parameters.

        The address is what logs and people see of a decision: it must not name one and carry out another.
        """
        other = Refused("bad-ticket", f"This page asks about another decision than {name}. Open it again.")
        if self.decision != name:
            raise other
        if texts and as_json(from_text(name, texts).parameters()) != self.parameters:
            raise other


_decisions: dict[str, type[Decision]] = {}


def decision(cls: type[Decision]) -> type[Decision]:
    """Register a decision under its name."""
    _decisions[cls.name] = cls
    return cls


def make(name: str, parameters: Facts) -> Decision:
    """Raises Refused where there is no such decision or it takes other parameters."""
    try:
        return _decisions[name](**parameters)
    except (KeyError, TypeError) as error:
        raise Refused("no-such-decision", f"There is no decision {name!r} with these parameters.") from error


def _number(text: str) -> int:
    if not is_number(text):
        raise ValueError(text)
    return int(text)


def _numbers(text: str) -> list[int]:
    """With commas between."""
    return [_number(part) for part in text.split(",")]


_FROM_TEXT: dict[Any, Callable[[str], Any]] = {
    str: str,
    str | None: str,
    int: _number,
    int | None: _number,
    list[int]: _numbers,
}


def from_text(name: str, texts: Mapping[str, str]) -> Decision:
    """The same from an address, where every value is text. Raises Refused as `make` does, and for a bad number."""
    if name not in _decisions:
        raise Refused("no-such-decision", f"There is no decision {name!r}.")
    kinds = get_type_hints(_decisions[name])
    try:
        for text in texts.values():
            check_text(text)
        return make(name, {key: _FROM_TEXT[kinds[key]](text) for key, text in texts.items()})
    except (KeyError, ValueError, Refused) as error:
        raise Refused("bad-parameters", f"These are not the parameters of {name!r}.") from error


def plan(decision: Decision, by: AbstractUser) -> Plan:
    """The plan to show, after the permission check."""
    permit(by, decision.permission)
    with transaction.atomic():
        return decision.plan(by)


def confirm(signed: str, *, by: AbstractUser, typed: str = "", reason: str = "") -> Outcome:
    """Carry out what the page of this ticket asked; a second post gets the first outcome."""
    ticket = Ticket.read(signed)
    if ticket.by != by.get_username():
        raise Refused("not-yours", f"This page was opened by {ticket.by}; open your own.")
    made = make(ticket.decision, ticket.parameters)
    permit(by, made.permission)
    if earlier := _outcome_of(ticket.nonce):
        return earlier
    _check_asked(made, typed, reason)
    try:
        with audit.one_action(), transaction.atomic():
            row = _claim(ticket, made, by, reason)
            row.outcome = _carry_out(made, ticket.facts, by, reason)
            row.save(update_fields=("outcome",))
            return dict(row.outcome)
    except IntegrityError:
        # Another post of the same page came first and is done by now.
        if earlier := _outcome_of(ticket.nonce):
            return earlier
        raise


def carry_out(decision: Decision, *, by: AbstractUser, typed: str = "", reason: str = "") -> Outcome:
    """The same for a command: plan and execution in one transaction, with nothing shown in between."""
    permit(by, decision.permission)
    _check_asked(decision, typed, reason)
    with audit.one_action(), transaction.atomic():
        return _carry_out(decision, None, by, reason)


def _carry_out(decision: Decision, shown: Facts | None, by: AbstractUser, reason: str) -> Outcome:
    decision.lock()
    present = as_json(decision.facts(by))
    if shown is not None and (changed := differences(shown, present)):
        raise Stale(changed)
    return decision.execute(by, reason)


def _check_asked(decision: Decision, typed: str, reason: str) -> None:
    if decision.needs_typing and typed != decision.object_key:
        raise Refused("not-typed", f"Type {decision.object_key} to confirm; you typed {typed!r}.")
    check_text(reason)
    if decision.needs_reason and not says_something(reason):
        raise Refused("no-reason", "Say why: this decision is recorded with its reason.")


def _claim(ticket: Ticket, decision: Decision, by: AbstractUser, reason: str) -> Confirmation:
    """The unique nonce makes a second, simultaneous post wait here until the first is done."""
    return Confirmation.objects.create(
        nonce=ticket.nonce,
        action=decision.name,
        object_key=decision.object_key[:300],
        by=by.get_username(),
        at=timezone.now(),
        reason=reason,
        outcome={},
    )


def _outcome_of(nonce: str) -> Outcome | None:
    row = Confirmation.objects.filter(nonce=nonce).first()
    return None if row is None else dict(row.outcome) | {"repeated": True}


def as_json(facts: Facts) -> Facts:
    """As the ticket brings them back: lists for tuples, text for decimals and dates."""
    plain: Facts = json.loads(json.dumps(facts, default=str))
    return plain


def differences(shown: Any, present: Any, path: str = "") -> list[tuple[str, Any, Any]]:
    """(where, shown, present) of every leaf that differs between two pieces of JSON-like data."""
    if isinstance(shown, dict) and isinstance(present, dict):
        names = sorted(shown.keys() | present.keys())
        nested = (differences(shown.get(name), present.get(name), f"{path}.{name}".strip(".")) for name in names)
        return [entry for found in nested for entry in found]
    return [] if shown == present else [(path, shown, present)]


# What a change would do to gates --------------------------------------------------------------------------------------

Observation = dict[str, dict[str, str]]
"""By collection and criterion: what the gate would answer, in words. Counts only: never names, scores or order."""


def observe(slugs: Iterable[str]) -> Observation:
    """Ask the providers named in settings; `registry` itself knows no gate."""
    slugs = sorted(set(slugs))
    seen: Observation = {}
    for path in settings.CONSEQUENCE_PROVIDERS:
        seen |= import_string(path)(slugs)
    return seen


class _Rehearsed(Exception):  # noqa: N818  ends the rehearsal, carries nothing
    pass


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What gates answer now, and would answer then; nothing where that was not tried out."""

    before: Observation
    after: Observation | None

    @property
    def facts(self) -> Facts:
        """Part of what a plan rests on: a plan that would now come to something else is another plan."""
        return {"gates": self.before, "gates then": self.after}

    @property
    def flips(self) -> list[Consequence]:
        """A heading a collection whose gate would answer otherwise."""
        after = self.before if self.after is None else self.after
        changed = (slug for slug in sorted(self.before) if self.before[slug] != after[slug])
        return [_flips(slug, self.before[slug], after[slug]) for slug in changed]


def rehearse(act: Callable[[], Any], slugs: Iterable[str]) -> Foreseen:
    """Look at the gates, do it, look again, undo it."""
    slugs = list(slugs)
    before, after = observe(slugs), Observation()
    try:
        with transaction.atomic():
            act()
            after = observe(slugs)
            raise _Rehearsed
    except _Rehearsed:
        return Foreseen(before, after)


def _flips(slug: str, before: dict[str, str], after: dict[str, str]) -> Consequence:
    rows = [(code, was, after.get(code, "")) for code, was in before.items() if was != after.get(code)]
    return Consequence(f"Gate of {slug}", rows)
