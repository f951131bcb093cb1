"""Snapshots and evaluations: looked at, never edited."""

import json
from typing import Any, ClassVar

from django.contrib import admin
from django.http import HttpRequest

from ranking.admin.desk import facet_gates
from ranking.models import GateEvaluation, Snapshot
from ranking.public import criteria
from registry.admin.desk import ReadOnly


@admin.register(GateEvaluation)
class GateEvaluationAdmin(ReadOnly):
    concept = "Gates and releases"
    change_form_template = "admin/evaluation.html"
    list_display = ("collection", "verdict", "policy", "snapshot", "evaluated_at")
    list_filter = ("verdict", "collection")
    list_select_related = ("collection", "policy__edition", "snapshot")
    search_fields = ("collection__slug", "collection__title", "snapshot__digest")
    exclude = ("criteria", "facets")

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any) -> Any:
        evaluation = context["original"]
        context |= {"criteria": criteria.rows(evaluation.criteria), "facets": facet_gates(evaluation)}
        return super().render_change_form(request, context, *args, **kwargs)

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).defer("snapshot__body")


@admin.register(Snapshot)
class SnapshotAdmin(ReadOnly):
    concept = "Gates and releases"
    list_display = ("short", "collection", "taken_at")
    list_filter = ("collection",)
    list_select_related = ("collection",)
    search_fields = ("digest", "collection__slug")
    fields: ClassVar = ("digest", "collection", "taken_at", "evidence")
    readonly_fields = ("evidence",)

    @admin.display(description="digest")
    def short(self, snapshot: Snapshot) -> str:
        return snapshot.digest[:12]

    @admin.display(description="evidence")
    def evidence(self, snapshot: Snapshot) -> str:
        """Indented for reading; the digest is of the canonical form."""
        return json.dumps(json.loads(snapshot.body), indent=2, ensure_ascii=False)

    def get_queryset(self, request: HttpRequest) -> Any:
        found = super().get_queryset(request)
        return found if request.resolver_match and "object_id" in request.resolver_match.kwargs else found.defer("body")
