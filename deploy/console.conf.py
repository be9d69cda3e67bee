"""Gunicorn configuration of the console: one process with threads, and the services' limits for slow clients."""

# The names in lower case are gunicorn's own settings.
from __future__ import annotations

import os
import sys
from typing import Any

from deploy import web_server
from deploy.process_manager import end_with_parent
from services.console.settings import MOST_WATCHES, load
from shared.settings import BadSettings

try:
    _settings = load(os.environ)
except BadSettings as bad:
    sys.exit("\n".join(bad.lines()))

bind = f"{_settings.bind}:{_settings.port}"
proc_name = "muster-console"
workers = 1
worker_class = web_server.Worker
threads = _settings.connections + _settings.streams
worker_connections = threads + _settings.connections
timeout = 60
graceful_timeout = 8
keepalive = 5

if _settings.certificate:
    certfile, keyfile = _settings.certificate, _settings.certificate_key
    ssl_context = web_server.tls_context(_settings.receive_seconds)

logger_class = web_server.Logger
worker_tmp_dir = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
control_socket_disable = True
forwarded_allow_ips = ""
errorlog = "-"
loglevel = "warning"
accesslog = None


def on_starting(server: Any) -> None:
    web_server.allow_files(threads, _settings.connections, MOST_WATCHES)
    end_with_parent()


def when_ready(server: Any) -> None:
    for listener in server.LISTENERS:
        web_server.limit_waiting(listener.sock, _settings.receive_seconds, _settings.send_seconds)


def post_worker_init(worker: Any) -> None:
    from services.console.live.hub import hub_of

    web_server.when_stopped(worker, hub_of(worker.app.callable).stop)
