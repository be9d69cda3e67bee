"""Alembic's environment, for every service: the log's revisions first, then the service's own on top."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], transactional_ddl=False)
context.run_migrations()
