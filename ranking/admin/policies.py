"""Gate policies: looked at, and revised by drafting the next version from the newest one."""

import json
from typing import Any, cast

from django import forms
from django.contrib import admin
from django.contrib.auth.models import AbstractUser
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse

from ranking.actions import policies
from ranking.models import GatePolicy
from ranking.policies import active
from ranking.public import rules
from registry.actions.base import Refused
from registry.admin import confirm
from registry.admin.desk import ReadOnly

DRAFT = "ranking.add_gatepolicy"
APPROVE = "ranking.publish_release"
VALUE, WHY = "value-", "why-"


class DraftForm(forms.Form):
    """A version like the one it starts from, to be changed: each threshold with its value and the reason for it."""

    title = forms.CharField(max_length=200, help_text="What this version is called.")
    reason = forms.CharField(
        widget=forms.Textarea(attrs={"rows": 3}),
        label="Why this version exists",
        help_text="What was found out. It stays with the version, and the public reads it.",
    )

    def __init__(self, policy: GatePolicy, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.policy = policy
        # Where it starts from a draft that was discarded, it still differs from what is in force.
        self.standing = active(policy.edition) or policy
        self.fields["title"].initial = policy.title
        if policy != self.standing:
            self.fields["reason"].initial = policy.reason
        for name, words, _, reason in rules.thresholds({"thresholds": policy.thresholds}):
            value = policy.thresholds[name]["value"]
            self.fields[VALUE + name] = ThresholdField(label=words, initial=json.dumps(value), help_text=_kind(value))
            self.fields[WHY + name] = forms.CharField(
                label=f"Why: {words}", initial=reason, widget=forms.Textarea(attrs={"rows": 2})
            )

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        before = self.standing.thresholds
        changed = [name for name, old in before.items() if given.get(VALUE + name) != old["value"]]
        for name in changed:
            if VALUE + name in given and given.get(WHY + name) == before[name]["reason"].strip():
                self.add_error(WHY + name, "The number changes: say why it is this one now.")
        if not changed and not self.errors:
            raise forms.ValidationError("No threshold differs from the version in force.", code="nothing-changed")
        return given

    @property
    def thresholds(self) -> policies.Thresholds:
        given = self.cleaned_data
        return {name: {"value": given[VALUE + name], "reason": given[WHY + name]} for name in self.policy.thresholds}


class ThresholdField(forms.CharField):
    """A number, or a list or names with values as JSON. What a gate can read is for the action to say."""

    def clean(self, value: Any) -> Any:
        typed = super().clean(value)
        try:
            return json.loads(typed)
        except (ValueError, RecursionError) as error:
            raise forms.ValidationError(f"{typed[:40]!r} is no number, nor a list or names with values.") from error


def _kind(value: object) -> str:
    if isinstance(value, list):
        return 'A list of words, for example ["rank", "show"].'
    return 'Names with values, for example {"accept": "recorded"}.' if isinstance(value, dict) else "A number."


@admin.register(GatePolicy)
class GatePolicyAdmin(ReadOnly):
    concept = "Gates and releases"
    change_form_template = "admin/policy.html"
    list_display = ("name", "title", "state", "drafted_by", "drafted_at", "approved_by")
    list_filter = ("state", "edition")
    list_select_related = ("edition",)
    search_fields = ("title", "reason", "edition__key")
    exclude = ("thresholds",)

    def get_urls(self) -> list[URLPattern]:
        draft = path("<int:pk>/draft/", self.admin_site.admin_view(self.draft), name="ranking_gatepolicy_draft")
        return [draft, *super().get_urls()]

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any) -> Any:
        policy = context["original"]
        context["thresholds"] = rules.thresholds({"thresholds": policy.thresholds})
        waiting = policies.waiting_draft(policy.edition)
        drafts, approves = request.user.has_perm(DRAFT), request.user.has_perm(APPROVE)
        starts = drafts and waiting is None and policies.may_start(policy)
        context["waiting"] = waiting
        context["draft_url"] = reverse("admin:ranking_gatepolicy_draft", args=(policy.pk,)) if starts else ""
        context["approve_url"] = (
            confirm.address("approve-policy", policy=policy.pk) if policy == waiting and approves else ""
        )
        context["discard_url"] = (
            confirm.address("discard-policy", policy=policy.pk) if policy == waiting and drafts else ""
        )
        return super().render_change_form(request, context, *args, **kwargs)

    def draft(self, request: HttpRequest, pk: int) -> HttpResponse:
        """The next version, from the newest one. It judges nothing before another person puts it in force."""
        if not request.user.has_perm(DRAFT):
            raise PermissionDenied("You may not draft a gate policy.")
        policy: GatePolicy = get_object_or_404(GatePolicy.objects.select_related("edition"), pk=pk)
        form = DraftForm(policy, request.POST or None)
        if form.is_valid() and (made := _drafted(form, by=cast("AbstractUser", request.user))):
            return HttpResponseRedirect(reverse("admin:ranking_gatepolicy_change", args=(made.pk,)))
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": f"Draft the next version of policy {policy.name}",
            "policy": policy,
            "form": form,
        }
        return TemplateResponse(request, "admin/policy_draft.html", context, status=422 if form.errors else 200)


def _drafted(form: DraftForm, *, by: AbstractUser) -> GatePolicy | None:
    """None where the action refuses, which the form then says."""
    given = form.cleaned_data
    if not policies.may_start(form.policy):
        form.add_error(None, "Another version is in force by now: draft from that one.")
        return None
    try:
        return policies.draft_policy(
            edition=form.policy.edition,
            title=given["title"],
            thresholds=form.thresholds,
            reason=given["reason"],
            by=by,
        )
    except Refused as refusal:
        form.add_error(None, refusal.sentence)
        return None
