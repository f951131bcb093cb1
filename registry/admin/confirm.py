"""The one page behind every decision: consequences first, then confirm, then what came of it (DOMAIN 6).

GET  /admin/confirm/<decision>/?…      the plan of a decision whose parameters fit an address
POST /admin/confirm/<decision>/        `open`: the plan of any decision; `ticket`: carry it out
GET  /admin/confirm/outcome/<nonce>/   what came of it; a repeated post ends here too
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, cast
from urllib.parse import urlencode

from django.contrib import admin
from django.contrib.auth.models import AbstractUser
from django.core import signing
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

from registry import confirm
from registry.actions.base import Refused
from registry.confirm import Decision, Outcome, Stale, Ticket
from registry.models import Confirmation

SALT = "registry.admin.confirm"
# How often the outcome looks again while a worker is at it.
REFRESH_SECONDS = 1
UNFINISHED = {"not-typed": "typed", "no-reason": "reason", "reason-needed": "reason"}
"""Refusals that the person can mend on the page itself, and the field they belong to."""


@dataclass(frozen=True, slots=True)
class Back:
    """Where "go back" leads, with what was typed there."""

    url: str
    fields: str = ""

    @classmethod
    def to(cls, request: HttpRequest) -> "Back":
        typed = request.POST.copy()
        typed.pop("csrfmiddlewaretoken", None)
        return cls(request.get_full_path(), typed.urlencode())

    @classmethod
    def read(cls, signed: str) -> "Back":
        try:
            return cls(**signing.loads(signed, salt=SALT)) if signed else cls(reverse("admin:index"))
        except (signing.BadSignature, TypeError) as error:
            raise Refused("bad-ticket", "This page was altered. Open it again.") from error

    @property
    def signed(self) -> str:
        return signing.dumps(asdict(self), salt=SALT, compress=True)

    @property
    def typed(self) -> list[tuple[str, str]]:
        return [(name, value) for name, values in QueryDict(self.fields).lists() for value in values]


@dataclass(frozen=True, slots=True)
class Detail:
    """What a decision's outcome has to say beyond its message; `waiting` while the work goes on."""

    message: str
    title: str = ""
    """In place of the outcome's own message, where more is known by now."""
    waiting: bool = False
    links: Sequence[tuple[str, str]] = field(default=())
    """(text, address)"""


Teller = Callable[[Outcome], Detail]
_tellers: dict[str, Teller] = {}


def outcome_of(name: str) -> Callable[[Teller], Teller]:
    """Register how the outcome of a decision is told; without one its message is shown."""

    def register(teller: Teller) -> Teller:
        _tellers[name] = teller
        return teller

    return register


def view(request: HttpRequest, name: str) -> HttpResponse:
    """The page of one decision."""
    try:
        if "ticket" in request.POST:
            return _carry_out(request, name)
        if "open" in request.POST:
            return _opened(request, name)
        return ask(request, confirm.from_text(name, request.GET.dict()), back=_came_from(request))
    except Refused as refusal:
        return _refusal(request, refusal, status=400 if refusal.code in ("bad-ticket", "bad-parameters") else 409)


def address(decision: str, **parameters: Any) -> str:
    """Of the page that asks, in the texts that `registry.confirm.from_text` reads."""
    given = {
        name: ",".join(map(str, value)) if isinstance(value, list) else value
        for name, value in parameters.items()
        if value is not None
    }
    return f"{reverse('admin:confirm', args=(decision,))}?{urlencode(given)}"


def ask(
    request: HttpRequest,
    decision: Decision,
    *,
    back: Back,
    status: int = 200,
    errors: dict[str, str] | None = None,
) -> HttpResponse:
    """Show what a decision would do. Raises PermissionDenied; a refusal is shown in place of the plan."""
    by = cast("AbstractUser", request.user)
    try:
        plan = confirm.plan(decision, by)
    except Refused as refusal:
        return _refusal(request, refusal, back=back)
    except ValidationError as error:
        return _refusal(request, Refused("invalid", " ".join(error.messages)), back=back)
    context = {
        **admin.site.each_context(request),
        "title": f"{plan.verb}: {plan.object}",
        "plan": plan,
        "decision": decision,
        "ticket": Ticket.issue(decision, plan, by),
        "back": back,
        "errors": errors or {},
        "typed": request.POST.get("typed", ""),
        "reason": request.POST.get("reason", "") if errors else "",
    }
    return TemplateResponse(request, "admin/confirm.html", context, status=status)


def _carry_out(request: HttpRequest, name: str) -> HttpResponse:
    ticket = Ticket.read(request.POST["ticket"])
    ticket.belongs_to(name, request.GET.dict())
    back = Back.read(request.POST.get("back", ""))
    typed, reason = request.POST.get("typed", "").strip(), request.POST.get("reason", "")
    try:
        outcome = confirm.confirm(
            request.POST["ticket"], by=cast("AbstractUser", request.user), typed=typed, reason=reason
        )
    except Stale as stale:
        return _stale(request, stale, ticket, back)
    except Refused as refusal:
        if refusal.code not in UNFINISHED:
            return _refusal(request, refusal, back=back)
        decision = confirm.make(ticket.decision, ticket.parameters)
        return ask(request, decision, back=back, status=400, errors={UNFINISHED[refusal.code]: refusal.sentence})
    except ValidationError as error:
        return _refusal(request, Refused("invalid", " ".join(error.messages)), back=back)
    again = "?again=1" if outcome.get("repeated") else ""
    return HttpResponseRedirect(reverse("admin:outcome", args=(ticket.nonce,)) + again)


def _opened(request: HttpRequest, name: str) -> HttpResponse:
    try:
        parameters = signing.loads(request.POST["open"], salt=SALT)
    except signing.BadSignature as error:
        raise Refused("bad-ticket", "This page was altered. Open it again.") from error
    return ask(request, confirm.make(name, parameters), back=Back.read(request.POST.get("back", "")))


def _stale(request: HttpRequest, stale: Stale, ticket: Ticket, back: Back) -> HttpResponse:
    again = {
        "action": reverse("admin:confirm", args=(ticket.decision,)),
        "open": signing.dumps(ticket.parameters, salt=SALT, compress=True),
    }
    return _refusal(request, stale, back=back, changed=stale.changed, again=again)


def _refusal(
    request: HttpRequest, refusal: Refused, *, status: int = 409, back: Back | None = None, **more: Any
) -> HttpResponse:
    if refusal.code == "no-such-decision":
        raise Http404(refusal.sentence)
    context = {
        **admin.site.each_context(request),
        "title": "Nothing was done",
        "refusal": refusal,
        "back": back or Back(reverse("admin:index")),
        **more,
    }
    return TemplateResponse(request, "admin/confirm_refused.html", context, status=status)


def _came_from(request: HttpRequest) -> Back:
    """The page that led here, so that "go back" does what it says."""
    referer = request.headers.get("Referer", "")
    safe = url_has_allowed_host_and_scheme(referer, {request.get_host()}, require_https=request.is_secure())
    return Back(referer if safe else reverse("admin:index"))


def outcome(request: HttpRequest, nonce: str) -> HttpResponse:
    """What came of a confirmation: for whoever confirmed it, and for those who may see all of them."""
    row = get_object_or_404(Confirmation, nonce=nonce)
    if row.by != request.user.get_username() and not request.user.has_perm("registry.view_confirmation"):
        raise PermissionDenied("Somebody else confirmed this.")
    teller = _tellers.get(row.action)
    links = [("Back to it", row.outcome["url"])] if "url" in row.outcome else []
    detail = teller(row.outcome) if teller else Detail("", links=links)
    context = {
        **admin.site.each_context(request),
        "title": detail.title or row.outcome.get("message", "Done"),
        "row": row,
        "detail": detail,
        "again": "again" in request.GET,
        "refresh_seconds": REFRESH_SECONDS,
    }
    return TemplateResponse(request, "admin/confirm_outcome.html", context)
