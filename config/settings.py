"""Every setting, read from the environment in this one module; docs/operators explain each variable.

The defaults suit one machine with nothing installed: SQLite, a worker inside the web process, loopback only. What a
public installation must change is listed in `config.checks`, which keeps it from starting until it is.
"""

from pathlib import Path
from urllib.parse import urlsplit

import environ
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from config import logging as log
from config.secret import kept_secret

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()

# --- The installation -------------------------------------------------------------------------------------------------

DEBUG = env.bool("DEBUG", default=False)
SITE_NAME = env.str("SITE_NAME", default="Assay")
SITE_URL = env.str("SITE_URL", default="http://127.0.0.1:8000").rstrip("/")
if urlsplit(SITE_URL).scheme not in {"http", "https"} or not urlsplit(SITE_URL).hostname:
    raise ImproperlyConfigured(f"SITE_URL must be an http(s) address, not {SITE_URL!r}")
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["127.0.0.1", "localhost", "[::1]"])

# Uploads, bundles, the default database, the generated secret key. Back it up with the database.
DATA_DIR = Path(env.str("DATA_DIR", default=str(BASE_DIR / "var"))).resolve()
DATA_DIR.mkdir(parents=True, exist_ok=True)
# Unset, a key is generated once and kept with mode 600, so that sessions outlive a restart.
SECRET_KEY = env.str("SECRET_KEY", default="") or kept_secret(DATA_DIR / "secret-key")
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])

# Publishers need a one-time password when this is on; a public installation must have it on.
REQUIRE_OTP = env.bool("REQUIRE_OTP", default=False)
OTP_PERMISSIONS = ["ranking.publish_release"]
OTP_TOTP_ISSUER = SITE_NAME  # what an authenticator app calls it
# Reverse proxies whose X-Forwarded-For and X-Forwarded-Proto are believed. 0: none, the peer is the client.
NUM_PROXIES = env.int("NUM_PROXIES", default=0)
# Asked by /metrics as `Authorization: Bearer …`; unset, the page does not exist.
METRICS_TOKEN = env.str("METRICS_TOKEN", default="")
# Where to report a hole (https:, mailto: or tel:), told at /.well-known/security.txt; unset, the page does not exist.
SECURITY_CONTACT = env.str("SECURITY_CONTACT", default="")
# Dotted paths of callables that tell a confirm page what an action would do to gates and ranks.
CONSEQUENCE_PROVIDERS = ["ranking.consequences.gate_consequences"]
# Which of these collections have a live page: changing what one rests on asks first.
PUBLISHED_COLLECTIONS = "ranking.consequences.published"
# Dotted paths of callables that offer the sections of the admin's index.
QUEUE_PROVIDERS = [
    "registry.admin.waiting.sections",
    "ranking.admin.waiting.sections",
    "ranking.admin.overall.sections",
]

# --- Django -----------------------------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "registry",
    "ranking",
    "config.apps.DeskConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    # Before staticfiles, so that `runserver` serves files the way production does.
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "import_export",
    "rest_framework",
    "drf_spectacular",
    "django_filters",
    "axes",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "csp",
    "django_structlog",
    "config.apps.ConfigConfig",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    # Above WhiteNoise, so that static files carry the policies too (an SVG can hold a script).
    "csp.middleware.CSPMiddleware",
    "config.headers.permissions_policy",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django_structlog.middlewares.RequestMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "config.faults.refuse_unreadable",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django_otp.middleware.OTPMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    # Last, as axes asks: it turns a lockout raised anywhere above the view into its response.
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "config.urls"
CSRF_FAILURE_VIEW = "config.faults.forged"
WSGI_APPLICATION = "config.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True
FORMAT_MODULE_PATH = ["config.formats"]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "config.context.site",
            ],
        },
    },
]

# --- Data -------------------------------------------------------------------------------------------------------------

DATABASES = {"default": env.db_url("DATABASE_URL", default=f"sqlite:///{DATA_DIR / 'assay.sqlite3'}")}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    DATABASES["default"]["OPTIONS"] = {
        # Take the write lock when a transaction begins: one that reads first and writes later would otherwise fail
        # at once with "database is locked" instead of waiting its turn.
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,  # seconds to wait for another writer
        # WAL: readers never wait for the writer. NORMAL is durable against a crash of the process, not of the power.
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    }
else:
    DATABASES["default"].update({"CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True})
    # Every cursor on the server is read to its end: plans that have the first row soonest take hours to the last.
    DATABASES["default"].setdefault("OPTIONS", {}).setdefault("options", "-c cursor_tuple_fraction=1")

# Counts of throttled API clients. In memory they are per process; give several processes one redis:// cache.
CACHES = {"default": env.cache_url("CACHE_URL", default="locmemcache://")}

STATIC_URL = "/static/"
STATICFILES_DIRS = [path for path in [BASE_DIR / "static"] if path.is_dir()]
# Where `collectstatic` puts them, for an image; then names carry a hash and are cached for ever. Unset, as in a
# checkout, files are served from where they lie and there is nothing to collect.
STATIC_ROOT = env.str("STATIC_ROOT", default=None)
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if STATIC_ROOT
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}
WHITENOISE_USE_FINDERS = not STATIC_ROOT
MEDIA_ROOT = DATA_DIR / "files"  # never served: an upload is evidence, read by code and by permission
MEDIA_URL = ""
FILE_UPLOAD_PERMISSIONS = 0o600
FILE_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024  # larger uploads go to a temporary file
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024  # forms, files apart

EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"  # nothing sends mail

# --- Who may do what --------------------------------------------------------------------------------------------------

AUTHENTICATION_BACKENDS = [
    # First: it refuses a locked-out caller before a password is looked at.
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in [
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    ]
]
LOGIN_URL = "admin:login"
LOGIN_REDIRECT_URL = "admin:index"

# Ten wrong passwords for one name from one address; by name alone, anyone could lock an editor out.
AXES_FAILURE_LIMIT = 10
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_COOLOFF_TIME = 0.25  # hours
AXES_RESET_ON_SUCCESS = True
AXES_CLIENT_IP_CALLABLE = "config.headers.client_address"
AXES_ENABLE_ADMIN = False
AXES_VERBOSE = False

# --- Transport and browser --------------------------------------------------------------------------------------------

HTTPS = urlsplit(SITE_URL).scheme == "https"
SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz|metrics)$"]  # asked from inside, without TLS
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if HTTPS else 0
if NUM_PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_AGE = 12 * 3600  # a working day

# HSTS for sub-domains and preloading bind names that are not this installation's to bind.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]

# No 'unsafe-inline', no other origin: pages, the admin included, keep style and script in files.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
    },
}

# --- API --------------------------------------------------------------------------------------------------------------

REST_FRAMEWORK = {
    # The API serves what the public pages serve: no one logs in to it, so nothing in it varies by cookie.
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticatedOrReadOnly"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_THROTTLE_CLASSES": ["rest_framework.throttling.AnonRateThrottle"],
    # Requests from one address: N/second, /minute, /hour or /day. Past it the API answers 429 with Retry-After.
    "DEFAULT_THROTTLE_RATES": {"anon": env.str("API_RATE", default="120/minute")},
    "NUM_PROXIES": NUM_PROXIES,
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
SPECTACULAR_SETTINGS = {
    "TITLE": f"{SITE_NAME} API",
    "DESCRIPTION": "Published releases: the ranking, the evidence it rests on and the gate that let it through.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1",
}

# --- Background work --------------------------------------------------------------------------------------------------

CELERY_BROKER_URL = env.str("CELERY_BROKER_URL", default="memory://localhost/")
_scheme = urlsplit(CELERY_BROKER_URL).scheme.removesuffix("s")  # rediss is redis over TLS
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "memory": {"polling_interval": 0.05},  # seconds; kombu's own second would be felt by an editor
    "redis": {
        "visibility_timeout": 6 * 3600,  # after it Redis hands a message out again: above the longest task
        # A save rings; with Redis gone it must not wait (6 s by default): the job row is safe and the sweeper rings.
        "socket_connect_timeout": 2,
        "max_retries": 1,
        "interval_start": 0,
        "interval_step": 0.1,
        "interval_max": 0.1,
    },
}.get(_scheme, {})
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # a worker waits for its broker however long that takes
CELERY_BROKER_CONNECTION_TIMEOUT = 2
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_IGNORE_RESULT = True  # the Job row holds the outcome
CELERY_TASK_ACKS_LATE = True  # a killed worker's message is handed out again; running a job twice is a no-op
CELERY_WORKER_PREFETCH_MULTIPLIER = 1  # a long job must not hold the next one behind it
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_SEND_TASK_EVENTS = False
CELERY_TIMEZONE = TIME_ZONE
CELERY_BEAT_SCHEDULE_FILENAME = str(DATA_DIR / "celerybeat-schedule")
CELERY_BEAT_SCHEDULE = {
    # Rings again for jobs whose message was lost.
    "sweep-jobs": {"task": "registry.tasks.sweep_jobs", "schedule": 30.0},
}

# --- Logs -------------------------------------------------------------------------------------------------------------

LOGGING = log.configuration(debug=DEBUG)
DJANGO_STRUCTLOG_CELERY_ENABLED = True
DJANGO_STRUCTLOG_IP_LOGGING_ENABLED = False  # readers are not followed
# One line a request; a 404 is the asker's mistake, not ours.
DJANGO_STRUCTLOG_STATUS_START_LOG_LEVEL = log.DEBUG
DJANGO_STRUCTLOG_STATUS_4XX_LOG_LEVEL = log.INFO
