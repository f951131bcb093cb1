"""The WSGI application, for gunicorn: `gunicorn config.wsgi`."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = get_wsgi_application()

from config.checks import refuse_unsafe_defaults  # noqa: E402 - the checks register once the apps are loaded

refuse_unsafe_defaults()
