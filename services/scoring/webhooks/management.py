"""What routes of webhooks need beside the service: rules of targets, the vault, messages, and how a webhook stands."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from services.scoring.feed.cursors import Read, cursor_of
from services.scoring.feed.places import feed_position, place_at
from services.scoring.webhooks import deliveries
from services.scoring.webhooks.authority import caller_of, reader_for
from services.scoring.webhooks.deliveries import DEAD, WAITING
from services.scoring.webhooks.messages import Messages
from services.scoring.webhooks.refusals import WebhookTargetRefused
from services.scoring.webhooks.resolving import looked_up
from services.scoring.webhooks.signing import secret_of
from services.scoring.webhooks.targets import Address, Target, TargetFault, TargetRules
from services.scoring.webhooks.vault import TARGET, WebhookVault
from services.scoring.webhooks.views import Status, WebhookView, webhook_view
from shared.clock import milliseconds_of
from shared.formats.fold import data_of
from shared.keys import Sealed
from shared.log.database import Connection
from shared.log.reading import events_of_type
from shared.refusals import Fault
from shared.service.visibility import need_own
from shared.service.wiring import gateway, service
from shared.tournament.registration import INSTALLATION
from shared.tournament.state import Tournament
from shared.tournament.webhooks import Webhook
from shared.web.auth import caller

SECRET_BYTES = 32
LOOK_UP_SECONDS = 2.0
"""For the look-up of a name while somebody waits; whether its addresses are good is looked at again before each use."""

LookUp = Callable[[str, int], Sequence[Address]]


class WebhookManagement:
    """look_up: the addresses that a host stands for. Raises OSError."""

    def __init__(
        self, rules: TargetRules, vault: WebhookVault, messages: Messages, look_up: LookUp = looked_up
    ) -> None:
        self.rules = rules
        self.vault = vault
        self.messages = messages
        self._look_up = look_up
        self._threads = ThreadPoolExecutor(4, thread_name_prefix="webhook-names")

    def target(self, url: str) -> Target:
        """Where a URL leads. Raises WebhookTargetRefused, with the part of it that is wrong.

        A name that stands for nothing now is taken: it may be set up later, and is looked up at each connection.
        """
        try:
            target = self.rules.read(url)
            if (addresses := self._addresses(target)) is not None:
                self.rules.need_good(addresses, target.host)
        except TargetFault as fault:
            raise WebhookTargetRefused(
                "Webhooks do not lead there.", [Fault("/url", fault.said, fault.expected)]
            ) from fault
        return target

    def new_secret(self) -> str:
        """A secret that nobody knows."""
        return secret_of(secrets.token_bytes(SECRET_BYTES))

    def origin(self, tournament: str, webhook: str, sealed: bytes) -> str:
        """Scheme, host and port of where a webhook leads; empty where that cannot be opened any more."""
        try:
            return self.rules.read(self.vault.open(tournament, webhook, TARGET, sealed)).origin
        except (Sealed, TargetFault):
            return ""

    def view(self, connection: Connection, tournament: str, webhook: Webhook) -> WebhookView:
        """How a webhook stands."""
        sql = """SELECT target, authority, feed, opened, verified, failing FROM webhooks
            WHERE tournament = :tournament AND webhook = :webhook"""
        row = connection.one(sql, tournament=tournament, webhook=webhook.id)
        of = deliveries.of_webhook((tournament, webhook.id))
        number = f"SELECT count(*) FROM webhook_deliveries WHERE {deliveries.OF_WEBHOOK} AND state = :state"
        waiting, dead = (connection.value(number, **of, state=state) for state in (WAITING, DEAD))
        if row is None:
            return webhook_view(webhook, "target_lost", "", 0, signing=0, cursor="", waiting=waiting, dead=dead)
        sealed, authority, feed, opened, verified, failing = row
        try:
            now = milliseconds_of(service.clock())
            signing = len(self.vault.secrets(connection, tournament, webhook.id, now))
        except Sealed:
            signing = 0
        read = Read(place_at(connection, feed), opened)
        cursor = cursor_of(read, reader_for(tournament, webhook, caller_of(authority)))
        status: Status = "enabled"
        if not webhook.enabled:
            status = "disabled"
        elif not verified:
            status = "unverified"
        elif failing:
            status = "failing"
        origin = self.origin(tournament, webhook.id, sealed)
        return webhook_view(
            webhook, status, origin, failing, signing=signing, cursor=cursor, waiting=waiting, dead=dead
        )

    def begun_at(self, connection: Connection, tournament: str, webhook: str) -> int:
        """The place in the feed of the event with which a webhook began; 0 where it has none yet."""
        for event in events_of_type(connection, "scoring", tournament, "WebhookSubscribed"):
            if data_of(event)["webhook"] == webhook:
                return feed_position(connection, "scoring", tournament, event.position) or 0
        return 0

    def _addresses(self, target: Target) -> Sequence[Address] | None:
        """None where nobody says in time what the name stands for."""
        try:
            return self._threads.submit(self._look_up, target.host, target.port).result(LOOK_UP_SECONDS)
        except (OSError, UnicodeError, TimeoutError):
            return None


@contextmanager
def loaded_webhooks(tournament: str) -> Iterator[Tournament]:
    """The state whose webhooks are asked for: of a tournament, or of the installation. Raises as `gateway.reading`."""
    if tournament == INSTALLATION:  # the door has let in tokens for every tournament alone
        with gateway.repository.now(tournament) as loaded:
            need_own(loaded.state, caller())
            yield loaded.state
    else:
        with gateway.reading(tournament) as loaded:
            yield loaded.state
