# One image for every process: the web by default, workers by another command (see compose.yaml).
FROM python:3.12-slim

ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1

WORKDIR /srv/assay
# Before the code, so that a change of code does not install everything anew.
COPY requirements/base.txt requirements/base.txt
RUN pip install --require-hashes --requirement requirements/base.txt

COPY manage.py ./
COPY config config
COPY registry registry
COPY ranking ranking
COPY templates templates
COPY static static

ENV STATIC_ROOT=/srv/static DATA_DIR=/srv/data
# Collecting reads the settings, which would keep a secret key in DATA_DIR: it gets one to throw away.
RUN useradd --system --uid 10001 assay \
    && mkdir --mode 700 /srv/data \
    && chown assay:assay /srv/data \
    && DATA_DIR=/tmp/build python manage.py collectstatic --noinput --verbosity 0 \
    && rm -r /tmp/build

USER assay
VOLUME /srv/data
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz')"]

# WEB_CONCURRENCY sets the number of processes. Threads, because a request mostly waits for the database.
CMD ["gunicorn", "config.wsgi", "--bind", "0.0.0.0:8000", "--threads", "4", "--access-logfile", "/dev/null", \
     "--worker-tmp-dir", "/dev/shm", "--max-requests", "2000", "--max-requests-jitter", "200"]
