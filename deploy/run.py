"""`python -m deploy.run` (`make run`): run all of Muster on this machine, until Ctrl-C.

It reports every fault at once, one line each, then migrates the databases, then starts the programs and keeps them
running. Exit codes: 0 stopped on request, 2 it could not start.

MUSTER_NEW_KEYS=1: start although the keys of these databases are lost. DEMO=0: no demonstration tournament.
MUSTER_CONSOLE=0: no web console. MUSTER_PRINT_TOKEN: 1 prints an organiser's token, 0 does not; by default only a
terminal shows one. MUSTER_PARENT: id of a process; everything stops when it ends.
"""

import os
import subprocess
import sys
from collections.abc import Mapping

if sys.version_info < (3, 11):  # noqa: UP036 - a user who starts it by hand may have another Python
    sys.exit("Muster needs Python 3.11 or newer; this is Python " + sys.version.split()[0])

from deploy import checks, process_manager
from deploy import checks as belonging
from deploy import process_manager as programs
from services.console import settings as console_settings
from shared.environment import set_private_umask
from shared.keys import NEW_KEYS
from shared.settings import MIGRATION_URL, SERVICES, BadSettings

MIGRATE = ("deploy.migrate",)


def main(env: Mapping[str, str] | None = None) -> int:
    env = dict(os.environ if env is None else env)
    set_private_umask()
    process_manager.end_with_parent()
    settings, faults = checks.settings_of_all(env)
    if faults:
        return refuse(faults)
    one = next(iter(settings.values()))
    if faults := checks.folder_faults(one.data):
        return refuse(faults)
    if checks.take_folder(one.data) is None:
        return refuse([f"MUSTER_DATA: another Muster runs on {one.data}; stop it, or name another folder"])
    console = env.get("MUSTER_CONSOLE", "1") != "0"
    if console and (faults := console_faults(env)):
        return refuse(faults)
    names = [*SERVICES, *(["console"] if console else [])]
    if faults := checks.port_faults(one.port_base, one.bind, names):
        return refuse(faults)
    key = settings["registration"].personal_key
    if key and env.get(NEW_KEYS) != "1" and (faults := belonging.foreign_databases(settings.values(), key)):
        return refuse(faults)
    watched = process_manager.PARENT not in env  # a person looks at the output
    if watched and not one.production:
        env.setdefault("MUSTER_LOG_LEVEL", "warning")  # a line for each request would carry the greeting away
    env["MUSTER_DATA"] = str(one.data)
    env["PYTHONUNBUFFERED"] = "1"
    fresh = not any(one.data.glob("*.sqlite3")) and all(s.sqlite for s in settings.values())
    if migrate(env) != 0:
        return 2
    if key:
        belonging.mark_databases(settings.values(), key)
    for service in settings:
        env.pop(MIGRATION_URL.format(service.upper()), None)  # what runs does not know the role that owns the tables
    os.environ.clear()
    os.environ.update(env)
    running = []
    for service, command in programs.PROGRAMS.items():
        running.append(programs.Program(service, command, {"MUSTER_SERVICE": service}))
    if console:
        running.append(programs.Program("console", programs.CONSOLE, {}))
    if watched:
        demo = "1" if fresh and env.get("DEMO", "1") != "0" else "0"
        token = env.get(programs.PRINT_TOKEN, "1" if sys.stdout.isatty() else "0")
        own = {"DEMO": demo, programs.PRINT_TOKEN: token}
        running.append(programs.Program("greeting", programs.GREETING, own, once=True))
    return process_manager.run(running, one.data)


def migrate(env: Mapping[str, str]) -> int:
    """Migrate the databases in a separate process. Return its exit code."""
    return subprocess.run([sys.executable, "-m", *MIGRATE], env=env, check=False).returncode


def console_faults(env: Mapping[str, str]) -> list[str]:
    """Return the faults of the console's settings, one per line."""
    try:
        console_settings.load(env)
    except BadSettings as bad:
        return bad.lines()
    return []


def refuse(lines: list[str]) -> int:
    print(*lines, sep="\n", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
