import pytest
from django.test import RequestFactory

from config.headers import client_address

PAGES = ["/healthz", "/admin/login/", "/static/admin/css/base.css"]


@pytest.mark.django_db
@pytest.mark.parametrize("address", PAGES)
def test_every_response_carries_the_policies(client, address):
    response = client.get(address)
    response.close()  # a static file is open until then
    headers = response.headers
    policy = dict(part.split(" ", 1) for part in headers["Content-Security-Policy"].split("; "))
    assert policy["default-src"] == policy["frame-ancestors"] == policy["base-uri"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == "'self'"
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert "camera=()" in headers["Permissions-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"


@pytest.mark.parametrize(
    ("proxies", "forwarded", "address"),
    [
        (0, None, "192.0.2.1"),
        (0, "198.51.100.7", "192.0.2.1"),
        (1, "203.0.113.9, 198.51.100.7", "198.51.100.7"),
        (2, "203.0.113.9, 198.51.100.7", "203.0.113.9"),
    ],
)
def test_only_declared_proxies_are_believed(settings, proxies, forwarded, address):
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "NUM_PROXIES": proxies}
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}
    assert client_address(RequestFactory(REMOTE_ADDR="192.0.2.1", headers=headers).get("/")) == address


@pytest.mark.django_db
def test_ten_wrong_passwords_lock_the_name_from_that_address(client, django_user_model):
    django_user_model.objects.create_user("editor", password="right", is_staff=True)

    def log_in(password: str, address: str) -> int:
        data = {"username": "editor", "password": password}
        return int(client.post("/admin/login/", data, REMOTE_ADDR=address).status_code)

    assert {log_in("wrong", "192.0.2.1") for _ in range(9)} == {200}
    assert log_in("wrong", "192.0.2.1") == 429
    assert log_in("right", "192.0.2.1") == 429
    assert log_in("right", "192.0.2.2") == 302
