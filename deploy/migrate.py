"""`python -m deploy.migrate [SERVICE]...`: migrate the databases of the given services (default: all).

Safe to run at every start and from several machines at once. A database that newer code has migrated stays unchanged,
and a line says so. If `<SERVICE>_MIGRATION_DATABASE_URL` names another role than `<SERVICE>_DATABASE_URL`, that role
migrates and owns the tables, and the other role gets the privileges of a running service. Exit codes: 0 done, 1 a
database could not be reached or changed, 2 the environment is wrong; each with one line on standard error.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError

from shared.environment import make_file_private, make_private_folder, set_private_umask
from shared.log.migrate import CannotMigrate, upgrade_database
from shared.log.schema import open_database
from shared.settings import MIGRATION_URL, SERVICES, BadSettings, load


def main(services: Sequence[str]) -> int:
    set_private_umask()
    try:
        all_settings = [load(service, os.environ) for service in services or SERVICES]
    except BadSettings as bad:
        print(*bad.lines(), sep="\n", file=sys.stderr)
        return 2
    for settings in all_settings:
        if settings.sqlite:
            make_private_folder(settings.data)
        database = open_database(settings.migration_url)
        runs = make_url(settings.database_url).username or ""
        try:
            if settings.sqlite:
                # An earlier version made them readable by everyone.
                for kind in ("", "-wal", "-shm"):
                    make_file_private(Path(f"{database.url.database}{kind}"))
            before = upgrade_database(database, settings.service, user=runs)
            if before.newer:
                print(
                    f"{settings.service}: the database is at {', '.join(before.newer)} of newer code, and stays there"
                )
        except (SQLAlchemyError, OSError, CannotMigrate) as error:
            said = str(getattr(error, "orig", None) or error).strip().splitlines()[0]
            named = settings.migration_url != settings.database_url
            variable = (MIGRATION_URL if named else "{}_DATABASE_URL").format(settings.service.upper())
            print(f"{variable}: {database.url!r} could not be brought up to date: {said}", file=sys.stderr)
            return 1
        finally:
            database.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
