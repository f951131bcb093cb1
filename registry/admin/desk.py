"""What every admin class here shares, and the records that are only looked at."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, cast
from urllib.parse import urlencode

from django.contrib import admin
from django.contrib.admin.exceptions import DisallowedModelAdminLookup
from django.contrib.admin.options import IncorrectLookupParameters
from django.core.exceptions import BadRequest
from django.db import DataError, NotSupportedError
from django.db.models import Field, JSONField, Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.text import capfirst

from registry.admin import history
from registry.admin.lists import BoundedPaginator
from registry.admin.removal import users_of
from registry.models import Exclusion
from registry.spelling import is_number

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
else:
    ModelAdmin = admin.ModelAdmin


class UnreadableQuery(Exception):  # noqa: N818  an answer, not a fault
    """The address asks for a search, filter, order or page that no list has."""


# What becomes of a value that fits no column, on its way to a query or in the driver: a year beyond the calendar, a
# number beyond the column, a NUL.
_UNREADABLE = (
    *(IncorrectLookupParameters, DisallowedModelAdminLookup, BadRequest),
    *(ValueError, OverflowError, IndexError, DataError, NotSupportedError),
)
_ASKED = frozenset({"exact", "in", "isnull", "gt", "gte", "lt", "lte", "date", "year", "month", "day"})
_NOT_ASKED = (frozenset(Field().get_lookups()) | frozenset(JSONField().get_lookups())) - _ASKED
"""Of the comparisons that an address may name: patterns can take for ever, ranges need two values."""
MOST_WORDS = 40
"""Of a search: each is a condition on every column that is searched."""


class Desk(ModelAdmin):
    """Ours, whatever the model: no bulk actions but what a model names, no second history, a place on the index."""

    concept: ClassVar[str]
    """Where the index lists it."""
    excludable: ClassVar[tuple[str, str] | None] = None
    """Scope of an exclusion that may name the record, and the field it is named by."""
    actions: Sequence[str] | None = None
    show_full_result_count = False
    list_per_page = 50
    paginator = BoundedPaginator

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> Any:
        title = capfirst(self.opts.verbose_name_plural)
        try:
            return super().changelist_view(request, {"title": title, **(extra_context or {})})
        except UnreadableQuery:
            return self.unreadable(request)

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        return lookup.rpartition("__")[2] not in _NOT_ASKED and super().lookup_allowed(
            lookup, value, cast("Any", request)
        )

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """A link that fills in no record's number fills in nothing."""
        found: dict[str, Any] = super().get_changeform_initial_data(request)
        numbers = {field.name for field in self.opts.fields if field.is_relation}
        return {name: value for name, value in found.items() if name not in numbers or is_number(str(value))}

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        """Counting its rows asks the database, so that what cannot be asked is found here, for list and export alike.

        Raises UnreadableQuery.
        """
        try:
            return super().get_changelist_instance(request)
        except _UNREADABLE as error:
            raise UnreadableQuery from error

    def get_search_results(self, request: HttpRequest, queryset: QuerySet[Any], search_term: str) -> Any:
        if len(search_term.split()) > MOST_WORDS or "\0" in search_term:
            raise BadRequest("This cannot be searched for.")
        return super().get_search_results(request, queryset, search_term)

    def unreadable(self, request: HttpRequest) -> HttpResponse:
        """Told as such: the whole list in place of what was asked for would be taken for the answer."""
        context = {**self.admin_site.each_context(request), "title": "This list cannot be shown", "opts": self.opts}
        return TemplateResponse(request, "admin/unreadable.html", context, status=400)

    def log_addition(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        """The action has written the audit event."""

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        """As above."""

    def log_deletions(self, request: HttpRequest, queryset: QuerySet[Any]) -> Any:
        """As above."""

    def construct_change_message(self, request: HttpRequest, form: Any, formsets: Any, add: bool = False) -> Any:  # noqa: FBT001, FBT002
        return ""

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any) -> Any:
        record = context.get("original")
        context["exclude_url"] = self.exclude_url(request, record)
        if record is not None and self.has_delete_permission(request, record):
            context["used_by"] = users_of(record)
            context["show_delete"] = not context["used_by"]
        return super().render_change_form(request, context, *args, **kwargs)

    def exclude_url(self, request: HttpRequest, record: Model | None) -> str:
        """Where an exclusion of the record begins; empty where it cannot."""
        if self.excludable is None or record is None or not request.user.has_perm("registry.add_exclusion"):
            return ""
        scope, name = self.excludable
        return (
            f"{reverse('admin:registry_exclusion_add')}?{urlencode({'scope': scope, 'target': getattr(record, name)})}"
        )

    def not_there(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Back to the index, which says that it does not exist."""
        return cast("Any", self)._get_obj_does_not_exist_redirect(request, self.opts, object_id)  # type: ignore[no-any-return]

    def decided_about(self, record: Model) -> Iterable[Model]:
        """Records of decisions about this one, whose events belong to its history: the exclusions that name it."""
        if self.excludable is None:
            return ()
        scope, name = self.excludable
        return Exclusion.objects.filter(scope=scope, target=str(getattr(record, name)))

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        return history.page(self, request, object_id)


class ReadOnly(Desk):
    """Records that actions make and nobody edits, superusers included."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False
