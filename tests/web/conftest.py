"""A client of the fake service."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from tests.web.fake import fake_app


@pytest.fixture
def client() -> FlaskClient:
    return fake_app().test_client()
