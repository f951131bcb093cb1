"""How the words and moments of a release are written in a page."""

from datetime import date, datetime
from typing import Any

from django import template
from django.template.context import Context
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString

from ranking.models import releases
from registry import vocabulary

register = template.Library()

ROUTES = {
    "categories": "public:category",
    "facets": "public:facet",
    "mappings": "public:mapping",
    "benchmarks": "public:benchmark",
    "lineages": "public:lineage",
    "contracts": "public:contract",
    "atoms": "public:atom",
    "models": "public:model",
}
"""The page of each index of the catalogue."""


@register.filter
def moment(at: datetime) -> SafeString:
    """Absolute, with its time zone: a reader may sit in any other."""
    return format_html('<time datetime="{}">{} UTC</time>', at.isoformat(), date_format(at, "j F Y, H:i"))


@register.filter
def day(iso: str) -> SafeString:
    return format_html('<time datetime="{}">{}</time>', iso, date_format(date.fromisoformat(iso), "j F Y"))


@register.filter
def label(code: str, words: str) -> str:
    """The label of a code in one of the controlled vocabularies; the code where a later release has a new one."""
    choices = getattr(vocabulary, words, None) or getattr(releases, words)
    found = {choice.value: choice.label for choice in choices}
    return str(found.get(code, code))


@register.filter
def outward(url: str) -> str:
    """An address only if a browser may follow it: http or https, so never a script."""
    return url if url.startswith(("https://", "http://")) else ""


@register.simple_tag(takes_context=True)
def linked(context: Context, index: str, key: str, text: str = "") -> SafeString:
    """A record by name, as a link where the page's catalogue has it; a permanent page has no catalogue and no links."""
    shown: Any = text or format_html("<code>{}</code>", key)
    if "catalogue" not in context or key not in getattr(context["catalogue"], index):
        return format_html("{}", shown)
    arguments = key.split("/") if index == "facets" else [key]
    return format_html('<a href="{}">{}</a>', reverse(ROUTES[index], args=arguments), shown)
