"""The public feed: one order over the events of all sources. What is in the logs already gets its place by and by."""

from alembic import op

revision = "scoring_0002"
down_revision = "scoring_0001"
branch_labels = None
depends_on = None

TABLES = """
CREATE TABLE public_feed (
    feed BIGINT NOT NULL PRIMARY KEY, source {name} NOT NULL, tournament {name} NOT NULL, position INTEGER NOT NULL,
    mark VARCHAR(32) NOT NULL);
CREATE UNIQUE INDEX public_feed_by_event ON public_feed (source, tournament, position);
CREATE UNIQUE INDEX public_feed_by_mark ON public_feed (mark);
CREATE INDEX public_feed_by_tournament ON public_feed (tournament, feed);
CREATE TABLE public_feed_logs (
    source {name} NOT NULL, tournament {name} NOT NULL, position INTEGER NOT NULL, PRIMARY KEY (source, tournament));
CREATE TABLE public_feed_recopies (one INTEGER NOT NULL PRIMARY KEY, recopy BIGINT NOT NULL);
INSERT INTO public_feed_recopies (one, recopy) VALUES (1, 0)
"""
KINDS = {"sqlite": {"name": "TEXT"}, "postgresql": {"name": 'VARCHAR(200) COLLATE "C"'}}


def upgrade() -> None:
    """Create the tables in the words of the database at hand."""
    connection = op.get_bind()
    for statement in TABLES.format(**KINDS[connection.dialect.name]).split(";"):
        connection.exec_driver_sql(statement)
