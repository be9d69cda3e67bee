"""How a service is served: what fits the database behind it, and what is refused."""

from __future__ import annotations

import json
import runpy
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from gunicorn import glogging
from gunicorn.config import Config

CONF = Path(__file__).parents[2] / "deploy/gunicorn.conf.py"


@pytest.fixture
def conf(tmp_path, monkeypatch):
    """Evaluate the configuration as gunicorn does, with these variables on top."""

    def evaluate(**env: str) -> dict[str, Any]:
        for name, value in {"MUSTER_DATA": str(tmp_path), "MUSTER_SERVICE": "pairing", **env}.items():
            monkeypatch.setenv(name, value)
        return runpy.run_path(str(CONF))

    return evaluate


def test_it_listens_where_the_settings_say(conf):
    assert conf(MUSTER_PORT_BASE="9000", MUSTER_BIND="0.0.0.0")["bind"] == "0.0.0.0:9002"


def test_it_is_one_process_with_a_thread_for_each_connection(conf):
    found = conf(MUSTER_ACCESS_LOG="on")
    assert (found["workers"], found["accesslog"]) == (1, "-")
    assert found["threads"] == 500, "a thread for each connection; pairing has no streams"
    assert conf(MUSTER_SERVICE="scoring", MUSTER_STREAMS="7", MUSTER_CONNECTIONS="20")["threads"] == 27
    assert conf(MUSTER_ACCESS_LOG="")["accesslog"] is None


def test_the_access_log_leaves_out_the_query_where_tokens_stand(conf):
    # %(r)s, %(q)s and %(f)s are the request line, the query and the referrer.
    assert not {"%(r)s", "%(q)s", "%(f)s"} & set(conf()["access_log_format"].split('"'))


@pytest.mark.parametrize(
    ("path", "written"),
    [
        ("/x\n12:00:00 FORGED LINE", "/x%0A12:00:00%20FORGED%20LINE"),
        ("/\x1b[31m\x00\x9b\x7f", "/%1B%5B31m%00%9B%7F"),
        ('/"\\', "/%22%5C"),
        ("/tournaments/t-7/games", "/tournaments/t-7/games"),
        ("/b\xc3\xa4r", "/b%C3%A4r"),  # as WSGI gives UTF-8
    ],
)
def test_a_path_is_written_into_the_access_log_as_one_line_of_json(conf, path, written):
    found = conf(MUSTER_ACCESS_LOG="on")
    config = Config()
    for name in ("accesslog", "access_log_format"):
        config.set(name, found[name])
    logger, answer = found["Logger"](config), SimpleNamespace(status="200 OK", sent=7, headers=[])
    environ = {"REQUEST_METHOD": "GET", "RAW_URI": "/x", "SERVER_PROTOCOL": "HTTP/1.1", "PATH_INFO": path}
    atoms = logger.atoms(answer, SimpleNamespace(headers=[]), environ, timedelta(0))
    line = found["access_log_format"] % glogging.SafeAtoms(atoms)
    assert line.isprintable()
    assert line.isascii()
    assert json.loads(line)["path"] == written


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("MUSTER_WEB_THREADS", "0"),
        ("MUSTER_PORT_BASE", "x"),
    ],
)
def test_a_wrong_value_ends_the_start_with_a_line(conf, variable, value):
    with pytest.raises(SystemExit, match=f"^{variable}: {value}; expected"):
        conf(**{variable: value})
