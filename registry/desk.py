"""The desk: an admin site whose index is a work queue, and whose refusals say why.

Apart from `registry.admin`, because Django makes the site before it imports what registers with it.
"""

from collections.abc import Callable
from functools import update_wrapper
from typing import Any, TypeVar, cast

from django.conf import settings
from django.contrib.admin import AdminSite
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver, path
from django.utils.text import slugify

from registry.actions.base import TokenNeeded

CONCEPTS = (
    "Taxonomy",
    "Benchmarks",
    "Contracts",
    "Mappings",
    "Subjects",
    "Evidence",
    "Imports",
    "Gates and releases",
    "History",
    "People",
)
View = TypeVar("View", bound=Callable[..., HttpResponseBase])


class DeskSite(AdminSite):
    site_url = "/"
    index_title = "Work queue"
    enable_nav_sidebar = False

    def __init__(self, name: str = "admin") -> None:
        super().__init__(name)
        self.site_header = settings.SITE_NAME
        self.site_title = f"{settings.SITE_NAME} desk"
        self.disable_action("delete_selected")

    def get_urls(self) -> list[URLResolver | URLPattern]:
        from registry.admin import confirm, tokens

        def wrap(view: View) -> View:
            return self.admin_view(view)

        own = [
            path("confirm/outcome/<uuid:nonce>/", wrap(confirm.outcome), name="outcome"),
            path("confirm/<slug:name>/", wrap(confirm.view), name="confirm"),
            path("one-time-password/", wrap(tokens.page), name="token"),
        ]
        return [*own, *super().get_urls()]

    def admin_view(self, view: View, cacheable: bool = False) -> View:  # noqa: FBT001, FBT002  Django's signature
        inner = super().admin_view(view, cacheable)

        def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            try:
                return inner(request, *args, **kwargs)
            except PermissionDenied as denial:
                return self.denied(request, denial)
            except Http404:
                return self.not_there(request)

        return cast("View", update_wrapper(answer, inner))

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        from registry.admin.tokens import TokenLoginForm

        self.login_form = TokenLoginForm
        return super().login(request, extra_context)

    def denied(self, request: HttpRequest, denial: PermissionDenied) -> TemplateResponse:
        context = {
            **self.each_context(request),
            "title": "You may not do this",
            "sentence": str(denial),
            "token_needed": isinstance(denial, TokenNeeded),
        }
        return TemplateResponse(request, "admin/403.html", context, status=403)

    def not_there(self, request: HttpRequest) -> HttpResponseBase:
        """The desk's own page for those who may see the desk; anybody else is told as by any address of the site."""
        if not self.has_permission(request):
            raise Http404
        context = {**self.each_context(request), "title": "There is no such page at the desk"}
        return TemplateResponse(request, "admin/404.html", context, status=404)

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        from registry.admin import queue

        return super().index(request, {"queue": queue.sections(request), **(extra_context or {})})

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        """By concept; one app's own list stays as Django makes it."""
        if app_label is not None:
            return super().get_app_list(request, app_label)
        groups: dict[str, list[Any]] = {concept: [] for concept in CONCEPTS}
        for app in self._build_app_dict(request).values():
            for model in app["models"]:
                groups[self._concept(model["model"])].append(model)
        return [
            {
                "name": concept,
                "app_label": slugify(concept),
                "app_url": "",
                "has_module_perms": True,
                "models": models,
            }
            for concept, models in groups.items()
            if models
        ]

    def _concept(self, model: Any) -> str:
        return getattr(self._registry.get(model), "concept", "People")
