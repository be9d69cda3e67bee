"""Gunicorn configuration of a service: settings from the environment, and defaults that suit its database.

MUSTER_SERVICE names the service; everything else comes from `shared.settings`. MUSTER_ACCESS_LOG=on writes a line for
every request.
"""

# The names in lower case are gunicorn's own settings and hooks.
from __future__ import annotations

import gc
import os
import sys
from typing import Any
from urllib.parse import quote

from deploy import web_server
from deploy.process_manager import end_with_parent
from shared.environment import set_private_umask
from shared.settings import BadSettings, load

try:
    _settings = load(os.environ.get("MUSTER_SERVICE", ""), os.environ)
except BadSettings as bad:
    sys.exit("\n".join(bad.lines()))


bind = f"{_settings.bind}:{_settings.port}"
proc_name = f"muster-{_settings.service}"

# Each connection that is at work has a thread; idle ones wait in gunicorn's loop. web_threads limits the requests that
# are answered at once (shared/web/streams.py). So a slow client costs a thread that waits, and nothing else.
workers = 1
worker_class = web_server.Worker
threads = _settings.connections + (_settings.streams if _settings.service == "scoring" else 0)
worker_connections = threads + _settings.connections

# The application is made in each worker, after the fork. Preloading would share the sockets of a connection pool
# between processes that then read each other's answers; preloading would have to dispose every engine in post_fork.
preload_app = False

# Seconds. A request may wait for Muster-Seen and for SQLite's lock, so a silent worker is given longer than both.
# Stopping takes no longer than a person waits after Ctrl-C, whatever half of a request is still coming.
timeout = 60
graceful_timeout = 8
keepalive = 5


# The heartbeat is a file that is touched: in memory where there is such a place, for a slow disk must not look
# like a dead worker.
worker_tmp_dir = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
# Three services of one user would fight over one control socket in the home folder.
control_socket_disable = True

# The application decides whom to believe (trusted_proxies); gunicorn must not do it a second time.
forwarded_allow_ips = ""
limit_request_line = 8190


PLAIN = "/:@!$&'()*+,;=~"
"""Characters of a path that are written as they are, besides letters, digits and `_.-`."""


class Logger(web_server.Logger):
    def atoms(self, resp: Any, req: Any, environ: dict[str, Any], request_time: Any) -> dict[str, Any]:
        """Return the values of an access log line, with the path percent-encoded as the client sent it.

        A decoded path could contain line ends, which forge log lines, and control characters, which affect a terminal.
        """
        found: dict[str, Any] = super().atoms(resp, req, environ, request_time)
        return {**found, "U": quote(str(found["U"] or ""), safe=PLAIN, encoding="latin-1")}


logger_class = Logger
errorlog = "-"
loglevel = "info" if _settings.production else "warning"
accesslog = "-" if os.environ.get("MUSTER_ACCESS_LOG") == "on" else None
# The path without its query: a player's link carries a token there.
access_log_format = (
    '{"event":"access","service":"' + _settings.service + '","method":"%(m)s","path":"%(U)s",'
    '"status":%(s)s,"bytes":%(B)s,"microseconds":%(D)s,"client":"%(h)s"}'
)


def on_starting(server: Any) -> None:
    set_private_umask()
    web_server.allow_files(threads, _settings.connections)
    end_with_parent()


def when_ready(server: Any) -> None:
    for listener in server.LISTENERS:
        web_server.limit_waiting(listener.sock, _settings.receive_seconds, _settings.send_seconds)


def post_worker_init(worker: Any) -> None:
    # What the application is made of stays for good. Looked through by every full collection of garbage, it would
    # hold up a request for a tenth of a second now and then.
    gc.collect()
    gc.freeze()
    from shared.web.streams import STREAMS

    application = worker.app.callable
    stopping = [application.extensions[STREAMS].stop] if STREAMS in application.extensions else []
    if _settings.worker_inside:
        from shared.service.wiring import WIRED, Service
        from shared.service.worker import WorkerThreads

        worker.threads_of_service = WorkerThreads(application.extensions[WIRED][Service])
        worker.threads_of_service.start()
        stopping.append(worker.threads_of_service.begin_stop)  # peers ask each other until they stop
    web_server.when_stopped(worker, *stopping)


def worker_exit(server: Any, worker: Any) -> None:
    from shared.service.app import DATABASE

    if (threads := getattr(worker, "threads_of_service", None)) is not None:
        threads.stop()
    # SQLite puts what it has written into the file itself when the last connection is closed, and not before.
    if (app := worker.app.callable) is not None:
        app.extensions[DATABASE].close()
