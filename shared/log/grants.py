"""Privileges of the PostgreSQL role that runs a service.

The owner of a table can drop its triggers. So another role migrates and owns the tables, and the role of the service
gets only the privileges it needs. Tables that are not listed here may be read and written.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType

from sqlalchemy import Connection, text

READ, ADD, CHANGE, REMOVE = "SELECT", "INSERT", "UPDATE", "DELETE"

GRANTS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        # DELETE is for recopies: the triggers let an event leave a copy, but never the service's own log.
        "events": frozenset((READ, ADD, REMOVE)),
        "owner": frozenset((READ,)),
        "recopies": frozenset((READ, ADD, CHANGE)),
        "replaced": frozenset((READ, ADD)),
        "outbox": frozenset((READ, ADD, REMOVE)),
        # A recovery rebuilds the feed.
        "feed": frozenset((READ, ADD, REMOVE)),
        "copied_feed": frozenset((READ, ADD, REMOVE)),
        "relay": frozenset((READ, CHANGE)),
        # Rows never change, but PostgreSQL requires UPDATE to lock a row against an erasure.
        "personal": frozenset((READ, ADD, CHANGE, REMOVE)),
        "alembic_version": frozenset((READ,)),
    }
)
EVERYTHING = frozenset((READ, ADD, CHANGE, REMOVE))

_IS_CURRENT_USER = text("SELECT current_user = :user")
_SCHEMA = text("SELECT current_schema()")
_PRIVILEGES = text("""SELECT c.relname AS name,
        coalesce(array_agg(a.privilege_type) FILTER (WHERE r.rolname = :user), '{}')
    FROM pg_class c LEFT JOIN aclexplode(c.relacl) a ON true LEFT JOIN pg_roles r ON r.oid = a.grantee
    WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace GROUP BY c.relname ORDER BY c.relname""")
_UNPINNED_FUNCTIONS = text("""SELECT p.proname FROM pg_proc p WHERE p.prorettype = 'trigger'::regtype
    AND p.pronamespace = current_schema()::regnamespace AND p.proconfig IS NULL ORDER BY p.proname""")
_REACHABLE = text("""SELECT d.datname FROM pg_database d JOIN pg_database own ON own.datname = current_database()
    WHERE d.oid <> own.oid AND d.datallowconn AND NOT d.datistemplate AND d.datname <> 'postgres'
    AND (d.datdba = own.datdba OR d.datname = ANY(:names)) AND has_database_privilege(d.oid, 'CONNECT')
    ORDER BY d.datname LIMIT 20""")
_OWNS = text("SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = to_regclass('events')")


def grant(connection: Connection, user: str) -> None:
    """Give a role exactly the privileges that a service needs; do nothing if the role is the current user.

    connection: a connection of the tables' owner inside a transaction. Raises the database's error for an unknown role.
    """
    if connection.execute(_IS_CURRENT_USER, {"user": user}).scalar_one():
        return
    quote = connection.dialect.identifier_preparer.quote_identifier
    schema, role = quote(connection.execute(_SCHEMA).scalar_one()), quote(user)
    connection.exec_driver_sql(f"REVOKE CREATE ON SCHEMA {schema} FROM PUBLIC, {role}")
    connection.exec_driver_sql(f"GRANT USAGE ON SCHEMA {schema} TO {role}")
    for table, current in connection.execute(_PRIVILEGES, {"user": user}).all():
        needed = GRANTS.get(table, EVERYTHING)
        if needed != set(current):
            connection.exec_driver_sql(f"REVOKE ALL ON {schema}.{quote(table)} FROM {role}")
            connection.exec_driver_sql(f"GRANT {', '.join(sorted(needed))} ON {schema}.{quote(table)} TO {role}")


def pin_search_path(connection: Connection) -> None:
    """Pin the search path of trigger functions, so that a temporary table `recopies` cannot disarm them."""
    quote = connection.dialect.identifier_preparer.quote_identifier
    schema = quote(connection.execute(_SCHEMA).scalar_one())
    for name in connection.execute(_UNPINNED_FUNCTIONS).scalars().all():
        connection.exec_driver_sql(
            f"ALTER FUNCTION {schema}.{quote(name)}() SET search_path = pg_catalog, {schema}, pg_temp"
        )


def owns_its_tables(connection: Connection) -> bool:
    """Return True if the current role owns the events or is a superuser, and so could drop their triggers."""
    return bool(connection.execute(_OWNS).scalar())


def reachable_databases(connection: Connection, names: Collection[str]) -> list[str]:
    """Return at most 20 other databases that the current role may connect to.

    Only the databases with these names and those of the same owner count.
    """
    return list(connection.execute(_REACHABLE, {"names": list(names)}).scalars())


def peer_database_names(database: str, service: str, peers: Collection[str]) -> list[str]:
    """Return the likely names of the peers' databases, derived from the name of this service's database.

    `club_scoring` of scoring gives `club_registration` and `club_pairing`. A name without the service gives none.
    """
    return [database.replace(service, peer) for peer in peers] if service in database else []
