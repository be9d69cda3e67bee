"""The fake service, and somebody who asks it."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from tests.http.fake import fake_app


@pytest.fixture
def client() -> FlaskClient:
    return fake_app().test_client()
