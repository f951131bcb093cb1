"""Addresses of the public. A key may hold slashes, so that it takes the rest of its address."""

from django.urls import path, re_path, reverse_lazy
from django.views.generic import RedirectView

from ranking.public import (
    categories,
    differences,
    elsewhere,
    evidence,
    indexes,
    machines,
    models,
    releases,
    rules,
)

# Digits of a SHA-256: at least as many as a short name has.
NAMED = "(?P<identifier>[0-9a-f]{12,64})"

app_name = "public"
urlpatterns = [
    path("", categories.home, name="home"),
    path("categories/<slug:slug>/", categories.category, name="category"),
    path("categories/<slug:slug>/<slug:facet>/", categories.facet, name="facet"),
    path("overall/", categories.overall, name="overall"),
    path("evidence/", evidence.evidence, name="evidence"),
    path("evidence/<path:key>/", evidence.mapping, name="mapping"),
    path("benchmarks/<path:key>/", evidence.benchmark, name="benchmark"),
    path("lineages/<path:key>/", evidence.lineage, name="lineage"),
    path("contracts/<path:key>/", evidence.contract, name="contract"),
    path("atoms/<path:key>/", evidence.atom, name="atom"),
    path("models/<path:key>/", models.model, name="model"),
    *(path(f"{kind.name}/", indexes.index, {"kind": kind}, name=kind.name) for kind in indexes.INDEXES),
    path("categories/", RedirectView.as_view(url=reverse_lazy("public:home"))),
    path("benchmarks/", RedirectView.as_view(url=reverse_lazy("public:evidence"))),
    path("exclusions/", rules.exclusions, name="exclusions"),
    path("method/", rules.method, name="method"),
    path("policy/", rules.policy, name="policy"),
    path("releases/", releases.releases, name="releases"),
    re_path(rf"^releases/{NAMED}/$", releases.release, name="release"),
    re_path(rf"^releases/{NAMED}/plot\.svg$", elsewhere.plot, name="plot"),
    re_path(rf"^releases/{NAMED}/diff/(?P<other>[0-9a-f]{{12,64}})/$", differences.diff, name="diff"),
    re_path(rf"^embed/{NAMED}/$", elsewhere.embed, name="embed"),
    path("check.pyz", releases.checker, name="checker"),
    path("feed.atom", releases.feed, name="feed"),
    path("sitemap.xml", machines.sitemap, name="sitemap"),
    path("robots.txt", machines.robots, name="robots"),
    path(".well-known/security.txt", machines.security, name="security"),
]
