"""Every address: public pages at the root, their data under /api/v1/, the desk under /admin/."""

from django.contrib import admin
from django.urls import include, path, reverse_lazy
from django.views.generic import RedirectView

from config import health

urlpatterns = [
    path("healthz", health.process, name="healthz"),
    path("readyz", health.readiness, name="readyz"),
    path("metrics", health.metrics, name="metrics"),
    path("admin/", admin.site.urls),
    path("api/", RedirectView.as_view(url=reverse_lazy("api:index"))),
    path("api/v1/", include("ranking.api.urls")),
    path("", include("ranking.public.urls")),
]

handler400 = "config.faults.malformed"
handler500 = "config.faults.fault"
