"""Shapes of co-operative sessions and their ranking at scoring's door, and of what it shows."""

from __future__ import annotations

from marshmallow import fields, validate

from shared.application.schemas import SeasonConsequences
from shared.formats.coop.rules.moves import KINDS
from shared.web.fields import Answer, Choice, Flag, Identifier, Name, QueryNumber, Schema, Text, WholeNumber

MOST_MOVES = 20
MOST_GOALS = 50
MOST_SPACES = 1000
MANY = 100_000


class SetUp(Schema):
    """How a table is laid out. scenario, loyal_faction: left out where the organiser assigned them.

    goals: the four that were revealed; left out, the service draws them.
    """

    first_player = Identifier(required=True)
    scenario = Identifier(load_default="")
    loyal_faction = Name(load_default="")
    goals = fields.List(Identifier(), load_default=None, allow_none=True, validate=validate.Length(max=MOST_GOALS))


class Move(Schema):
    """Something that happened at the table; each kind of move takes its own members and no others."""

    move = Choice(*KINDS, required=True)
    goal = Identifier(metadata={"description": "goal_completed: which."})
    replaced_by = Identifier(metadata={"description": "goal_completed: the card revealed instead, where goals are."})
    survivor = Identifier(metadata={"description": "Who was killed, gained something, reveals a mutation."})
    cause = Text(100, metadata={"description": "survivor_killed: by what."})
    condition = Text(200, metadata={"description": "condition_met: which further one."})
    faction = Name(metadata={"description": "quest_reward: whom the reward advances."})
    quest = Text(100)
    reward = Text(200, metadata={"description": 'quest_reward: the "+" effect, for the loyal faction.'})
    spaces = WholeNumber(
        -MOST_SPACES,
        MOST_SPACES,
        metadata={
            "description": "quest_reward, scenario_effect: how far; of a scenario_effect below 0 for a move back."
        },
    )
    token_for = Identifier(
        metadata={"description": "quest_reward: who gains the C.A.M.P. token that the loyal faction's reward brings."}
    )
    text = Text(200)
    upgrade = Text(100)
    from_space = Text(
        100, metadata={"description": "camp_gained, quest_reward: taken from the map, where the supply is empty."}
    )
    space = Text(100, metadata={"description": "camp_placed: where."})
    card = Identifier(metadata={"description": "card_revealed: which; left out, the service draws one."})
    rads = WholeNumber(0, 100)
    enemies = fields.List(Identifier(), validate=validate.Length(max=2))
    icons = fields.List(Choice("A", "B"), validate=validate.Length(max=2))
    enemies_on_map = WholeNumber(0, 1000, metadata={"description": "Opposing ones."})
    player = Identifier(metadata={"description": "first_player_chosen: who."})
    fighter = Identifier(metadata={"description": "assisted: who fights."})
    hits = WholeNumber(0, 100)
    damage_icons = WholeNumber(0, 100)
    enemy_level = WholeNumber(0, 100)
    enemy_died = Flag()
    drawn = WholeNumber(0, 100, metadata={"description": "modification_kept: cards drawn, one for each shop action."})
    asset = Text(100, metadata={"description": "modification_kept: what it is put on."})


class PlayMoves(Schema):
    """moves: what happened at one moment, in order: all of them, or none and the fault of the first that cannot be."""

    moves = fields.List(fields.Nested(Move), required=True, validate=validate.Length(1, MOST_MOVES))


class EndSession(Schema):
    """outcome: unfinished where time ran out, abandoned where the table left."""

    outcome = Choice("unfinished", "abandoned", required=True)
    reason = Text(500, minimum=1, required=True)


class ToldSchema(Schema):
    """A whole session in numbers. rounds: begun. kills, cards: kills and activation cards that advanced the token.

    others: spaces it moved forward otherwise; back: spaces that the sheet
    moved it back. position: where the token lies, 0 at the top.
    """

    outcome = Choice("victory", "unfinished", "defeat", "abandoned", required=True)
    rounds = WholeNumber(0, MANY, required=True)
    completed = fields.List(Identifier(), required=True, validate=validate.Length(max=MOST_GOALS))
    kills = WholeNumber(0, MANY, load_default=0)
    cards = WholeNumber(0, MANY, load_default=0)
    others = WholeNumber(0, MANY, load_default=0)
    back = WholeNumber(0, MANY, load_default=0)
    position = WholeNumber(0, MANY, required=True)


class ReportSession(Schema):
    """A session as its table saw it."""

    told = fields.Nested(ToldSchema, required=True)


class CorrectSession(ReportSession):
    """The right numbers, and why the recorded ones were wrong."""

    reason = Text(500, minimum=1, required=True)


class SessionsQuery(Schema):
    """round: of which round; left out: of all."""

    round = QueryNumber(1, 1000)


class EndedShown(Answer):
    """What ended a session. event, position: in scoring's log."""

    outcome = fields.String(required=True)
    event = fields.String(required=True)
    position = fields.Integer(required=True)
    time = fields.String(required=True)
    cause = fields.String(required=True)


class SessionShown(Answer):
    """A table as it lies."""

    session = fields.String(required=True)
    round = fields.Integer(required=True, metadata={"description": "The round of sessions that it belongs to."})
    survivors = fields.List(fields.String(), required=True)
    host = fields.String(required=True)
    status = fields.String(required=True, metadata={"description": "seated, playing or ended."})
    scenario = fields.String()
    loyal_faction = fields.String()
    opposing_faction = fields.String()
    position = fields.Integer(metadata={"description": "Of the power token, 0 at the top."})
    last_space = fields.Integer(metadata={"description": "The position that loses the session."})
    session_round = fields.Integer(metadata={"description": "The round being played."})
    next = fields.String(metadata={"description": "What is next in it: turns, enemies, opposing or first_player."})
    first_player = fields.String()
    goals_open = fields.List(fields.String())
    goals_completed = fields.List(fields.String())
    goals_required = fields.Integer()
    conditions_open = fields.List(fields.String())
    camp_tokens = fields.Dict(keys=fields.String(), values=fields.Raw())
    upgrades = fields.Integer()
    ended = fields.Nested(EndedShown, allow_none=True)
    told = fields.Dict(metadata={"description": "The session in numbers, once it has ended."})
    confirmed = fields.List(fields.String())
    binds = fields.Boolean(required=True)


class SessionsShown(Answer):
    """Sessions."""

    sessions = fields.List(fields.Nested(SessionShown), required=True)


class RankingQuery(Schema):
    """round: as published after this round; left out: of all sessions that bind so far."""

    round = QueryNumber(1, 1000)


class BecauseShown(Answer):
    """The first comparison that separates a row from the one above it, or the first row from the one below it."""

    compared_with = fields.String(required=True, metadata={"description": "The session, or the survivor."})
    by = fields.String(
        required=True, metadata={"description": "fewer rounds, more goals …; equal: the rank is shared."}
    )
    own = fields.String(required=True)
    theirs = fields.String(required=True)
    clause = fields.String(required=True)


def _because() -> fields.Nested:
    return fields.Nested(
        BecauseShown, required=True, allow_none=True, metadata={"description": "null: there is no other."}
    )


class TableRankShown(Answer):
    """A table in the ranking. share: of the power track, exact."""

    rank = fields.Integer(required=True)
    session = fields.String(required=True)
    survivors = fields.List(fields.String(), required=True)
    outcome = fields.String(required=True)
    rounds = fields.Integer(required=True)
    share = fields.String(required=True)
    goals = fields.Integer(required=True)
    scenario = fields.String(metadata={"description": "Of its own ranking, where sides are ranked apart."})
    loyal = fields.String()
    because = _because()


class SurvivorRankShown(Answer):
    """A survivor over all sessions so far."""

    rank = fields.Integer(required=True)
    player = fields.String(required=True)
    name = fields.String(required=True)
    points = fields.Integer(required=True)
    victories = fields.Integer(required=True)
    rounds = fields.Integer(required=True, metadata={"description": "Of the victories."})
    goals = fields.Integer(required=True)
    because = _because()


class RankingShown(Answer):
    """The tables of a round in order, and the survivors. provisional: not as published."""

    tournament = fields.String(required=True)
    round = fields.Integer(required=True)
    provisional = fields.Boolean(required=True)
    final = fields.Boolean(required=True)
    tables = fields.List(fields.Nested(TableRankShown), required=True)
    survivors = fields.List(fields.Nested(SurvivorRankShown), required=True)


class CorrectionQuery(Schema):
    """preview: answer what would move, and append nothing."""

    preview = fields.Boolean(load_default=False)


class TableMoved(Answer):
    """A table that would stand elsewhere. before: null where it did not count."""

    session = fields.String(required=True)
    before = fields.Integer(required=True, allow_none=True)
    after = fields.Integer(required=True)


class SurvivorMoved(Answer):
    """A survivor who would stand elsewhere or with another sum."""

    player = fields.String(required=True)
    name = fields.String(required=True)
    before = fields.Integer(required=True, allow_none=True)
    after = fields.Integer(required=True)
    points_before = fields.Integer(required=True, allow_none=True)
    points_after = fields.Integer(required=True)


class CorrectionShown(Answer):
    """What a correction would move; nothing was appended."""

    events = fields.List(fields.String(), required=True)
    round = fields.Integer(required=True)
    tables = fields.List(fields.Nested(TableMoved), required=True)
    survivors = fields.List(fields.Nested(SurvivorMoved), required=True)
    seasons = fields.List(fields.Nested(SeasonConsequences), required=True)


class SessionShare(Answer):
    """What one session adds to a survivor's sum."""

    session = fields.String(required=True)
    round = fields.Integer(required=True)
    outcome = fields.String(required=True)
    points = fields.Integer(required=True)
    rounds = fields.Integer(required=True)
    goals = fields.Integer(required=True)
    corrected = fields.Boolean(required=True)


class SurvivorExplained(Answer):
    """Where a survivor stands among all sessions so far, and where the points come from, session by session."""

    player = fields.String(required=True)
    name = fields.String(required=True)
    rank = fields.Integer(required=True, allow_none=True, metadata={"description": "null: in no session that binds."})
    because = _because()
    points = fields.Integer(required=True)
    sessions = fields.List(fields.Nested(SessionShare), required=True)
    clause = fields.String(required=True)
