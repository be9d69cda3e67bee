"""The actor of an event is an object, and a command is whole on its first event."""

from alembic import op

from shared.log.migrations.former_events import refuse_former_events

revision = "log_0013"
down_revision = "log_0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change nothing. Raises FormerEvents if a log has begun."""
    refuse_former_events(op.get_bind())
