"""Shapes of what pairing shows."""

from __future__ import annotations

from marshmallow import fields

from services.pairing.tournament.time_schemas import TimingShown
from shared.application.schemas import ReceiptShown
from shared.web.fields import Answer


class LeftOut(Answer):
    """An active player who was not paired."""

    player = fields.String(required=True)
    name = fields.String(required=True)
    why = fields.String(required=True, metadata={"description": "no_roster, not_checked_in or sitting_out."})


class Paired(ReceiptShown):
    """The round as it stands now, and who was left out of it."""

    round = fields.Integer()
    left_out = fields.List(fields.Nested(LeftOut))


class GroupOfSide(Answer):
    """A group of one side of a game."""

    player = fields.String(required=True)
    name = fields.String(required=True)


class PairingShown(Answer):
    """A pairing with its place, its game's status and its reason.

    sides: of a game of three or more groups; player_1 and player_2 are then the first of the first two sides.
    """

    game = fields.String(required=True)
    kind = fields.String(required=True)
    player_1 = fields.String(required=True)
    name_1 = fields.String(required=True)
    player_2 = fields.String(required=True, metadata={"description": "Empty for a bye; staff in a spare game."})
    name_2 = fields.String(required=True)
    venue = fields.String(required=True)
    venue_name = fields.String(required=True)
    table = fields.Integer(required=True, metadata={"description": "0: none."})
    wave = fields.Integer(
        required=True, metadata={"description": "1: begins with the round; 2: next at that table, and so on."}
    )
    status = fields.String(required=True, metadata={"description": "open, reported, disputed or binding."})
    reason = fields.String(required=True)
    rematch = fields.Boolean(required=True)
    bye = fields.String(
        required=True, metadata={"description": "awarded or requested, for a bye that is none of the pairing."}
    )
    ends_at = fields.String(metadata={"description": "When time is called for this game; empty before the start."})
    held = fields.Boolean(metadata={"description": "It has not begun with its round: it waits for a player's list."})
    sides = fields.List(
        fields.List(fields.Nested(GroupOfSide)),
        metadata={"description": "Every side with its groups; left out of a game of two."},
    )


class HeldPlayer(Answer):
    """Whose list holds a game up."""

    player = fields.String(required=True)
    name = fields.String(required=True)
    why = fields.String(required=True, metadata={"description": "no_roster, roster_rejected or roster_not_accepted."})
    clause = fields.String(required=True)
    mended_by = fields.String(required=True)


class HeldGame(Answer):
    """A game that waits for a list."""

    game = fields.String(required=True)
    venue = fields.String(required=True)
    table = fields.Integer(required=True)
    players = fields.List(fields.Nested(HeldPlayer), required=True)


class HeldGames(Answer):
    """The games of a round that have not begun with it."""

    round = fields.Integer(required=True)
    items = fields.List(fields.Nested(HeldGame), required=True)


class RoundListed(Answer):
    """A round in short."""

    round = fields.Integer(required=True)
    stage = fields.String(required=True)
    status = fields.String(required=True, metadata={"description": "paired, started or closed."})
    method = fields.String(required=True, metadata={"description": "The policy's name, or manual."})
    scenario = fields.String()
    reason = fields.String(metadata={"description": "Of a round by hand."})
    games = fields.Integer(required=True, metadata={"description": "Without byes."})
    open = fields.Integer(required=True, metadata={"description": "Games without a binding result."})
    started_at = fields.String()
    ends_at = fields.String()
    seed = fields.String()
    made_from = fields.Integer(metadata={"description": "Scoring's position of the standings it was made from."})
    made_from_older_standings = fields.Boolean(
        metadata={"description": "Standings were recorded anew since; the pairings stand unless somebody acts."}
    )


class SpareShown(Answer):
    """A spare player who stands by."""

    staff = fields.String(required=True)
    name = fields.String(required=True)
    venue = fields.String(required=True, metadata={"description": "Empty: anywhere."})


class RoundsShown(Answer):
    """The rounds of a tournament."""

    rounds = fields.List(fields.Nested(RoundListed), required=True)
    planned = fields.Integer(allow_none=True, metadata={"description": "null: not fixed yet."})
    spares = fields.List(fields.Nested(SpareShown), metadata={"description": "Spare players who stand by."})


class RoundShown(RoundListed):
    """A round with its pairings, in the order in which they were made."""

    timing = fields.Nested(
        TimingShown,
        required=True,
        allow_none=True,
        metadata={"description": "null where rounds have no clock, as in a campaign."},
    )

    left_out = fields.List(fields.Nested(LeftOut))
    pairings = fields.List(fields.Nested(PairingShown), required=True)


class PlayersPairing(Answer):
    """A player's game of the latest round."""

    player = fields.String(required=True)
    round = fields.Integer(required=True)
    status = fields.String(required=True)
    pairing = fields.Nested(PairingShown, required=True)


class PinnedPlayer(Answer):
    """Somebody who keeps a table; never why."""

    player = fields.String(required=True)
    name = fields.String(required=True)


class TableShown(Answer):
    """A table: which game goes on there, and who keeps it; never why."""

    table = fields.Integer(required=True)
    accessible = fields.Boolean(required=True)
    game = fields.Nested(PairingShown, allow_none=True, required=True, metadata={"description": "null: free."})
    pinned = fields.List(fields.Nested(PinnedPlayer), required=True)


class TablesOfVenue(Answer):
    """A venue's tables."""

    venue = fields.String(required=True)
    name = fields.String(required=True)
    tables = fields.List(fields.Nested(TableShown), required=True)


class TablesShown(Answer):
    """Every table of every open venue, in the latest round."""

    round = fields.Integer(allow_none=True)
    venues = fields.List(fields.Nested(TablesOfVenue), required=True)


class SeedShown(Answer):
    """A seat of the cut."""

    seed = fields.Integer(required=True)
    player = fields.String(required=True)
    name = fields.String(required=True)
    given_up = fields.Boolean(required=True)


class CutShown(Answer):
    """Who is in the elimination stage, in seeding order."""

    after_round = fields.Integer(allow_none=True)
    seeds = fields.List(fields.Nested(SeedShown), required=True)
