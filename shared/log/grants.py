"""What the role that runs a service may do in its PostgreSQL database, where another role owns the tables.

Whoever owns a table can drop its triggers; so the role that migrates owns them, and the one that runs is granted what
a service does with each table, and nothing else. A table that is not named here may be read and written.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType

from sqlalchemy import Connection, text

READ, ADD, CHANGE, REMOVE = "SELECT", "INSERT", "UPDATE", "DELETE"

GRANTS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        # Only for a recopy: the triggers let an event leave a copy, and never the own log.
        "events": frozenset((READ, ADD, REMOVE)),
        "owner": frozenset((READ,)),
        "recopies": frozenset((READ, ADD, CHANGE)),
        "replaced": frozenset((READ, ADD)),
        "outbox": frozenset((READ, ADD, REMOVE)),
        # Laid out again by a recovery.
        "feed": frozenset((READ, ADD, REMOVE)),
        "copied_feed": frozenset((READ, ADD, REMOVE)),
        "relay": frozenset((READ, CHANGE)),
        # Never changed; but PostgreSQL asks for this right of whoever locks a row against an erasure.
        "personal": frozenset((READ, ADD, CHANGE, REMOVE)),
        "alembic_version": frozenset((READ,)),
    }
)
EVERYTHING = frozenset((READ, ADD, CHANGE, REMOVE))

_MYSELF = text("SELECT current_user = :user")
_SCHEMA = text("SELECT current_schema()")
_HELD = text("""SELECT c.relname AS name, coalesce(array_agg(a.privilege_type) FILTER (WHERE r.rolname = :user), '{}')
    FROM pg_class c LEFT JOIN aclexplode(c.relacl) a ON true LEFT JOIN pg_roles r ON r.oid = a.grantee
    WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace GROUP BY c.relname ORDER BY c.relname""")
_LOOSE = text("""SELECT p.proname FROM pg_proc p WHERE p.prorettype = 'trigger'::regtype
    AND p.pronamespace = current_schema()::regnamespace AND p.proconfig IS NULL ORDER BY p.proname""")
_REACHABLE = text("""SELECT d.datname FROM pg_database d JOIN pg_database own ON own.datname = current_database()
    WHERE d.oid <> own.oid AND d.datallowconn AND NOT d.datistemplate AND d.datname <> 'postgres'
    AND (d.datdba = own.datdba OR d.datname = ANY(:names)) AND has_database_privilege(d.oid, 'CONNECT')
    ORDER BY d.datname LIMIT 20""")
_OWNS = text("SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = to_regclass('events')")


def grant(connection: Connection, user: str) -> None:
    """Let a role do what a service does, and no more; nothing happens where it owns the tables itself.

    connection: of the owner of the tables, inside a transaction. Raises the database's error for an unknown role.
    """
    if connection.execute(_MYSELF, {"user": user}).scalar_one():
        return
    quote = connection.dialect.identifier_preparer.quote_identifier
    schema, role = quote(connection.execute(_SCHEMA).scalar_one()), quote(user)
    connection.exec_driver_sql(f"REVOKE CREATE ON SCHEMA {schema} FROM PUBLIC, {role}")
    connection.exec_driver_sql(f"GRANT USAGE ON SCHEMA {schema} TO {role}")
    for table, held in connection.execute(_HELD, {"user": user}).all():
        wanted = GRANTS.get(table, EVERYTHING)
        if wanted != set(held):
            connection.exec_driver_sql(f"REVOKE ALL ON {schema}.{quote(table)} FROM {role}")
            connection.exec_driver_sql(f"GRANT {', '.join(sorted(wanted))} ON {schema}.{quote(table)} TO {role}")


def pin_search_path(connection: Connection) -> None:
    """Have the functions of triggers look for tables in their own schema: a temporary `recopies` opens nothing."""
    quote = connection.dialect.identifier_preparer.quote_identifier
    schema = quote(connection.execute(_SCHEMA).scalar_one())
    for name in connection.execute(_LOOSE).scalars().all():
        connection.exec_driver_sql(
            f"ALTER FUNCTION {schema}.{quote(name)}() SET search_path = pg_catalog, {schema}, pg_temp"
        )


def owns_its_tables(connection: Connection) -> bool:
    """Whether the role that is connected owns the events, or is a superuser, and could drop their triggers."""
    return bool(connection.execute(_OWNS).scalar())


def reachable_databases(connection: Connection, names: Collection[str]) -> list[str]:
    """Return other databases of this installation that the connected role may connect to, at most 20.

    names: of the other services' databases. Databases of the same owner count too, whatever their names are.
    """
    return list(connection.execute(_REACHABLE, {"names": list(names)}).scalars())


def peer_database_names(database: str, service: str, peers: Collection[str]) -> list[str]:
    """Return the names that the peers' databases have if they follow the name of this one.

    `club_scoring` of scoring leads to `club_registration` and `club_pairing`; a name without the service leads nowhere.
    """
    return [database.replace(service, peer) for peer in peers] if service in database else []
