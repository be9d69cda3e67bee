"""What may be asked of scoring about a campaign: before a game, after it, of dice, and by ruling.

group: whose it is; of a game, empty for a player's own. roll: as it lay on the table; without dice the service rolls.
"""

from __future__ import annotations

from typing import Annotated, Any

from services.scoring.campaign.reports import MOST_GOODS, MOST_MEMBERS
from shared.campaign.dice import RollTold
from shared.campaign.ledger import LedgerEntry
from shared.shapes import Command, Id, Open, Reason, Size

MOST_ROLLS = 10
"""Of one choice."""

MOST_GROUPS = 5000
"""In one campaign."""

RollIds = Annotated[list[Id], Size(500, 1)]


class Choose(Command, frozen=True, kw_only=True):
    """A choice of the open step, as `GET …/groups/{group}/post-game` lists it: its name, what it is about, its dice.

    rolls: in the order in which they are asked for; with `service` the service rolls what is not told.
    """

    group: Id
    does: Annotated[Id, "The name of the choice: `scavenge`, `take_offer` …"]
    of: Annotated[dict[str, Any], Open("of"), "As `of` of the listed choice; more where a choice takes it."] = {}
    rolls: Annotated[list[RollTold], Size(MOST_ROLLS)] = []
    service: bool = False


class CloseStep(Command, frozen=True, kw_only=True):
    """absent: by the staff, for a player who is away: what must be rolled is rolled, nothing else is done."""

    group: Id
    step: Id
    absent: bool = False


class RollOfGroup(RollTold, frozen=True, kw_only=True):
    """The die of one group."""

    group: Id


class OpenRecruits(Command, frozen=True, kw_only=True):
    """rolls: each with its group; the service rolls for every other group."""

    rolls: Annotated[list[RollOfGroup], Size(MOST_GROUPS)] = []


class MusterGroup(Command, frozen=True, kw_only=True):
    """The members who play; the others stay at home."""

    game: Id
    group: Id = ""
    fielded: Annotated[list[Id], Size(MOST_MEMBERS)]


class RollJams(Command, frozen=True, kw_only=True):
    """item: the weapon that the roll is for; left out, the service rolls for each that is still due."""

    game: Id
    group: Id = ""
    item: Id = ""
    roll: RollTold | None = None


class JudgeEvil(Command, frozen=True, kw_only=True):
    """rival: whom the roll judges; left out, the first that is still to be judged."""

    game: Id
    group: Id = ""
    rival: Id = ""
    roll: RollTold | None = None


class RollObjective(Command, frozen=True, kw_only=True):
    """roll: at the table; left out, the service rolls."""

    game: Id
    group: Id = ""
    roll: RollTold | None = None


class EnterLedger(Command, frozen=True, kw_only=True):
    """All entries, or none."""

    group: Id
    entries: Annotated[list[LedgerEntry], Size(MOST_GOODS, 1)]


class ConfirmDice(Command, frozen=True, kw_only=True):
    """rolls: by id; a player may leave them out, who then confirms all that wait for that player."""

    rolls: Annotated[list[Id], Size(500)] = []


class DisputeDice(Command, frozen=True, kw_only=True):
    """rolls: by id. reason: what is wrong with them."""

    rolls: RollIds
    reason: Reason


class RuleDice(Command, frozen=True, kw_only=True):
    """stands: whether the rolls count as they were told."""

    rolls: RollIds
    reason: Reason
    stands: bool
