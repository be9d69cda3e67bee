"""The hash of an event covers the event itself: no salt, no digest of its content."""

from alembic import op

from shared.log.migrations.former_events import refuse_former_events

revision = "log_0012"
down_revision = "log_0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change nothing. Raises FormerEvents if a log has begun."""
    refuse_former_events(op.get_bind())
