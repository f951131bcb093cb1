"""Settings that suit one machine and must not be met by the public.

`manage.py check --deploy --tag public` asks for them, `up` before it listens beyond loopback, and `config.wsgi` as soon
as the installation names a host that is not loopback: it then refuses to start and says which.
"""

import os
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register, run_checks
from django.core.exceptions import ImproperlyConfigured

PUBLIC = "public"


@register(PUBLIC, Tags.security, deploy=True)
def unsafe_defaults(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """One error for each setting to change."""
    rules = [
        ("E001", settings.DEBUG, "DEBUG is on: error pages show the source and the settings.", "Set DEBUG=0."),
        ("E002", _weak(settings.SECRET_KEY), "SECRET_KEY can be guessed.",
         "Give 50 or more random characters, or none: a key is then made and kept in DATA_DIR."),
        ("E003", "*" in settings.ALLOWED_HOSTS, "ALLOWED_HOSTS lets any host name through.", "Name the hosts."),
        ("E004", not settings.SITE_URL.startswith("https://"), "SITE_URL is not https: log-ins could be read.",
         "Set SITE_URL=https://…; secure cookies, HSTS and the redirect to https follow from it."),
        ("E005", not settings.REQUIRE_OTP, "REQUIRE_OTP is off: a password alone can publish.", "Set REQUIRE_OTP=1."),
        ("E006", _on_sqlite() and _several_processes(), "DATABASE_URL is SQLite with several processes to write to it.",
         "Give a postgres:// address, or run one process: `manage.py up` with no CELERY_BROKER_URL."),
    ]  # fmt: skip
    return [Error(message, hint=hint, id=f"assay.{code}") for code, unsafe, message, hint in rules if unsafe]


def refuse_unsafe_defaults() -> None:
    """Raise ImproperlyConfigured with every unsafe setting, if this installation is public."""
    found = run_checks(tags=[PUBLIC], include_deployment_checks=True) if is_public() else []
    if found:
        raise ImproperlyConfigured("Not started. " + " ".join(f"{error.msg} {error.hint}" for error in found))


def is_public() -> bool:
    hosts = [*settings.ALLOWED_HOSTS, urlsplit(settings.SITE_URL).hostname or ""]
    return not all(is_loopback(host) for host in hosts)


def is_loopback(host: str) -> bool:
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _weak(key: str) -> bool:
    """Django's own measure (security.W009), which is only a warning there."""
    return len(key) < 50 or len(set(key)) < 5 or key.startswith("django-insecure-")


def _on_sqlite() -> bool:
    return bool(settings.DATABASES["default"]["ENGINE"].endswith("sqlite3"))


def _several_processes() -> bool:
    """A broker means workers of their own; WEB_CONCURRENCY is gunicorn's number of web processes."""
    broker = urlsplit(settings.CELERY_BROKER_URL).scheme
    return broker != "memory" or os.environ.get("WEB_CONCURRENCY", "1") != "1"
