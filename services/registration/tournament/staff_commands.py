"""What registration can be asked to do about its staff, and about tokens, with the shape of each member."""

from __future__ import annotations

from typing import Annotated, Literal

from shared.shapes import Command, Id, Name, OptionalReason, Size


class AppointStaff(Command, frozen=True, kw_only=True):
    """A member of staff; the answer carries their token. venue: they act there only; empty: everywhere.

    player: the id of the player whom they play as, if they do. override: why, where the tier lets no judge play.
    """

    name: Annotated[str, Name()]
    role: Literal["organiser", "head_referee", "referee", "spare", "integration"]
    venue: str = ""
    player: str = ""
    override: OptionalReason = ""


class EnterStaff(Command, frozen=True, kw_only=True):
    """player: the id of the player whom they play as. override: why, where the tier lets no judge play."""

    staff: Id
    player: Id
    override: OptionalReason = ""


class DismissStaff(Command, frozen=True, kw_only=True):
    """revoke_links: players' links that they asked for, or got by entering the player, end too."""

    tournament: Id
    staff: Id
    reason: OptionalReason = ""
    revoke_links: bool = False


class RevokeToken(Command, frozen=True, kw_only=True):
    """token_id: as it came with the token (its claim `jti`), for example `t-abc.p17.1772359200123`."""

    token_id: Annotated[str, Size(200, 1)]
    reason: OptionalReason = ""


class RevokeInstallationToken(RevokeToken, frozen=True, kw_only=True):
    """token_id: of a token that is of no one tournament, or of a service, as it came with it (its claim `jti`)."""
