"""Logs: one JSON object a line for machines, coloured lines for a person at a terminal."""

import sys
from logging import DEBUG, INFO
from typing import Any

import structlog

__all__ = ["DEBUG", "INFO", "configuration"]

# Shared by our own events and by those of Django, Celery and the libraries, which use the standard library's logging.
PROCESSORS: list[structlog.typing.Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.StackInfoRenderer(),
]


def configuration(*, debug: bool) -> dict[str, Any]:
    """Django's LOGGING; also points structlog at it."""
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *PROCESSORS,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "structured": {
                "()": structlog.stdlib.ProcessorFormatter,
                "processors": _rendering(readable=debug or sys.stderr.isatty()),
                "foreign_pre_chain": PROCESSORS,
            },
        },
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "structured"}},
        "root": {"handlers": ["stderr"], "level": "INFO"},
        "loggers": {
            # Their own handlers off, or every line comes twice.
            "django": {"handlers": [], "propagate": True},
            "django.server": {"handlers": [], "propagate": True, "level": "WARNING"},
            # One line a request comes from django_structlog.
            "django.request": {"level": "ERROR"},
            "celery": {"level": "WARNING"},
            "kombu": {"level": "WARNING"},
            # A line for each message sent and received; what became of a job is on its row, and failures are logged.
            "django_structlog.celery": {"level": "WARNING"},
            "axes": {"level": "WARNING"},
        },
    }


def _rendering(*, readable: bool) -> list[structlog.typing.Processor]:
    drop_meta = structlog.stdlib.ProcessorFormatter.remove_processors_meta
    if readable:
        return [drop_meta, structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())]
    return [
        drop_meta,
        structlog.processors.format_exc_info,
        structlog.processors.JSONRenderer(default=str),
    ]
