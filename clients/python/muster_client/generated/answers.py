"""The shapes of the services' answers.

A member that may be missing is None then; members that are not known here are passed over.
Made of clients/openapi.json by `make client`.
"""

from __future__ import annotations

from typing import Any

from msgspec import field

from muster_client.answer import Answer, Part


class Alive(Answer, kw_only=True, omit_defaults=True):
    """The answer of /healthz."""

    status: str
    """ok"""
    service: str


class ViaView(Part, kw_only=True, omit_defaults=True):
    """The person besides the player who received the player's link."""

    how: str
    """link: `by` requested the link; entry: `by` entered the player. One of: link, entry."""
    by: str
    """The id of that person."""


class ActorView(Part, kw_only=True, omit_defaults=True):
    """The actor of an event; members that do not apply are absent."""

    actor: str
    """The id of a player or of a member of staff, or the name in the token."""
    role: str
    """The role in which they acted; `rule`: Muster itself, applying a rule. One of: operator, organiser, head_referee,
    referee, player, spare, integration, service, rule, guest.
    """
    venue: str | None = None
    """The id of the venue that their role is limited to; absent: every venue."""
    via: ViaView | None = None


class EventView(Part, kw_only=True, omit_defaults=True):
    """An event as recorded."""

    id: str
    source: str
    """The service whose log holds it."""
    type: str
    position: int
    """In its log, from 1."""
    time: str
    """RFC 3339, UTC."""
    actor: ActorView
    actor_text: str
    """The actor as a line: `p1, player` or `s2, referee of Hall B`."""
    data: dict[str, Any]
    """As recorded; a whole ruleset is shown as its id, version, name, format and address."""


class Announced(Answer, kw_only=True, omit_defaults=True):
    """The answer to announcing a tournament."""

    events: list[EventView]
    """The appended events; empty: nothing changed."""
    token: str
    """The organiser's token for this tournament."""
    token_id: str
    """The id of the token, to revoke it."""
    id: str | None = None
    """The id of the thing it created, as in addresses; absent if it created nothing or several things."""


class Appended(Answer, kw_only=True, omit_defaults=True):
    """The effect of a command."""

    events: list[EventView]
    """The appended events; empty: nothing changed."""
    id: str | None = None
    """The id of the thing it created, as in addresses; absent if it created nothing or several things."""


class Appointed(Answer, kw_only=True, omit_defaults=True):
    """The answer to appointing a member of staff."""

    events: list[EventView]
    """The appended events; empty: nothing changed."""
    token: str
    """The token of the new member of staff."""
    token_id: str
    """The id of the token, to revoke it."""
    id: str | None = None
    """The id of the thing it created, as in addresses; absent if it created nothing or several things."""


class AwaitedView(Part, kw_only=True, omit_defaults=True):
    """A group that this group waits for, with its open step."""

    group: str
    name: str
    step: str | None


class CarriedView(Part, kw_only=True, omit_defaults=True):
    """An item of the group. holder: empty: the stash. holders: who can carry it now, for `move_item`."""

    id: str
    holder: str
    holders: list[str]


class SpanView(Part, kw_only=True, omit_defaults=True):
    """The least and the greatest change of a balance."""

    least: int
    most: int


class EffectsView(Part, kw_only=True, omit_defaults=True):
    """What a choice can change, whatever its dice show.

    gains: goods. loses: items. then: the dice that may follow the listed ones. refused: some dice make it
    impossible, such as a price that is too high. closes: the steps that can be closed after it in the same list.
    """

    caps: SpanView
    clean: SpanView
    radiated: SpanView
    gains: list[str]
    loses: list[str]
    then: list[str]
    refused: bool
    closes: list[str]


class FaultView(Part, kw_only=True, omit_defaults=True):
    """A fault, or something that is advised against."""

    where: str
    """JSON pointer into the body, or the name of a header"""
    said: str
    """The value found there"""
    expected: str
    """The expected value, as an English sentence"""
    clause: str
    """The clause of the rules; empty if there is none"""
    code: str | None = None
    """A stable code for `expected`, for programs"""
    data: dict[str, Any] | None = None
    """The values in `expected`, by name"""


class LeftView(Part, kw_only=True, omit_defaults=True):
    """Something that closing the step would lose.

    does, of: the choice that uses it. won: it was won or is owned; otherwise it is a chance.
    """

    does: str
    of: dict[str, Any]
    clause: str
    won: bool


class TakesView(Part, kw_only=True, omit_defaults=True):
    """A further argument of a listed choice. It may be left out unless `of` contains it.

    values: the values that it can have. many: it is a list of them, `least` to `most` long. each: it is an object
    from values to whole numbers up to `most`. flag: true or false. Otherwise a whole number from `least` to `most`.
    """

    name: str
    values: list[str]
    least: int
    most: int
    many: bool
    each: bool
    flag: bool


class ChoiceView(Part, kw_only=True, omit_defaults=True):
    """A choice of a group."""

    does: str
    of: dict[str, Any]
    """The subject of the choice. Send it back unchanged."""
    dice: list[str]
    """The dice that the choice needs, in order."""
    legal: bool
    errors: list[FaultView]
    """The reasons why the choice is not legal. Empty: it is."""
    leaves: list[LeftView] | None = None
    """What can no longer be used after this choice. Not empty: send `leave`."""
    takes: list[TakesView] | None = None
    """Its further arguments."""
    effects: EffectsView | None = None
    """What it can change. Absent: it is not legal."""


class NamedView(Part, kw_only=True, omit_defaults=True):
    """The name of a thing, and what the tables of the ruleset say about it."""

    kind: str
    name: str
    text: str


class AskedView(Answer, kw_only=True, omit_defaults=True):
    """The open step of a group with its choices."""

    group: str
    name: str
    """The player's public name."""
    step: str | None
    """The open step. null: none."""
    step_name: str
    waits_for: list[FaultView]
    """What must be done before the step closes."""
    done: bool
    """The round is over for this group."""
    marked_dice: dict[str, str]
    """Rolls of the group whose status is a mark: neither confirmed nor upheld."""
    dice_to_confirm: list[str]
    """Rolls that this player has to confirm."""
    choices: list[ChoiceView]
    left_open: list[LeftView] | None = None
    """What closing the step loses. Not empty: send `leave`."""
    closes: list[str] | None = None
    """The open step and the next ones that can be closed together, having nothing to do."""
    turn: str | None = None
    """The group whose turn it is in step 4. Empty: no turn is open."""
    awaits: list[AwaitedView] | None = None
    """The groups that this one waits for."""
    caps: int | None = None
    clean: int | None = None
    radiated: int | None = None
    leader: str | None = None
    done_by: dict[str, list[str]] | None = None
    """Member -> what it did in this phase."""
    items: list[CarriedView] | None = None
    names: dict[str, NamedView] | None = None
    """The name of everything that a choice mentions, by its id or key."""


class AwardView(Part, kw_only=True, omit_defaults=True):
    """An award. It does not affect ranks."""

    id: str
    name: str
    player: str
    reason: str
    winner: str | None = None
    """The player's name."""


class AwardsView(Answer, kw_only=True, omit_defaults=True):
    """All awards of a tournament."""

    items: list[AwardView]


class ScoringEntryView(Part, kw_only=True, omit_defaults=True):
    """An entry of a balance."""

    event: str
    """The id of the event."""
    time: str
    round: int
    amount: int
    balance: int
    reason: str
    clause: str
    roll: str
    mark: str
    """The status of the roll, if it is one of `marked_dice`. Empty: no marked roll."""


class BalanceView(Answer, kw_only=True, omit_defaults=True):
    """A balance with all its entries."""

    id: str
    """The account: `caps`, `clean` or `radiated`."""
    group: str
    balance: int
    entries: list[ScoringEntryView]


class BarredBefore(Part, kw_only=True, omit_defaults=True):
    """A player who may be a person that the organiser has barred from later events."""

    id: str
    """The player in this tournament."""
    name: str
    by: str
    """The value that matches. One of: external_id, name."""
    tournament: str
    """The tournament that barred the person."""
    tournament_name: str
    barred: str
    """The later events, in words."""


class BarredPlayers(Answer, kw_only=True, omit_defaults=True):
    """Players to check, by tournament."""

    items: list[BarredBefore]


class BracketSide(Part, kw_only=True, omit_defaults=True):
    """One side of a bracket game."""

    player: str
    """Empty: not known yet, or no player."""
    name: str
    seed: int
    """The seed in the cut, from 1; 0: no player is known."""
    comes_from: str
    """The place of the game whose winner plays here; empty in the first round and in reseeded brackets."""


class BracketGame(Part, kw_only=True, omit_defaults=True):
    """A game of the bracket, paired or future."""

    place: str
    """`2.1` is the first game of the second round of the bracket."""
    leads_to: str
    """The place where the winner plays next; empty for the final and in reseeded brackets."""
    round: int
    """The round of the tournament."""
    id: str
    """The id of the game; empty until it is paired, and if it is not played."""
    winner: str
    """The player who advances; empty while that is open, and if no player does."""
    sides: list[BracketSide]
    """Always two."""
    status: str | None = None
    """Left out until the game is paired. One of: bye, open, reported, disputed, confirmed, ruled, corrected."""


class BracketView(Answer, kw_only=True, omit_defaults=True):
    """All games of the bracket, from the first round to the final."""

    bracket: str
    """`seeded`, `random` or `reseed`; `none`: the ruleset has no elimination stage."""
    size: int
    """Places in the first round: 2, 4, 8, …; 0: no cut has been made."""
    winner: str
    """The winner of the bracket; empty until it is decided."""
    items: list[BracketGame]


class Finding(Part, kw_only=True, omit_defaults=True):
    """A damaged item and its repair."""

    what: str
    """log, copy, feed, owner, memory, snapshot, or the name of a read model."""
    source: str
    """The service whose log it belongs to."""
    tournament: str
    """Empty for the feed."""
    where: str
    """The id of the event, the feed position, or a JSON pointer."""
    reason: str
    remedy: str
    """recover, recopy or rebuild; look: no command repairs it."""


class Checked(Answer, kw_only=True, omit_defaults=True):
    """The result of a check."""

    tournaments: int
    events: int
    findings: list[Finding]


class JoinedPlayer(Part, kw_only=True, omit_defaults=True):
    """A player who joined, with their token and link."""

    id: str
    name: str
    status: str
    """`active` or `waiting`."""
    token: str
    """The player's token."""
    token_id: str
    """The id of the token, to revoke it."""
    link: str
    """The player's link, which contains the token."""


class SameName(Part, kw_only=True, omit_defaults=True):
    """An unclaimed entry with the name of a player of the season who may be another person."""

    entry: str
    name: str
    club: str
    external_id: str
    player: str
    """The player of the season."""
    player_name: str
    player_club: str
    player_external_ids: list[str]


class Claimed(Answer, kw_only=True, omit_defaults=True):
    """The answer to claiming entries. `players` are the new players of the season."""

    events: list[EventView]
    """The appended events; empty: nothing changed."""
    players: list[JoinedPlayer]
    """In the order of the request."""
    claimed: str
    """The player of the season who has the last claimed entry."""
    id: str | None = None
    """The id of the thing it created, as in addresses; absent if it created nothing or several things."""
    same_names: list[SameName] | None = None
    """Claims by name: unclaimed entries that staff must check."""


class CallView(Part, kw_only=True, omit_defaults=True):
    """A time call of a round: its due time, and whether it was made."""

    call: str
    """The name that POST …/calls takes."""
    due_at: str
    """Empty before the round starts."""
    made: bool


class ExtendedGame(Part, kw_only=True, omit_defaults=True):
    """A game with an extension."""

    game: str
    ends_at: str


class PartClock(Part, kw_only=True, omit_defaults=True):
    """The clock of a round at one venue."""

    venue: str
    name: str
    """The name of the venue."""
    round: int
    started_at: str
    ends_at: str
    remaining_seconds: int
    """Negative after the end."""
    overtime_minutes: int | None
    hard_stop_at: str | None
    calls: list[CallView]


class CallPlanned(Part, kw_only=True, omit_defaults=True):
    """A time call of a round, with its offset from the start."""

    call: str
    """The name that POST …/calls takes."""
    due_at: str
    """Empty before the round starts."""
    made: bool
    second: int
    """Seconds after the start of the round."""


class ChessClockView(Part, kw_only=True, omit_defaults=True):
    """The chess clock of a game: one clock per player, which runs in their own turns and pauses for scoring."""

    use: str
    """`allowed` (both players have to agree) or `required`."""
    minutes_each: int
    set_up_minutes: int
    """Minutes of the round that are reserved for setting up."""
    at_zero: str
    """`referee_decides` or `no_further_turn`."""
    clause: str


class TimingView(Part, kw_only=True, omit_defaults=True):
    """The time of a round: planned values before its start, actual values afterwards."""

    day: int
    """The day of the event, from 1."""
    minutes: int
    game_rounds: int
    """The maximum number of game rounds."""
    at_time: str
    """What players may finish when time is called: finish_game_round, finish_turn or stop_now."""
    overtime_minutes: int | None
    """Minutes until every game must end; null: no limit."""
    break_minutes: int
    """The break after the round."""
    early_set_up: bool
    """True if players may set up before the start."""
    chess_clock: ChessClockView | None
    calls: list[CallPlanned]
    words: dict[str, str]
    """Display texts for `game_rounds` and `at_time`."""
    clauses: dict[str, str]


class ClockView(Answer, kw_only=True, omit_defaults=True):
    """The clock of the round that is being played. If venues have different clocks, the one that ends last."""

    running: bool
    """False: no round is being played."""
    now: str
    """The service's time, so that clients can correct their own clock."""
    round: int | None
    timing: TimingView | None = None
    """Only while the clock runs."""
    started_at: str | None = None
    ends_at: str | None = None
    remaining_seconds: int | None = None
    """Negative after the end."""
    overtime_minutes: int | None = None
    hard_stop_at: str | None = None
    calls: list[CallView] | None = None
    extended: list[ExtendedGame] | None = None
    """Games with an extension."""
    parts: list[PartClock] | None = None
    """The running clock of each venue, in the order of venues."""


class AtLineView(Part, kw_only=True, omit_defaults=True):
    """A player of the tied group that the cut divides."""

    player: str
    name: str
    rank: int
    goes_on: bool
    """True if the player is in the cut."""


class LineTieView(Part, kw_only=True, omit_defaults=True):
    """The tied group that the cut divides: no column of the standings separates its players."""

    drawn: bool
    """True if a recorded draw ordered the players; false if their ids did."""
    players: list[AtLineView]
    """In the order of the standings."""


class SeatGivenUpView(Part, kw_only=True, omit_defaults=True):
    """A player who gave up a seat, and the player who moved up."""

    player: str
    name: str
    moved_up: str
    """Empty: no one moved up; the opponent has a walkover."""
    moved_up_name: str


class SeedView(Part, kw_only=True, omit_defaults=True):
    """A seat of the cut."""

    player: str
    name: str
    seed: int
    given_up: bool
    status: str
    """The player's status: `active`, `dropped`, `disqualified` or `withdrawn`."""


class CutView(Answer, kw_only=True, omit_defaults=True):
    """The players in the elimination stage, in seeding order."""

    bracket: str
    """`seeded`, `random` or `reseed`; `none`: the ruleset has no elimination stage."""
    clause: str
    """The clause of the ruleset about the bracket."""
    due: int
    """The places of the cut that the ruleset requires now; 0: no cut is due, or it has been made."""
    after_round: int | None
    draft: bool
    """True until it is published; only staff see a draft."""
    publish_at: str
    """The scheduled publication of a draft; empty: none."""
    seeds: list[SeedView]
    gave_up: list[SeatGivenUpView]
    tie_at_line: LineTieView | None
    """The tied group that the cut divides. null: a column of the standings separates the last player in the cut from
    the next, or the standings have changed since.
    """


class AttemptView(Part, kw_only=True, omit_defaults=True):
    """An attempt to deliver a message."""

    time: str
    status: int
    """The HTTP status. 0: no response."""
    milliseconds: int
    fault: str
    """The code of the failure. Empty: success."""
    explanation: str
    """The failure in words."""
    response: str | None
    """The first 1024 bytes of the response. null: it comes from a private network, and only the operator sees it."""


class RequestView(Part, kw_only=True, omit_defaults=True):
    """The message as it would be posted now, without the signature."""

    method: str
    origin: str
    headers: dict[str, str]
    body: Any
    """The body as JSON. null: the event no longer exists."""


class DeliveryDetails(Answer, kw_only=True, omit_defaults=True):
    """A delivery with its message and all attempts."""

    id: int
    kind: str
    """`event`, `again` (resent on request), `verification` or `ping`."""
    message: str
    """The `webhook-id` of the message."""
    type: str
    """The event type. Empty for pings and verifications."""
    tournament: str
    state: str
    """`dead`: all attempts failed. It can be resent. One of: waiting, delivered, dead."""
    failed: int
    """The number of failed attempts."""
    due: str | None
    """When the next attempt is due, if no earlier delivery has to be sent first."""
    created: str
    finished: str | None
    request: RequestView
    attempts: list[AttemptView]
    fault: str | None = None
    """Why the last attempt failed. Absent: it succeeded, or there was none."""


class DeliveryView(Part, kw_only=True, omit_defaults=True):
    """A delivery. Every attempt sends the same message, except for the time and the signatures."""

    id: int
    kind: str
    """`event`, `again` (resent on request), `verification` or `ping`."""
    message: str
    """The `webhook-id` of the message."""
    type: str
    """The event type. Empty for pings and verifications."""
    tournament: str
    state: str
    """`dead`: all attempts failed. It can be resent. One of: waiting, delivered, dead."""
    failed: int
    """The number of failed attempts."""
    due: str | None
    """When the next attempt is due, if no earlier delivery has to be sent first."""
    created: str
    finished: str | None
    fault: str | None = None
    """Why the last attempt failed. Absent: it succeeded, or there was none."""


class DeliveryViewPage(Answer, kw_only=True, omit_defaults=True):
    """One page of a list of DeliveryView."""

    items: list[DeliveryView]
    next: str | None
    """Cursor of the next page; null: the end."""
    total: int
    """The total number on all pages, with these filters."""


class DieView(Part, kw_only=True, omit_defaults=True):
    """A roll that was reported from the table, with its status."""

    id: str
    """The id of the roll, for `rolls` of commands."""
    group: str
    round: int
    purpose: str
    """The clause that requires the roll."""
    faces: list[int]
    rolled_by: str
    witnessed_by: str
    told_by: str
    """The person who reported the roll."""
    standing: str
    """The status of the roll. `unconfirmed`: reported by one person. `reported_by_staff`: the person named with it has
    not spoken. `disputed`: that person denies it. `confirmed`. `upheld`, `rejected`: ruled by staff. `not_asked`:
    `fs.dice.witness` requires no confirmation, or the roll was discarded.
    """
    waits_for: str
    """The person who has to confirm it, as an alternative to staff. Empty: no one."""
    member: str
    """The member that it was rolled for. Empty: none."""
    source: str
    """`table`: rolled at the table. `service`: rolled by Muster. One of: table, service."""
    discarded_by: str
    """The id of the event that discarded it without a new roll. Empty: it was not discarded."""


class DieViewPage(Answer, kw_only=True, omit_defaults=True):
    """One page of a list of DieView."""

    items: list[DieView]
    next: str | None
    """Cursor of the next page; null: the end."""
    total: int
    """The total number on all pages, with these filters."""


class DivisionMoveView(Part, kw_only=True, omit_defaults=True):
    """A player who starts the next season in another division."""

    player: str
    name: str
    division: str
    to: str
    rank: int
    reason: str
    """`promoted`, `relegated` or `inactive`."""
    clause: str


class TieView(Part, kw_only=True, omit_defaults=True):
    """Players who share the last place above a line. Staff select `places` of them."""

    what: str
    """The line: `up`, `down` or `final`."""
    division: str
    places: int
    players: list[str]


class DivisionMovesView(Answer, kw_only=True, omit_defaults=True):
    """Promotions and relegations. decided: recorded at the end; otherwise by the current standings."""

    decided: bool
    items: list[DivisionMoveView]
    undecided: list[TieView]


class RegistrationEntryView(Part, kw_only=True, omit_defaults=True):
    """An entry of a gathered tournament."""

    id: str
    """The player in that tournament."""
    tournament: str
    name: str
    status: str
    player: str
    """The player of the season; empty: unclaimed."""


class EntryViewPage(Answer, kw_only=True, omit_defaults=True):
    """One page of a list of EntryView."""

    items: list[RegistrationEntryView]
    next: str | None
    """Cursor of the next page; null: the end."""
    total: int
    """The total number on all pages, with these filters."""


class EventViewPage(Answer, kw_only=True, omit_defaults=True):
    """One page of a list of EventView."""

    items: list[EventView]
    next: str | None
    """Cursor of the next page; null: the end."""
    total: int
    """The total number on all pages, with these filters."""


class NeighbourView(Part, kw_only=True, omit_defaults=True):
    """The previous or next row, and the criterion that separates it. `separated_by` empty: they share a rank."""

    player: str
    name: str
    separated_by: str


class ShareView(Part, kw_only=True, omit_defaults=True):
    """The contribution of one round to a value."""

    round: int
    opponent: str
    """The opponent. Empty: a bye, or several opponents (see `opponents`)."""
    value: str
    """Exact: 8 or 13/6."""
    opponents: list[str] | None = None
    """Campaigns: all opposing groups of the game."""


class ValueView(Part, kw_only=True, omit_defaults=True):
    """A value of a row with its clause and the contributions of the rounds."""

    column: str
    clause: str
    value: str
    """Exact: 8 or 13/6."""
    from_: list[ShareView] = field(name="from")
    parts: dict[str, int] | None = None
    """Campaigns: the parts of a group's final rating."""


class ExplainedView(Answer, kw_only=True, omit_defaults=True):
    """The origin of every value of a row."""

    player: str
    name: str
    values: list[ValueView]
    rank: int | None = None
    """Campaigns: the current rank."""
    above: NeighbourView | None = None
    below: NeighbourView | None = None


class FinalistView(Part, kw_only=True, omit_defaults=True):
    """An invited player.

    status: `invited`, `accepted` or `declined`. instead_of: the player who declined; empty: none.
    """

    player: str
    name: str
    status: str
    instead_of: str


class FinalView(Answer, kw_only=True, omit_defaults=True):
    """The invitations to the final, in order. standings: the number of the standings that the cut was made from."""

    standings: int
    named: list[str]
    items: list[FinalistView]


class FormView(Part, kw_only=True, omit_defaults=True):
    """A printed form. Fields that Muster does not know are filled in by hand."""

    id: str
    name: str
    holds: str
    """rounds, roster, sides, builder, pairings, standings or players."""
    filled_by: str
    """player or staff."""
    heading: list[str]
    columns: list[str]
    titles: dict[str, str]
    """The printed title of every member of heading and columns."""
    instructions: list[str]
    """Instructions for the person who fills it in."""
    lines: int
    """Lines on one sheet; 0: as many as needed."""
    order: str
    """upwards: the lowest line is used first."""
    clause: str
    copies: int | None
    """The number of copies to print. null: the number of rounds is not yet fixed."""


class FormsView(Answer, kw_only=True, omit_defaults=True):
    """The forms of a tournament's ruleset."""

    items: list[FormView]


class GroupScore(Part, kw_only=True, omit_defaults=True):
    """The outcome of a campaign's game for one group."""

    group: str
    outcome: str
    values: dict[str, int]


class CampaignScoreView(Part, kw_only=True, omit_defaults=True):
    """The score of a campaign's game."""

    outcome_1: str
    outcome_2: str | None
    values_1: dict[str, int]
    values_2: dict[str, int]
    groups: list[GroupScore] | None = None
    """Campaigns: the score of each group. `outcome_1` and `outcome_2` are those of the first two."""


class ContestView(Part, kw_only=True, omit_defaults=True):
    """The dispute or appeal that a referee has to decide."""

    kind: str
    """One of dispute, appeal"""
    player: str
    """The id of the player who disputes or appeals."""
    name: str
    reason: str
    at: str
    """When the dispute or appeal was made; RFC 3339, UTC."""


class SideView(Part, kw_only=True, omit_defaults=True):
    """A group before a campaign's game, with everything recorded so far."""

    group: str
    name: str
    external_id: str | None
    """The id of the player in another system, such as a rating list. null: none is known."""
    side: int
    """The number of the side, from 1. Groups on one side are allies."""
    rivals: list[str]
    """The groups on all other sides."""
    fielded: list[str] | None
    """The members who play. null: not mustered."""
    jams: dict[str, bool]
    judged_rival_evil: bool | None
    """Any rival was judged evil. null: no judgement was rolled."""
    judged: dict[str, bool]
    """Rival -> it was judged evil."""
    objective: str
    """The objective. Empty: not rolled."""


class GameShown(Answer, kw_only=True, omit_defaults=True):
    """A game and its result. Members that the format does not have are absent."""

    id: str
    round: int
    kind: str
    venue: str
    table: int
    """The table number. 0: no table."""
    wave: int
    """1: the game starts with the round. 2: it is the second game at its table, and so on."""
    player_1: str
    player_2: str
    name_1: str
    name_2: str
    external_id_1: str | None
    """The id of the player in another system, such as a rating list. null: none is known."""
    external_id_2: str | None
    """The id of the player in another system, such as a rating list. null: none is known."""
    status: str
    """bye: no game is played; open: no report yet; reported, disputed: the result does not count yet; confirmed,
    ruled, corrected: the result counts. One of: bye, open, reported, disputed, confirmed, ruled, corrected.
    """
    binds: bool
    improbable: bool
    """The facts are improbable, and the reporter confirmed them."""
    held: bool
    """The game cannot start: it waits for a player's list."""
    table_label: str | None = None
    """The text printed on the table. Absent: the number is printed."""
    facts: dict[str, Any] | None = None
    reported_by: str | None = None
    reported_at: str | None = None
    """When its result was first reported or ruled; RFC 3339, UTC. A correction does not change it."""
    report: int | None = None
    """The report that waits for an answer, by its position in the log of scoring. Send it with the confirmation.
    Absent: no report waits.
    """
    counter_facts: dict[str, Any] | None = None
    ruling: str | None = None
    """The level of the ruling: `referee`, `head_referee` or `organiser` (an override, or the final word if the ruleset
    has no head referee). Empty: no ruling.
    """
    both_links_of: str | None = None
    """The id of the person who received the links of both sides and requested at least one of them."""
    appealed: bool | None = None
    contest: ContestView | None = None
    """Absent: no dispute or appeal is open."""
    score: CampaignScoreView | None = None
    goes_on: str | None = None
    """In elimination: the player who advances, also after a tie. Empty: not decided yet."""
    sides: list[SideView] | None = None
    """Campaigns: the groups, as prepared before the game."""
    due: list[FaultView] | None = None
    """Campaigns: what must be recorded before the game."""


class GamesShown(Answer, kw_only=True, omit_defaults=True):
    """One page of games."""

    items: list[GameShown]
    next: str | None
    """Cursor of the next page; null: the end."""
    total: int
    """The total number on all pages, with these filters."""
    round: int | None
    """The round of the games. null: all rounds, or no round is paired."""
    version: str | None = None
    """Send it as `since` later, to get only what changed after this answer."""
    since: str | None = None
    """With `since`: that version, and `items` has only what changed after it. null: the changes are not known, and
    `items` is the whole list; replace yours with it.
    """
    gone: list[str] | None = None
    """With `since`: ids that are no longer in the list, or not with these filters. It may name ids that were never in
    it.
    """


class GatheredView(Part, kw_only=True, omit_defaults=True):
    """A tournament that the season counts."""

    id: str
    name: str
    format: str
    ruleset: str
    played_on: str
    division: str
    """The division that it counts for; empty: all."""
    tier: str
    weight: int | None
    """The weight set by hand, in per cent."""
    status: str
    """`announced`, `running`, `concluded` or `cancelled`."""
    results_taken: bool
    entries: int
    claimed: int


class GatheredViewPage(Answer, kw_only=True, omit_defaults=True):
    """One page of a list of GatheredView."""

    items: list[GatheredView]
    next: str | None
    """Cursor of the next page; null: the end."""
    total: int
    """The total number on all pages, with these filters."""


class GroupTaken(Answer, kw_only=True, omit_defaults=True):
    """The answer to submitting a group."""

    events: list[EventView]
    """The appended events; empty: nothing changed."""
    advice: list[FaultView]
    """Members who are legal on the roster but cannot be fielded yet."""
    id: str | None = None
    """The id of the thing it created, as in addresses; absent if it created nothing or several things."""


class GroupListed(Part, kw_only=True, omit_defaults=True):
    """A player with a summary of their group."""

    id: str
    """The id of the player."""
    player_name: str
    status: str
    """The status of the player."""
    force: str
    """Empty if no group was submitted."""
    members: int
    turfs_to_roll: int
    complete: bool
    rating: int


class GroupsListed(Answer, kw_only=True, omit_defaults=True):
    """All active and waiting players, with their groups."""

    items: list[GroupListed]


class GroupLine(Part, kw_only=True, omit_defaults=True):
    """A summary of a group."""

    id: str
    name: str
    force: str
    members: int
    leader: str
    rating: int
    """The last final rating."""
    caps: int
    playing: bool


class GroupsView(Answer, kw_only=True, omit_defaults=True):
    """Every group of a campaign."""

    items: list[GroupLine]


class HeadView(Part, kw_only=True, omit_defaults=True):
    """The end of a log."""

    position: int
    hash: str


class HeadsView(Answer, kw_only=True, omit_defaults=True):
    """The ends of the logs of a tournament, as far as this service has copied them."""

    tournament: str
    heads: dict[str, HeadView]


class HeldPlayer(Part, kw_only=True, omit_defaults=True):
    """A player whose list holds up a game."""

    player: str
    name: str
    reason: str
    """`no_roster`, `roster_rejected` or `roster_not_accepted`."""
    clause: str
    mended_by: str
    """The action that lets the game start, as an English sentence."""


class HeldGame(Part, kw_only=True, omit_defaults=True):
    """A game that cannot start until a list is accepted."""

    id: str
    venue: str
    table: int
    players: list[HeldPlayer]
    table_label: str | None = None
    """The text printed on the table. Absent: the number is printed."""


class HeldGames(Answer, kw_only=True, omit_defaults=True):
    """The games that did not start with their round."""

    round: int
    items: list[HeldGame]


class ChangeView(Part, kw_only=True, omit_defaults=True):
    """An event of registration between two standings."""

    id: str
    source: str
    """The service whose log holds it."""
    type: str
    position: int
    """In its log, from 1."""
    time: str
    """RFC 3339, UTC."""
    actor: ActorView
    actor_text: str
    """The actor as a line: `p1, player` or `s2, referee of Hall B`."""
    data: dict[str, Any]
    """As recorded; a whole ruleset is shown as its id, version, name, format and address."""
    what: str


class PassedBy(Part, kw_only=True, omit_defaults=True):
    """A player who was not ahead before, and is ahead now."""

    player: str
    name: str


class CountedView(Part, kw_only=True, omit_defaults=True):
    """A result in a season. reason: why it does not count; empty: it counts."""

    entry: str
    place: int
    points: int | str
    """An integer, or a decimal as a string."""
    reason: str


class ResultMoved(Part, kw_only=True, omit_defaults=True):
    """A player's own result that changed; null: there was no result before, or there is none after."""

    tournament: str
    before: CountedView | None
    after: CountedView | None


class SeasonMoveView(Part, kw_only=True, omit_defaults=True):
    """A player of a season whose rank or values change; without a rank the player is not in the table."""

    player: str
    name: str
    division: str
    rank_before: int | None
    rank_after: int | None
    points_before: int | str
    """An integer, or a decimal as a string."""
    points_after: int | str
    """An integer, or a decimal as a string."""
    columns: list[str]
    """The values that change."""
    results: list[ResultMoved]
    passed_by: list[PassedBy]
    """At most five."""


class ChangedByView(Part, kw_only=True, omit_defaults=True):
    """An event that changed the results of a tournament after they had been taken."""

    id: str
    type: str
    time: str
    actor: ActorView
    actor_text: str
    """The actor as text, such as `p1, player`."""
    reason: str


class TakenView(Part, kw_only=True, omit_defaults=True):
    """A tournament whose results were taken. heads: the ends of its logs at that time."""

    tournament: str
    name: str
    reason: str
    """`concluded` or `corrected`."""
    heads: dict[str, HeadView]
    causes: list[ChangedByView]


class HistoryItem(Part, kw_only=True, omit_defaults=True):
    """A change of a player's rank or values.

    told_only: a correction after the end that did not change the standings.
    """

    number: int
    """The number of the standings."""
    time: str
    told_only: bool
    move: SeasonMoveView | None
    causes: list[TakenView]
    """The tournaments whose results caused the change."""
    changes: list[ChangeView]
    """Events of registration that contributed to the change, such as merges."""


class HistoryView(Answer, kw_only=True, omit_defaults=True):
    """All changes of a player's rank or values, oldest first."""

    player: str
    name: str
    items: list[HistoryItem]


class EntryOwned(Part, kw_only=True, omit_defaults=True):
    """An entry of a player of the season."""

    tournament: str
    entry: str


class IdentityView(Answer, kw_only=True, omit_defaults=True):
    """A player of the season with their entries."""

    id: str
    name: str
    status: str
    division: str
    merged_into: str
    """The player into whom they were merged; empty: not merged."""
    entries: list[EntryOwned]
    before: EntryOwned | None
    """Their season and player id before this one."""


class IdentityViewPage(Answer, kw_only=True, omit_defaults=True):
    """One page of a list of IdentityView."""

    items: list[IdentityView]
    next: str | None
    """Cursor of the next page; null: the end."""
    total: int
    """The total number on all pages, with these filters."""


class InvitationView(Answer, kw_only=True, omit_defaults=True):
    """A survivor's invitation to their table."""

    player: str
    invitation: str
    """The code that others enter."""
    party: str
    """The survivor's party; empty: none."""
    players: list[str]
    """The members of the party."""
    places: int
    """The number of players who can still join."""


class Joined(Answer, kw_only=True, omit_defaults=True):
    """The answer to joining."""

    events: list[EventView]
    """The appended events; empty: nothing changed."""
    players: list[JoinedPlayer]
    """In the order of the request."""
    id: str | None = None
    """The id of the thing it created, as in addresses; absent if it created nothing or several things."""


class Named(Part, kw_only=True, omit_defaults=True):
    """A player."""

    player: str
    name: str


class JudgeCallView(Answer, kw_only=True, omit_defaults=True):
    """A call of a judge to a table."""

    id: str
    round: int
    game: str
    venue: str
    venue_name: str
    table: int
    """0: the game has none."""
    players: list[Named]
    """The current players of the game; empty if it no longer exists."""
    caller: str
    """The id of the player or member of staff who called."""
    caller_name: str
    reason: str
    """One of rules, time, dispute, other"""
    text: str
    status: str
    """One of waiting, taken, answered, withdrawn"""
    called_at: str
    referee: str
    """The member of staff who took or answered the call; empty: none yet."""
    referee_name: str
    taken_at: str
    ended_at: str
    """The time when it was answered or withdrawn; empty: it is open."""
    answer: str
    table_label: str | None = None
    """The text printed on the table. Absent: the number is printed."""


class JudgeCallViewPage(Answer, kw_only=True, omit_defaults=True):
    """One page of a list of JudgeCallView."""

    items: list[JudgeCallView]
    next: str | None
    """Cursor of the next page; null: the end."""
    total: int
    """The total number on all pages, with these filters."""


class FindingView(Part, kw_only=True, omit_defaults=True):
    """A fact that the rules would have avoided, or that changed after the round was paired."""

    code: str
    """One of rematch, kept_apart, other_venue, venue_closed, table_gone, table_shared, not_at_fixed_table,
    table_kept_free, table_again, bye_again, byes_together, byes_meet, bye_beside_spare, spare_gone, staff_plays,
    cannot_play, left_out, older_standings
    """
    game: str
    """Empty if the finding is about the round."""
    players: list[str]
    said: str
    """The finding as an English sentence."""
    clause: str
    """The clause of the ruleset, if there is one."""
    sentence: str | None = None
    """The stable code of the sentence. It excludes the leading names or game id."""
    data: dict[str, Any] | None = None
    """The values in the sentence."""


class LeftOut(Part, kw_only=True, omit_defaults=True):
    """An active player who is not paired."""

    player: str
    name: str
    reason: str
    """`no_roster`, `not_checked_in`, `sitting_out`, `played_elsewhere` (at the venue they left) or `venue_set_aside`;
    in a campaign `no_group` or `wiped_out`.
    """


class RuledPairing(Part, kw_only=True, omit_defaults=True):
    """A pairing that the rules would make."""

    kind: str
    player_1: str
    name_1: str
    player_2: str
    name_2: str
    venue: str
    table: int
    wave: int
    reason: str
    rematch: bool
    stands: str
    """The id of the round's game between the same players; empty: none."""
    sides: list[list[str]]
    table_label: str | None = None
    """The text printed on the table. Absent: the number is printed."""


class RuledRound(Part, kw_only=True, omit_defaults=True):
    """The round as the rules would pair it."""

    method: str
    refused: str
    """The reason why the rules cannot pair the round; empty if they can."""
    same: int
    """Games that match a game of the round."""
    pairings: list[RuledPairing]
    left_out: list[LeftOut]
    code: str | None = None
    """With `refused`: the code of the problem."""
    data: dict[str, Any] | None = None
    """With `refused`: the data of the problem."""


class JudgementView(Answer, kw_only=True, omit_defaults=True):
    """The judgement of a round: findings, and the pairings that the rules would make."""

    round: int
    status: str
    findings: list[FindingView]
    by_hand: list[str]
    """Games of the round that the rules would not make."""
    by_rules: RuledRound


class LinkIssued(Answer, kw_only=True, omit_defaults=True):
    """A new link of a player. `id` is the id of its token, to revoke it."""

    events: list[EventView]
    """The appended events; empty: nothing changed."""
    token: str
    """The token that the link contains."""
    link: str
    id: str | None = None
    """The id of the thing it created, as in addresses; absent if it created nothing or several things."""


class LinkView(Part, kw_only=True, omit_defaults=True):
    """A player's link, without the link itself."""

    id: str
    """The id of its token, to revoke it."""
    kind: str
    """`sign-up`: from the player's own sign-up. `entry`: from an entry by someone else. `issued`: by staff."""
    actor: ActorView
    """The person who signed up, entered the player, or requested the link."""
    actor_text: str
    """The actor as a line: `s2, referee`."""
    name: str
    """The name of the actor, if they are staff."""
    time: str
    """RFC 3339, UTC."""
    reason: str
    revoked: bool


class LinkViewPage(Answer, kw_only=True, omit_defaults=True):
    """One page of a list of LinkView."""

    items: list[LinkView]
    next: str | None
    """Cursor of the next page; null: the end."""
    total: int
    """The total number on all pages, with these filters."""


class LookView(Part, kw_only=True, omit_defaults=True):
    """An access to personal data."""

    id: int
    time: str
    actor: str
    """The id of the person; for staff, the id in the tournament."""
    role: str
    members: list[str]


class LookViewPage(Answer, kw_only=True, omit_defaults=True):
    """One page of a list of LookView."""

    items: list[LookView]
    next: str | None
    """Cursor of the next page; null: the end."""
    total: int
    """The total number on all pages, with these filters."""


class PinnedTable(Part, kw_only=True, omit_defaults=True):
    """The fixed table of a player."""

    venue: str
    table: int
    table_label: str | None = None
    """The text printed on the table. Absent: the number is printed."""


class PlayerView(Answer, kw_only=True, omit_defaults=True):
    """The public view of a player."""

    id: str
    name: str
    external_id: str
    """The player's id in other systems; may be empty."""
    faction: str
    club: str
    venue: str
    status: str
    late: bool
    checked_in: bool
    roster: str
    """Empty, `submitted`, `accepted` or `rejected`."""
    pinned: PinnedTable | None
    """The player's fixed table. The reason is private."""
    warnings: int
    barred: str
    """Later events from which the player is barred by a disqualification; empty: none."""
    after_round: int
    roster_on_paper: bool | None = None
    """True if staff saw the roster on paper and its contents were not entered."""
    waiting_position: int | None = None
    """The place on the waiting list, from 1."""


class MeView(Answer, kw_only=True, omit_defaults=True):
    """The player of a link, with the addresses of their resources."""

    tournament: str
    name: str
    """The tournament's name."""
    status: str
    player: PlayerView
    links: dict[str, str]
    player_links: list[LinkView]
    """The player's links, and who received each one. Tell an organiser of any that you do not know."""


class MemberEventView(Part, kw_only=True, omit_defaults=True):
    """An event about a member."""

    id: str
    source: str
    """The service whose log holds it."""
    type: str
    position: int
    """In its log, from 1."""
    time: str
    """RFC 3339, UTC."""
    actor: ActorView
    actor_text: str
    """The actor as a line: `p1, player` or `s2, referee of Hall B`."""
    data: dict[str, Any]
    """As recorded; a whole ruleset is shown as its id, version, name, format and address."""
    discarded_by: str
    """For rolls: the id of the event that discarded it. Empty: it was not discarded."""


class MemberEventViewPage(Answer, kw_only=True, omit_defaults=True):
    """One page of a list of MemberEventView."""

    items: list[MemberEventView]
    next: str | None
    """Cursor of the next page; null: the end."""
    total: int
    """The total number on all pages, with these filters."""


class MessageQueued(Answer, kw_only=True, omit_defaults=True):
    """A message that is sent soon."""

    id: int
    """The id of the delivery. See GET …/deliveries/{id} for the outcome."""


class MoveView(Part, kw_only=True, omit_defaults=True):
    """A version of the ruleset with the round from which it applies."""

    id: str
    version: str
    from_round: int
    """0 for the announced version."""


class MovesView(Answer, kw_only=True, omit_defaults=True):
    """All versions of the ruleset that the campaign has used, oldest first."""

    items: list[MoveView]


class MissingValues(Part, kw_only=True, omit_defaults=True):
    """The values that a side of a scenario still lacks. A table with this side cannot be set up."""

    scenario: str
    side: int
    """1 or 2."""
    missing: list[str]


class OperatorDataView(Answer, kw_only=True, omit_defaults=True):
    """The latest operator data."""

    version: int
    """0: none yet."""
    data: dict[str, Any]
    missing: list[MissingValues]


class OrganiserToken(Answer, kw_only=True, omit_defaults=True):
    """A new token of an organiser. `id` is the id of the token, to revoke it."""

    events: list[EventView]
    """The appended events; empty: nothing changed."""
    token: str
    """The token. It cannot be shown again."""
    id: str | None = None
    """The id of the thing it created, as in addresses; absent if it created nothing or several things."""


class OrganiserTokenView(Part, kw_only=True, omit_defaults=True):
    """A token of an organiser, without the token itself."""

    id: str
    """The id of the token, to revoke it."""
    organiser: str
    """The organiser's name on record. They lead the tournaments announced under it."""
    actor: ActorView
    """The operator who issued it."""
    actor_text: str
    """The actor as a line: `kim, operator`."""
    time: str
    """RFC 3339, UTC."""
    expires_at: str
    """RFC 3339, UTC."""
    revoked: bool


class OrganiserTokenViewPage(Answer, kw_only=True, omit_defaults=True):
    """One page of a list of OrganiserTokenView."""

    items: list[OrganiserTokenView]
    next: str | None
    """Cursor of the next page; null: the end."""
    total: int
    """The total number on all pages, with these filters."""


class OverlayRound(Part, kw_only=True, omit_defaults=True):
    """The latest round and its clock."""

    round: int
    stage: str
    status: str
    """One of paired, started, closed"""
    scenario: str
    games: int
    """The number of games without byes, at the requested venue."""
    open: int
    """The number of these games without a result that counts."""
    started_at: str
    """When the round started. Empty: it has not."""
    ends_at: str
    """When time is called. Empty: the round has not started."""
    hard_stop_at: str | None
    """When all games must stop. null: no fixed time."""


class RowView(Part, kw_only=True, omit_defaults=True):
    """A row of standings."""

    rank: int
    player: str
    name: str
    external_id: str | None
    """The id of the player in another system, such as a rating list. null: none is known."""
    values: dict[str, int | str]
    """The columns of the ruleset: whole numbers, or decimals as strings. A value that is computed within tied groups
    is empty for players who are not tied.
    """
    tied: bool
    """Only a draw separates the player from the previous or next one."""
    status: str
    separated_by: str | None = None
    """Campaigns: the criterion that separates this row from the one above. Empty: they share a rank."""
    crosstable: dict[str, list[int | str]] | None = None
    """Round robins: opponent -> the points of each game against them, in order."""
    byes: int | None = None
    """Byes up to this round. Absent: none."""
    venue: str | None = None
    """The player's venue. Only with `venue`."""
    venue_rank: int | None = None
    """The rank among the players of this venue. Only with `venue`."""


class OverlayStandings(Part, kw_only=True, omit_defaults=True):
    """The top of the current standings."""

    round: int
    final: bool
    provisional: bool
    columns: list[str]
    items: list[RowView]
    total: int
    """The total number on all pages, with these filters."""
    words: dict[str, str] | None = None


class OverlayPlayer(Part, kw_only=True, omit_defaults=True):
    """A player at a table."""

    player: str
    name: str
    faction: str
    club: str
    rank: int | None
    """The rank in the current standings. null: not ranked, such as a spare player."""
    values: dict[str, int | str]
    """The columns of the standings."""


class ScoreView(Part, kw_only=True, omit_defaults=True):
    """The score of a game: outcome and values of each side."""

    outcome_1: str
    outcome_2: str | None
    values_1: dict[str, int]
    values_2: dict[str, int]


class OverlayTable(Part, kw_only=True, omit_defaults=True):
    """A game of the latest round."""

    game: str
    venue: str
    table: int
    wave: int
    status: str
    """bye: no game is played; open: no report yet; reported, disputed: the result does not count yet; confirmed,
    ruled, corrected: the result counts. One of: bye, open, reported, disputed, confirmed, ruled, corrected.
    """
    binds: bool
    """The result counts in the standings."""
    ends_at: str
    """When time is called for this game. Empty: the round has not started."""
    sides: list[list[OverlayPlayer]]
    """The players of each side."""
    table_label: str | None = None
    """The text printed on the table. Absent: the number is printed."""
    score: ScoreView | None = None
    """The score. Absent: no result yet."""


class OverlayView(Answer, kw_only=True, omit_defaults=True):
    """The data that a video stream shows about a tournament."""

    tournament: str
    name: str
    round: OverlayRound | None
    """The latest round. null: no round is paired."""
    tables: list[OverlayTable]
    """The games of the latest round in the order of tables, without byes."""
    standings: OverlayStandings


class Paired(Answer, kw_only=True, omit_defaults=True):
    """The answer to pairing a round: its events, its number as `id`, and the players left out."""

    events: list[EventView]
    """The appended events; empty: nothing changed."""
    left_out: list[LeftOut]
    id: str | None = None
    """The id of the thing it created, as in addresses; absent if it created nothing or several things."""


class EventForeseen(Part, kw_only=True, omit_defaults=True):
    """An event that would be appended."""

    source: str
    """The service that would append it."""
    type: str
    data: dict[str, Any]


class GroupOfSide(Part, kw_only=True, omit_defaults=True):
    """A group on one side of a game."""

    player: str
    name: str


class PairingView(Answer, kw_only=True, omit_defaults=True):
    """A pairing with its table, the status of its game, and the reason for the pairing.

    In a game of three or more groups, `player_1` and `player_2` are the first groups of the first two sides.
    """

    id: str
    kind: str
    player_1: str
    name_1: str
    player_2: str
    """Empty for a bye; a member of staff in a spare game."""
    name_2: str
    external_id_1: str | None
    """The id of the player in another system, such as a rating list. null: none is known."""
    external_id_2: str | None
    """The id of the player in another system, such as a rating list. null: none is known."""
    venue: str
    venue_name: str
    table: int
    """0: none."""
    wave: int
    """1: starts with the round; 2: the next game at that table, and so on."""
    status: str
    """bye: no game is played; open: no report yet; reported, disputed: the result does not count yet; confirmed,
    ruled, corrected: the result counts. One of: bye, open, reported, disputed, confirmed, ruled, corrected.
    """
    binds: bool
    """True if the standings count the current result."""
    reason: str
    rematch: bool
    bye: str
    """`awarded` or `requested` for a bye that was granted; empty otherwise."""
    ends_at: str
    """The time when this game ends; empty before the start."""
    held: bool
    """True if the game has not started with its round because it waits for a player's list."""
    table_label: str | None = None
    """The text printed on the table. Absent: the number is printed."""
    sides: list[list[GroupOfSide]] | None = None
    """The groups of each side; only in games of three or more groups."""


class RoundPartView(Part, kw_only=True, omit_defaults=True):
    """The part of a round at one venue. A round is closed when all its parts are."""

    venue: str
    name: str
    """The name of the venue."""
    publish_at: str
    """The scheduled publication of a draft; empty: none."""
    status: str
    """`draft`, `paired`, `started`, `aside` (the others go on without it) or `closed`."""
    games: int
    """The number of games, without byes."""
    open: int
    """Games without a result, or whose result does not count yet."""
    started_at: str
    ends_at: str


class RoundView(Answer, kw_only=True, omit_defaults=True):
    """A round with its pairings, in pairing order."""

    round: int
    stage: str
    status: str
    """`draft`, `paired`, `started` or `closed`."""
    method: str
    """The name of the pairing policy, or `manual`."""
    scenario: str
    reason: str
    """The reason for pairing by hand."""
    games: int
    """The number of games, without byes."""
    open: int
    """Games without a result, or whose result does not count yet."""
    publish_at: str
    """The scheduled publication of a draft; empty: none."""
    started_at: str
    ends_at: str
    seed: str
    made_from: int
    """The position in scoring's log of the standings that the round was paired from."""
    made_from_older_standings: bool
    """True if the standings have changed since the round was paired. The pairings stay until someone acts."""
    timing: TimingView | None
    """null if rounds have no clock, as in a campaign."""
    left_out: list[LeftOut]
    pairings: list[PairingView]
    next: str | None
    """Cursor of the next page of pairings; null: the last page, or no page was requested."""
    total: int
    """The total number on all pages, with these filters."""
    parts: list[RoundPartView] | None = None
    """The part at each venue, in the order of venues."""
    version: str | None = None
    """Send it as `since` later, to get only what changed after this answer."""
    since: str | None = None
    """With `since`: that version, and `items` has only what changed after it. null: the changes are not known, and
    `items` is the whole list; replace yours with it.
    """
    gone: list[str] | None = None
    """With `since`: ids that are no longer in the list, or not with these filters. It may name ids that were never in
    it.
    """


class SeatedView(Part, kw_only=True, omit_defaults=True):
    """A table of a round of sessions."""

    id: str
    """The id of its session."""
    venue: str
    table: int
    """The table number; 0: none."""
    survivors: list[str]
    names: list[str]
    host: str
    scenario: str
    """Assigned by the organiser; empty: the table chooses."""
    loyal_faction: str
    status: str
    """seated: not set up yet; setup, playing, ended: as reported by the table; not_played: no survivors are left. One
    of: seated, setup, playing, ended, not_played.
    """
    binds: bool
    """True if the ranking counts the current result."""
    table_label: str | None = None
    """The text printed on the table. Absent: the number is printed."""


class SessionRoundView(Part, kw_only=True, omit_defaults=True):
    """A round of sessions with its tables."""

    round: int
    method: str
    """`drawn` or `manual`."""
    seed: str
    closed: bool
    waiting: list[str]
    not_there: list[str]
    tables: list[SeatedView]


class PairingMoves(Part, kw_only=True, omit_defaults=True):
    """The resources that the command would change, as they would be afterwards."""

    round: RoundView | None = None
    """The latest round; null: the command withdraws it and no round is left."""
    session_round: SessionRoundView | None = None
    """The latest round of sessions."""
    judgement: JudgementView | None = None
    """The judgement of a round that would be a draft."""
    cut: CutView | None = None
    """The cut, with the players who are tied at its line."""


class Uncertain(Part, kw_only=True, omit_defaults=True):
    """A value that is not known before the command runs."""

    where: str
    """JSON pointer into this answer: an omitted member, or the first of the events that follow."""
    reason: str
    """made: an id, a secret or a time; rolled: a lot or dice, drawn when the command runs. One of: made, rolled."""


class PairingPreview(Answer, kw_only=True, omit_defaults=True):
    """The outcome that a command would have. Nothing is appended.

    Send this answer's ETag as If-Match with the command: it then has exactly this outcome, or is refused.
    """

    preview: bool
    events: list[EventForeseen]
    """The certain events, in order. Without uncertain values: all of them."""
    uncertain: list[Uncertain]
    moves: PairingMoves


class PartyView(Part, kw_only=True, omit_defaults=True):
    """A party of survivors who sit together."""

    id: str
    players: list[str]


class PartiesView(Answer, kw_only=True, omit_defaults=True):
    """All parties."""

    items: list[PartyView]


class PersonalView(Answer, kw_only=True, omit_defaults=True):
    """The personal data that the caller may see."""

    player: str
    data: dict[str, Any]
    """`email`, `phone`, `legal_name`: visible to the organiser and the player. `needs`, `table_reason`: also to a head
    referee. `notes` (event, type, time, actor, note): visible to organiser and head referee.
    """


class RecruitView(Part, kw_only=True, omit_defaults=True):
    """A recruit in the pool."""

    id: str
    rank: str
    roll: str


class PoolView(Part, kw_only=True, omit_defaults=True):
    """The pool of recruits in step 4. order: the groups that still have to act, the next one first."""

    open: bool
    recruits: list[RecruitView]
    order: list[str]
    waits_for: list[FaultView]
    """The reasons why recruits cannot be opened yet."""


class StepView(Part, kw_only=True, omit_defaults=True):
    """The step of a group in its post-game phase."""

    group: str
    name: str
    """The player's public name."""
    step: str | None
    """The open step. null: none."""
    step_name: str
    waits_for: list[FaultView]
    """What must be done before the step closes."""
    done: bool
    """The round is over for this group."""
    marked_dice: dict[str, str]
    """Rolls of the group whose status is a mark: neither confirmed nor upheld."""
    dice_to_confirm: list[str]
    """Rolls that this player has to confirm."""


class PhaseView(Answer, kw_only=True, omit_defaults=True):
    """The post-game phase of a round for all groups."""

    round: int
    closed: bool
    groups: list[StepView]
    recruits: PoolView


class PlayerPage(Answer, kw_only=True, omit_defaults=True):
    """A page of players."""

    items: list[PlayerView]
    next: str | None
    """Cursor of the next page; null: the end."""
    total: int
    """The total number on all pages, with these filters."""
    version: str | None = None
    """Send it as `since` later, to get only what changed after this answer."""
    since: str | None = None
    """With `since`: that version, and `items` has only what changed after it. null: the changes are not known, and
    `items` is the whole list; replace yours with it.
    """
    gone: list[str] | None = None
    """With `since`: ids that are no longer in the list, or not with these filters. It may name ids that were never in
    it.
    """


class PlayersPairing(Answer, kw_only=True, omit_defaults=True):
    """A player's game in the latest round; of their venue, if each venue is paired by itself."""

    player: str
    round: int
    status: str
    pairing: PairingView
    time_zone: str | None = None
    """The IANA name of the time zone of the game's venue. Absent: not set."""


class SeparatedBy(Part, kw_only=True, omit_defaults=True):
    """The first criterion that separates a row from the previous one, or the first row from the second."""

    compared_with: str
    """The id of the other session or survivor."""
    by: str
    """The criterion, such as `fewer rounds` or `more goals`. `equal`: the rank is shared."""
    own: str
    theirs: str
    clause: str


class SurvivorRankView(Part, kw_only=True, omit_defaults=True):
    """A survivor in the ranking over all sessions so far."""

    rank: int
    player: str
    name: str
    external_id: str | None
    """The id of the player in another system, such as a rating list. null: none is known."""
    points: int
    victories: int
    rounds: int
    """The number of rounds in won sessions."""
    goals: int
    reason: SeparatedBy | None
    """The criterion that separates this row from the previous one. null: no other row."""


class TableRankView(Part, kw_only=True, omit_defaults=True):
    """A table in the ranking. share: the exact share of the power track."""

    rank: int
    session: str
    survivors: list[str]
    outcome: str
    rounds: int
    share: str
    goals: int
    scenario: str
    """The scenario, if sides are ranked separately."""
    loyal: str
    reason: SeparatedBy | None
    """The criterion that separates this row from the previous one. null: no other row."""


class RankingView(Answer, kw_only=True, omit_defaults=True):
    """The ranking of tables and survivors. provisional: differs from the published ranking, or is not published."""

    tournament: str
    round: int
    provisional: bool
    final: bool
    tables: list[TableRankView]
    survivors: list[SurvivorRankView]
    total_tables: int
    """The number of ranked tables."""
    total_survivors: int
    """The number of ranked survivors."""
    next: str | None
    """The cursor of the next page of the list. null: this is the last page, or no page was requested."""


class Check(Part, kw_only=True, omit_defaults=True):
    """The result of one probe."""

    ok: bool
    needed: bool
    """True if the service cannot work without it"""
    ms: float
    """Duration of the probe in milliseconds"""
    detail: dict[str, Any]
    """Details by name; texts and lists only for operators"""


class Disk(Part, kw_only=True, omit_defaults=True):
    """The disk that holds the data folder."""

    free: int
    """Bytes"""
    size: int
    """Bytes"""


class Ready(Answer, kw_only=True, omit_defaults=True):
    """The answer of /readyz. status: ok, degraded (works, but something is missing) or failed."""

    status: str
    """ok"""
    service: str
    checks: dict[str, Check]
    version: str | None = None
    """Version of the running code; for operators and services"""
    disk: Disk | None = None
    """For operators and services; absent if it cannot be read"""


class Difference(Part, kw_only=True, omit_defaults=True):
    """A value that differed from the logs and has been corrected, or a damaged log, which is only reported."""

    what: str
    """log, memory, snapshot, or the name of a read model."""
    tournament: str
    where: str
    """The place inside it, as a JSON pointer."""
    found: str
    expected: str


class RebuiltView(Answer, kw_only=True, omit_defaults=True):
    """The result of a rebuild."""

    tournaments: int
    events: int
    """Events that were verified and folded."""
    snapshots: int
    lines: int
    """Lines in read models."""
    differences: list[Difference]


class EndView(Part, kw_only=True, omit_defaults=True):
    """The end of a copy."""

    position: int
    hash: str


class RecopiedView(Answer, kw_only=True, omit_defaults=True):
    """The result of a recopy."""

    id: int
    """The id of the record under which the replaced events are kept."""
    source: str
    tournament: str
    old: EndView
    new: EndView
    kept: int
    """Events at the start that are the same in both."""
    replaced: int
    """Events that were set aside."""
    cases: int
    """Quarantine cases that were closed."""
    decided: int
    """Events of this service whose decision depended on replaced events; they stay."""
    events: list[str]
    """The ids of the first 100 of them."""
    refused: str
    """Why the owner's log was not copied to its end; empty if it was."""


class Recovered(Answer, kw_only=True, omit_defaults=True):
    """The result of a recovery."""

    peers: list[str]
    """The peers that were asked."""
    events: int
    """Recovered events of all tournaments."""
    tournaments: int
    """Tournaments whose log recovered events."""
    feed: int
    """The last position of the feed."""
    guessed: int
    """Feed positions whose event no peer knew."""
    lost: list[str]
    """Damaged events that no peer holds. Their logs are unchanged."""
    lost_rows: list[str]
    """Private rows that are lost: these players have to submit their rosters again."""


class RegistrationItemView(Part, kw_only=True, omit_defaults=True):
    """A good of a group."""

    id: str
    good: str
    """A key of the ruleset's `rules.goods`, or one of the good's names in any case."""
    names: list[str]
    """The names that it may have on the table."""
    holder: str
    """The member who carries it; empty: the stash."""
    caps: int
    """Its value in the rating."""


class RegistrationMemberView(Part, kw_only=True, omit_defaults=True):
    """A member of a group as it was built."""

    id: str
    rank: str
    rank_name: str
    """The force's name of the rank."""
    name: str
    xp: int
    level: int
    attributes: dict[str, int]
    perks: list[str]


class RegistrationTurfView(Part, kw_only=True, omit_defaults=True):
    """A turf that the group holds."""

    id: str
    turf: str
    name: str


class RegistrationGroupView(Answer, kw_only=True, omit_defaults=True):
    """A group as it was built, before its first game. Scoring shows its current state."""

    id: str
    """The id of the player."""
    player_name: str
    force: str
    force_name: str
    complete: bool
    """True if it has turfs, leader and rating."""
    turfs_to_roll: int
    members: list[RegistrationMemberView]
    items: list[RegistrationItemView]
    turfs: list[RegistrationTurfView]
    caps: int
    """Unspent caps, which do not count in the rating."""
    leader: str
    """Empty until the last turf is rolled."""
    rating: int
    """0 until the last turf is rolled."""
    rating_parts: dict[str, int]
    advice: list[FaultView]


class IdentityConsequences(Part, kw_only=True, omit_defaults=True):
    """The consequences of a change of identities in a season."""

    moves: list[SeasonMoveView]
    """Changes of the standings."""
    twice: list[str]
    """Tournaments in which one player would have two entries."""
    same_names: list[SameName] | None = None
    """Claims by name: entries that stay unclaimed for staff to check."""


class RuleDiffers(Part, kw_only=True, omit_defaults=True):
    """A value that differs between two versions."""

    where: str
    """JSON pointer into the pack."""
    before: Any
    """null: only in the new version."""
    after: Any
    """null: only in the old version."""


class VersionView(Part, kw_only=True, omit_defaults=True):
    """A version of a ruleset."""

    id: str
    version: str


class MovePreviewed(Part, kw_only=True, omit_defaults=True):
    """The differences between the current and the new version of the ruleset."""

    from_round: int
    before: VersionView
    after: VersionView
    differences: list[RuleDiffers]


class StatusMoved(Part, kw_only=True, omit_defaults=True):
    """A change of status."""

    before: str
    """Empty for a new player."""
    after: str


class RegistrationPlaceMoved(Part, kw_only=True, omit_defaults=True):
    """A player whose status would change."""

    id: str
    """The id of the player."""
    name: str
    status: StatusMoved


class RegistrationMoves(Part, kw_only=True, omit_defaults=True):
    """Changes that a command would make."""

    players: list[RegistrationPlaceMoved]
    """Players whose status would change."""
    unchanged: int | None = None
    """With `pass_over`: players who are already entered and are skipped."""
    ruleset: MovePreviewed | None = None
    """The changes of a campaign's ruleset."""
    season: IdentityConsequences | None = None
    """The consequences in a season."""


class RegistrationPreview(Answer, kw_only=True, omit_defaults=True):
    """The outcome that a command would have. Nothing is appended.

    Send this answer's ETag as If-Match with the command: it then has exactly this outcome, or is refused.
    """

    preview: bool
    events: list[EventForeseen]
    """The certain events, in order. Without uncertain values: all of them."""
    uncertain: list[Uncertain]
    moves: RegistrationMoves


class OnlyView(Part, kw_only=True, omit_defaults=True):
    """A condition on another fact."""

    where: str
    value: str


class AskedFactView(Part, kw_only=True, omit_defaults=True):
    """A fact that a report of a game may contain."""

    where: str
    """JSON pointer into `facts`."""
    name: str
    """The name of the fact, the same for both sides."""
    side: int
    """1 or 2. 0: the fact concerns the whole game."""
    kind: str
    """The type of the value. `whole`: a number. `choice`: one of `choices`. `flag`: no or yes, in the order of
    `choices`. `text`: a string. `names`, `numbers`, `letters`: a list. `units`: a list of lost units, as objects.
    One of: whole, choice, flag, text, names, numbers, units, letters.
    """
    part: str
    """The part of the form. `game`: identifies the game. `score`: the score itself. `table`: determines the score or
    the winner. `beside`: additional. `end`: how the game ended. One of: game, score, table, beside, end.
    """
    least: int
    """The minimum of a number, or the minimum length of a list."""
    most: int | None
    """The maximum of a number, or the maximum length of a list. null: none."""
    step: int
    together: int | None
    """The maximum of the sum of both sides. null: none."""
    choices: list[int | str | bool]
    needed: bool
    """The fact is required, unless it follows from others."""
    makes: str
    """`points` or `winner`: follows from this fact and need not be reported. One of: points, winner, ."""
    game_round: int
    """The round of the game after which the fact is recorded. 0: at the end of the game."""
    clause: str
    only: OnlyView | None = None
    """The fact applies only under this condition."""


class ResultFormView(Answer, kw_only=True, omit_defaults=True):
    """The facts that a report of a game may contain. Rules that combine several facts are checked by a preview."""

    game: str
    unit: str
    """The name of points."""
    draw: str
    """The name of a game without a winner."""
    scenario: str
    """The scenario of the round. Empty: none."""
    concedes: bool
    """A side may concede (`conceded_by`)."""
    unplayed: list[str]
    """The kinds of results for a game that was not played. Only staff record them."""
    facts: list[AskedFactView]


class ResultsTakenView(Part, kw_only=True, omit_defaults=True):
    """The results that a season has taken from a tournament."""

    tournament: str
    name: str
    reason: str
    """`concluded` or `corrected`."""
    heads: dict[str, HeadView]
    causes: list[ChangedByView]
    time: str
    told: bool
    """The results came after the end of the season and do not change its standings."""
    entries: int


class ResultsView(Answer, kw_only=True, omit_defaults=True):
    """The tournaments whose results were taken, in the order of the season."""

    items: list[ResultsTakenView]
    waiting: list[str]
    """The ids of gathered tournaments without results."""


class RevocationView(Part, kw_only=True, omit_defaults=True):
    """A token that the installation revoked."""

    id: str
    reason: str
    actor: ActorView
    """The operator who revoked it."""
    actor_text: str
    """The actor as a line: `kim, operator`."""
    time: str
    """RFC 3339, UTC."""


class RevocationViewPage(Answer, kw_only=True, omit_defaults=True):
    """One page of a list of RevocationView."""

    items: list[RevocationView]
    next: str | None
    """Cursor of the next page; null: the end."""
    total: int
    """The total number on all pages, with these filters."""


class SheetView(Part, kw_only=True, omit_defaults=True):
    """A printed sheet. Empty cells are filled in by hand."""

    about: str
    """The id of the player, game or venue; empty: everyone."""
    heading: dict[str, str]
    columns: list[str]
    lines: list[list[str]]
    """From top to bottom; a text for each column."""


class RosterSheets(Answer, kw_only=True, omit_defaults=True):
    """A roster on paper: one sheet for each form that holds lists."""

    items: list[SheetView]


class RosterTaken(Answer, kw_only=True, omit_defaults=True):
    """The answer to submitting a roster."""

    events: list[EventView]
    """The appended events; empty: nothing changed."""
    advice: list[FaultView]
    """Legal contents that the document advises against."""
    id: str | None = None
    """The id of the thing it created, as in addresses; absent if it created nothing or several things."""


class PaperView(Part, kw_only=True, omit_defaults=True):
    """Who saw a roster on paper, and when."""

    actor: ActorView
    """The member of staff who accepted it."""
    name: str
    """The name of the actor, if they are appointed staff."""
    time: str
    """RFC 3339, UTC."""
    reason: str


class SealedView(Part, kw_only=True, omit_defaults=True):
    """A field that is not open yet. The log has the SHA-256 of the RFC 8785 JSON of [salt, field, value].

    The value is that in `roster`, or null if the roster lacks the field.
    """

    field: str
    digest: str
    shown: bool
    """True if you may see the field now; there is a salt then."""
    held: bool
    """False if registration lost the field with its database; submit the roster again."""
    salt: str
    clause: str


class RosterView(Answer, kw_only=True, omit_defaults=True):
    """The latest roster of a player, with the fields that you may read. Staff and owner may read all fields."""

    player: str
    status: str
    note: str
    """The staff's note on acceptance or rejection. Before play has begun, only staff and the owner see it."""
    roster: dict[str, Any]
    sealed: list[SealedView]
    """Fields that are not open yet; the log has only their digests."""
    faults: list[FaultView]
    advice: list[FaultView]
    """Legal contents that the document advises against."""
    on_paper: PaperView | None = None
    """Only if staff saw the roster on paper. `roster` then has no entries."""


class ForecastView(Part, kw_only=True, omit_defaults=True):
    """When the last result of a venue is expected. It rests on the pace, the open games and the clock."""

    ends_at: str
    """RFC 3339, UTC."""
    basis: str
    """`pace`: if results keep coming as lately. `clock`: time is called before that. One of: pace, clock."""
    open: int
    """The games without a result that it counts."""


class PaceView(Part, kw_only=True, omit_defaults=True):
    """The pace of results."""

    results: int
    """The results of the last minutes."""
    minutes: int
    """The minutes that were looked at, at most 15."""
    per_minute: str
    """Results per minute, as a decimal: `0.4`."""


class VenueProgress(Part, kw_only=True, omit_defaults=True):
    """The progress of the part of a round at one venue."""

    venue: str
    """Empty: the games are at no venue."""
    name: str
    """The name of the venue."""
    status: str
    """`draft`, `paired`, `started`, `aside` (the others go on without it) or `closed`."""
    games: int
    """The number of games, without byes."""
    settled: int
    """Games whose result counts."""
    reported: int
    """Games with a report that nobody has confirmed."""
    disputed: int
    open: int
    """Games without a report."""
    last_result_at: str
    """When the latest result was first reported. Empty: none yet."""
    started_at: str
    """Empty: it has not started."""
    ends_at: str
    """When time is called. Empty: it has not started."""
    minutes_over: int
    """Minutes since then while a started venue has games that are not settled; 0 otherwise."""
    pace: PaceView | None
    """null: it has not started, or it is over."""
    forecast: ForecastView | None
    """null: no game is open, or there is too little to go by: less than three results in the last fifteen minutes, or
    less than five minutes.
    """
    time_zone: str | None = None
    """The IANA name of its time zone. Absent: not set."""
    calls_waiting: int | None = None
    """Calls of judges that nobody has taken. Only for staff."""


class RoundProgress(Answer, kw_only=True, omit_defaults=True):
    """The progress of a round, venue by venue."""

    round: int
    stage: str
    status: str
    """`draft`, `paired`, `started` or `closed`."""
    now: str
    """The time of the service for which this is true; RFC 3339, UTC."""
    items: list[VenueProgress]
    """In the order of venues."""


class RoundListed(Part, kw_only=True, omit_defaults=True):
    """A summary of a round."""

    round: int
    stage: str
    status: str
    """`draft`, `paired`, `started` or `closed`."""
    method: str
    """The name of the pairing policy, or `manual`."""
    scenario: str
    reason: str
    """The reason for pairing by hand."""
    games: int
    """The number of games, without byes."""
    open: int
    """Games without a result, or whose result does not count yet."""
    publish_at: str
    """The scheduled publication of a draft; empty: none."""
    started_at: str
    ends_at: str
    seed: str
    made_from: int
    """The position in scoring's log of the standings that the round was paired from."""
    made_from_older_standings: bool
    """True if the standings have changed since the round was paired. The pairings stay until someone acts."""
    parts: list[RoundPartView] | None = None
    """The part at each venue, in the order of venues."""


class SpareView(Part, kw_only=True, omit_defaults=True):
    """A spare player on standby."""

    id: str
    """The id of the member of staff."""
    name: str
    venue: str
    """Empty: any venue."""


class RoundsView(Answer, kw_only=True, omit_defaults=True):
    """The rounds of a tournament."""

    items: list[RoundListed]
    planned: int | None
    """The number of rounds; null: not fixed yet."""
    spares: list[SpareView]
    """Spare players on standby."""
    next: str | None
    """Cursor of the next page; null: the last page, or no page was requested."""
    total: int
    """The total number on all pages, with these filters."""


class BlankForm(Part, kw_only=True, omit_defaults=True):
    """A blank form. Scoring fills it in: GET /tournaments/{id}/forms/{form}."""

    id: str
    name: str
    holds: str
    """rounds, roster, sides, builder, pairings, standings or players."""
    filled_by: str
    """player or staff."""
    heading: list[str]
    columns: list[str]
    titles: dict[str, str]
    """The printed title of every member of heading and columns."""
    instructions: list[str]
    """Instructions for the person who fills it in."""
    lines: int
    """Lines on one sheet; 0: as many as needed."""
    order: str
    """upwards: the lowest line is used first."""
    clause: str
    copies: int
    copies_a_round: int
    """Additional copies for each planned round."""


class DecisionView(Part, kw_only=True, omit_defaults=True):
    """A kind of decision by staff, and the roles that make it."""

    question: str
    """`rulings`, `final`, `disqualification`, `reinstatement`, `barring` or `lists`."""
    roles: list[str]
    clause: str
    """Empty if the ruleset does not mention it."""


class OptionView(Part, kw_only=True, omit_defaults=True):
    """An option that an organiser may set."""

    key: str
    name: str
    kind: str
    """`flag`, `choice`, `whole`, `bands`, `rounds`, `points` or `words`."""
    default: Any
    """The default, in the form of the kind; null: none."""
    choices: list[str]
    """`choice`: the possible values. `whole`: values allowed instead of a number. `points`, `words`: the possible
    keys. Empty: none.
    """
    least: int
    """`whole`: the minimum."""
    most: int | None
    """`whole`: the maximum; null: none."""


class TierView(Part, kw_only=True, omit_defaults=True):
    """The rules that depend on the tier (level of play), with their clauses."""

    id: str
    rounds: str
    """Who sets the number of rounds: `table` or `organiser`."""
    list_due: bool
    """True if a player needs an accepted list before the first game."""
    list_due_for: str
    """`pairing`: players without a list are not paired. `start`: their games cannot start."""
    judge_may_play: bool
    kept_apart: bool
    """True if players may ask not to meet in round 1."""
    clauses: dict[str, str]


class RulesetView(Answer, kw_only=True, omit_defaults=True):
    """A ruleset with its tiers, staff decisions and forms, and the whole pack."""

    id: str
    name: str
    version: str
    format: str
    tiers: list[str]
    options: list[OptionView]
    tier_rules: list[TierView]
    decisions: list[DecisionView]
    forms: list[BlankForm]
    ruleset: dict[str, Any]


class RulesetListed(Part, kw_only=True, omit_defaults=True):
    """A summary of a ruleset."""

    id: str
    name: str
    version: str
    format: str
    tiers: list[str]
    options: list[OptionView]


class RulesetsView(Answer, kw_only=True, omit_defaults=True):
    """The shipped rulesets."""

    items: list[RulesetListed]


class PartView(Part, kw_only=True, omit_defaults=True):
    """A part of a value with its source."""

    source: str
    value: int


class ScoringItemView(Part, kw_only=True, omit_defaults=True):
    """A good. holder: the member who carries it; empty: the stash."""

    id: str
    good: str
    holder: str


class AttributeView(Part, kw_only=True, omit_defaults=True):
    """The current value of an attribute with its parts."""

    value: int
    parts: list[PartView]


class ScoringMemberView(Part, kw_only=True, omit_defaults=True):
    """The sheet of a member."""

    id: str
    name: str
    rank: str
    attributes: dict[str, AttributeView]
    perks: dict[str, bool]
    """Perk -> it is active."""
    xp: int
    level: int
    injuries: list[str]
    addictions: list[str]
    rads: int
    hunger: int
    critical_failure: int
    """The lowest face that counts as a critical failure."""
    carries: list[str]
    away: bool
    """The member is in jail until the end of the next game."""
    stays_home: list[FaultView]
    """The reasons why the member cannot be fielded. Empty: it can."""


class ScoringTurfView(Part, kw_only=True, omit_defaults=True):
    """A turf."""

    id: str
    turf: str


class ScoringGroupView(Answer, kw_only=True, omit_defaults=True):
    """The roster sheet of a group."""

    id: str
    name: str
    force: str
    members: int
    leader: str
    rating: int
    """The last final rating."""
    caps: int
    playing: bool
    clean: int
    """Units of clean food."""
    radiated: int
    """Units of radiated food."""
    centaurs: int
    sheets: list[ScoringMemberView]
    items: list[ScoringItemView]
    turfs: list[ScoringTurfView]
    marked_dice: dict[str, str]
    """Rolls of the group whose status is a mark: neither confirmed nor upheld."""
    rating_now: int
    rating_parts: list[PartView]


class GameScored(Part, kw_only=True, omit_defaults=True):
    """A game with the score that the given facts would have."""

    game: str
    score: ScoreView


class NumberMoved(Part, kw_only=True, omit_defaults=True):
    """A number before and after a command."""

    before: int
    after: int


class MemberMoved(Part, kw_only=True, omit_defaults=True):
    """A member who would change. lost, gained: attributes and perks from advancements, one entry each."""

    member: str
    xp: NumberMoved
    level: NumberMoved
    advances: NumberMoved
    """Pending advancements."""
    lost: list[str]
    gained: list[str]


class GroupMoved(Part, kw_only=True, omit_defaults=True):
    """A group that would change."""

    group: str
    balances: dict[str, NumberMoved]
    """`caps`, `clean`, `radiated` and `rating`, if they would change."""
    members: list[MemberMoved]
    items_lost: list[str]
    items_gained: list[str]


class SurvivorMoved(Part, kw_only=True, omit_defaults=True):
    """A survivor whose rank or points would change. before: null: not ranked."""

    player: str
    name: str
    before: int | None
    after: int
    points_before: int | None
    points_after: int


class TableMoved(Part, kw_only=True, omit_defaults=True):
    """A table whose rank would change. before: null: it did not count."""

    session: str
    before: int | None
    after: int


class RankingMoved(Part, kw_only=True, omit_defaults=True):
    """Changes to the ranking of the latest round of sessions."""

    round: int
    tables: list[TableMoved]
    survivors: list[SurvivorMoved]


class SeasonConsequences(Part, kw_only=True, omit_defaults=True):
    """The effect of a correction on a season that counts the tournament.

    stands: the season is over and its standings stay as they are; the moves are informational.
    """

    season: str
    name: str
    stands: bool
    moves: list[SeasonMoveView]


class ByeMoved(Part, kw_only=True, omit_defaults=True):
    """A round whose byes would have gone to other players."""

    round: int
    given_to: list[str]
    would_go_to: list[str]


class CutMoved(Part, kw_only=True, omit_defaults=True):
    """Changes to the cut."""

    would_be_in: list[str]
    would_be_out: list[str]
    seeding_changes: bool


class LaterRound(Part, kw_only=True, omit_defaults=True):
    """A round that was paired from standings that would change. Its pairings stay."""

    round: int
    pairings: int
    status: str


class RankMoved(Part, kw_only=True, omit_defaults=True):
    """A rank before and after a command."""

    before: int
    after: int


class ValueMoved(Part, kw_only=True, omit_defaults=True):
    """A value before and after a command."""

    before: int | str
    """An integer, or a decimal as a string."""
    after: int | str
    """An integer, or a decimal as a string."""


class RowMoved(Part, kw_only=True, omit_defaults=True):
    """A player whose rank or values would change."""

    player: str
    name: str
    rank: RankMoved
    values: dict[str, ValueMoved]


class ScoringPlaceMoved(Part, kw_only=True, omit_defaults=True):
    """A game of the bracket to which another player would advance. It is paired again.

    In a round that was paired by hand, staff have to pair it again.
    """

    round: int
    game: str
    leaves: str
    leaves_name: str
    goes_on: str
    """The player who advances. Empty: no one; the opponent advances without a game."""
    goes_on_name: str


class WinnerMoved(Part, kw_only=True, omit_defaults=True):
    """The winner of the tournament before and after a command."""

    before: str
    after: str


class StandingsMoved(Part, kw_only=True, omit_defaults=True):
    """Changes to the standings and their consequences. standings_round: the latest round that counts."""

    standings_round: int
    ranks: list[RowMoved]
    rounds_recorded_anew: list[int]
    byes: list[ByeMoved]
    cut: CutMoved | None
    bracket: list[ScoringPlaceMoved]
    later_pairings: list[LaterRound]
    winner: WinnerMoved | None


class ScoringMoves(Part, kw_only=True, omit_defaults=True):
    """The changes that a command would cause. Members that do not apply to the format are absent.

    A report that waits for the opponent changes only its game, so the other members are absent.
    """

    games: list[GameScored] | None = None
    """The score of each game that the command is about."""
    standings: StandingsMoved | None = None
    ranking: RankingMoved | None = None
    groups: list[GroupMoved] | None = None
    season: list[SeasonMoveView] | None = None
    seasons: list[SeasonConsequences] | None = None


class ScoringPreview(Answer, kw_only=True, omit_defaults=True):
    """The preview of a command. Nothing was recorded.

    Send the command with this answer's ETag in `If-Match` to apply exactly these changes or be refused.
    """

    preview: bool
    events: list[EventForeseen]
    """The certain events, in order. Without uncertain values: all of them."""
    uncertain: list[Uncertain]
    moves: ScoringMoves


class GamePlayedView(Part, kw_only=True, omit_defaults=True):
    """A game from the view of the player."""

    round: int
    """The round. 0: unknown."""
    kind: str
    """`game`, `bye` or `forfeit`."""
    outcome: str
    """`win`, `draw` or `loss`."""
    opponent: str
    """The opponent's id in that tournament. Empty: no opponent."""
    opponent_name: str
    score: int
    against: int


class TournamentPlayedView(Part, kw_only=True, omit_defaults=True):
    """The result of a player in one tournament of the season."""

    tournament: str
    name: str
    played_on: str
    entry: str
    """The player's id in that tournament."""
    entry_name: str
    """The player's name in that tournament. Empty: its results are not taken yet."""
    concluded: bool
    """The results are taken. Otherwise the following members are empty."""
    status: str
    place: int
    """The place. 0: none."""
    field: int
    """The number of players with a place."""
    points: str
    """The exact points in the season. Empty: none."""
    reason: str
    """Why the result does not count. Empty: it counts."""
    games: list[GamePlayedView]


class SeasonPlayedView(Answer, kw_only=True, omit_defaults=True):
    """The tournaments of a player, in the order of the season."""

    player: str
    name: str
    items: list[TournamentPlayedView]


class BarredView(Part, kw_only=True, omit_defaults=True):
    """A reason why a player is not eligible, with its clause."""

    reason: str
    clause: str


class NeighbourExplained(Part, kw_only=True, omit_defaults=True):
    """The previous or next player. column: the separating criterion; empty: they are tied."""

    player: str
    name: str
    rank: int
    column: str
    own: str
    theirs: str
    clause: str


class SeasonRatingView(Part, kw_only=True, omit_defaults=True):
    """The rating of a player. deviation, volatility: empty if the system has none."""

    rating: str
    games: int
    deviation: str
    volatility: str


class SeasonResultExplained(Part, kw_only=True, omit_defaults=True):
    """A result with its exact points, and the clause by which it counts or not."""

    tournament: str
    name: str
    place: int
    field: int
    points: str
    weight: int
    reason: str
    clause: str


class SeasonValueExplained(Part, kw_only=True, omit_defaults=True):
    """An exact value of the ranking with its clause."""

    column: str
    value: str
    clause: str


class SeasonRankExplained(Answer, kw_only=True, omit_defaults=True):
    """The explanation of a rank."""

    player: str
    name: str
    rank: int
    division: str
    tied: bool
    listed_last: bool
    results: list[SeasonResultExplained]
    values: list[SeasonValueExplained]
    above: NeighbourExplained | None
    below: NeighbourExplained | None
    barred: list[BarredView]
    rating: SeasonRatingView | None


class SeasonCauseView(Part, kw_only=True, omit_defaults=True):
    """A tournament whose results changed the standings."""

    tournament: str
    reason: str


class SeasonResultView(Part, kw_only=True, omit_defaults=True):
    """The result of a player in one tournament. reason: why it does not count; empty: it counts."""

    tournament: str
    entry: str
    place: int
    field: int
    points: int | str
    """A whole number, or an exact fraction "p/q"."""
    weight: int
    """The weight in percent."""
    reason: str


class SeasonRowView(Part, kw_only=True, omit_defaults=True):
    """A row of the standings. was: the previous rank, if it changed; 0: new in the standings."""

    rank: int
    overall: int
    """The rank over all divisions."""
    player: str
    name: str
    external_id: str | None
    """The id of the player in another system, such as a rating list. null: none is known."""
    division: str
    points: int | str
    """A whole number, or an exact fraction "p/q"."""
    values: dict[str, int | str]
    tied: bool
    attended: int
    listed_last: bool
    barred: list[str]
    """The reasons why the player is not eligible. Empty: eligible."""
    status: str
    rating: SeasonRatingView | None
    results: list[SeasonResultView]
    was: int | None


class SeasonStandingsView(Answer, kw_only=True, omit_defaults=True):
    """The standings of a season.

    number: 0 before the first results. provisional: not recorded yet; the recorded standings may still differ.
    """

    tournament: str
    number: int
    time: str
    final: bool
    provisional: bool
    columns: list[str]
    causes: list[SeasonCauseView]
    items: list[SeasonRowView]
    next: str | None
    """The cursor of the next page. null: this is the last page, or no page was requested."""
    total: int
    """The total number on all pages, with these filters."""


class SeasonWarningView(Part, kw_only=True, omit_defaults=True):
    """A warning in a tournament of the season."""

    player: str
    """Their id in the tournament."""
    time: str
    """RFC 3339, UTC."""
    actor: ActorView
    actor_text: str
    """The member of staff who gave it, as a line: `s2, referee of Hall B`."""
    reason: str
    clause: str
    """A clause of the ruleset; empty if none was named."""
    tournament: str
    name: str
    entry: str
    """The player's id in that tournament."""


class SeasonWarningViewPage(Answer, kw_only=True, omit_defaults=True):
    """One page of a list of SeasonWarningView."""

    items: list[SeasonWarningView]
    next: str | None
    """Cursor of the next page; null: the end."""
    total: int
    """The total number on all pages, with these filters."""


class SeasonWarningsView(Answer, kw_only=True, omit_defaults=True):
    """The warnings of a player in tournaments that the caller may see, in the order of the season."""

    player: str
    name: str
    items: list[SeasonWarningView]


class SessionRoundsView(Answer, kw_only=True, omit_defaults=True):
    """All rounds of sessions."""

    items: list[SessionRoundView]


class CampTokensView(Part, kw_only=True, omit_defaults=True):
    """The C.A.M.P. tokens. gained: not placed yet."""

    supply: int
    gained: int
    on_map: list[str]
    """The spaces with a token."""


class SummaryView(Part, kw_only=True, omit_defaults=True):
    """A session in numbers, as reported or as counted from its moves."""

    outcome: str
    """One of victory, unfinished, defeat, abandoned"""
    rounds: int
    completed: list[str]
    kills: int
    cards: int
    others: int
    back: int
    position: int


class CorrectionView(Part, kw_only=True, omit_defaults=True):
    """The last correction of a session. before: the session in numbers until then."""

    before: SummaryView
    by: str
    """The person who corrected it."""
    actor_text: str
    """That person as text, such as `s2, referee`."""
    time: str
    reason: str


class EndedView(Part, kw_only=True, omit_defaults=True):
    """The end of a session. event, position: the type and position of the event in scoring's log."""

    outcome: str
    event: str
    position: int
    time: str
    cause: str


class SessionView(Answer, kw_only=True, omit_defaults=True):
    """A session. Before it is set up, only its players are known.

    After a correction, every number is as corrected, and `corrected` says what it was.
    """

    id: str
    round: int
    """The round of sessions."""
    survivors: list[str]
    host: str
    status: str
    """seated: not set up yet; setup, playing, ended: as reported by the table; not_played: no survivors are left. One
    of: seated, setup, playing, ended, not_played.
    """
    scenario: str
    loyal_faction: str
    binds: bool
    opposing_faction: str | None = None
    position: int | None = None
    """The position of the power token. 0: the topmost space."""
    last_space: int | None = None
    """The position at which the session is lost."""
    session_round: int | None = None
    """The current round within the session."""
    next: str | None = None
    """The next part of the round: `turns`, `enemies`, `opposing` or `first_player`."""
    first_player: str | None = None
    goals_open: list[str] | None = None
    goals_completed: list[str] | None = None
    goals_required: int | None = None
    conditions_open: list[str] | None = None
    camp_tokens: CampTokensView | None = None
    upgrades: int | None = None
    ended: EndedView | None = None
    told: SummaryView | None = None
    """The session in numbers. Absent: it has not ended."""
    corrected: CorrectionView | None = None
    """The last correction. Absent: never corrected."""
    confirmed: list[str] | None = None


class SessionsView(Answer, kw_only=True, omit_defaults=True):
    """A list of sessions."""

    items: list[SessionView]


class SheetsPage(Answer, kw_only=True, omit_defaults=True):
    """One page of sheets."""

    items: list[SheetView]
    next: str | None
    """Cursor of the next page; null: the end."""
    total: int
    """The total number on all pages, with these filters."""
    round: int | None
    """The round of the sheets; null: all rounds, or none."""
    titles: dict[str, str]
    """The printed title of every member of heading and columns."""
    instructions: list[str]


class CountedVenue(Part, kw_only=True, omit_defaults=True):
    """A venue in the standings."""

    venue: str
    name: str
    round: int
    """The last round of which every game at this venue is counted."""


class DrawView(Part, kw_only=True, omit_defaults=True):
    """A draw that broke a tie. Anyone can repeat it from the seed."""

    purpose: str
    round: int
    order: list[str]
    seed: str


class StandingsView(Answer, kw_only=True, omit_defaults=True):
    """Standings, with the draws that broke ties."""

    tournament: str
    round: int
    final: bool
    provisional: bool
    """The standings are not recorded: the round is open, or a player has left since. Or the venues are not counted
    after the same round.
    """
    columns: list[str]
    items: list[RowView]
    draws: list[DrawView]
    """The draws that concern the listed players."""
    next: str | None
    """The cursor of the next page. null: this is the last page, or no page was requested."""
    total: int
    """The total number on all pages, with these filters."""
    after: list[CountedVenue] | None = None
    """Events of several venues: what is counted of each."""
    words: dict[str, str] | None = None
    """The heading of each column, and of what settles a tie (`tied`). Absent in campaigns."""
    version: str | None = None
    """Send it as `since` later, to get only what changed after this answer."""
    since: str | None = None
    """With `since`: that version, and `items` has only what changed after it. null: the changes are not known, and
    `items` is the whole list; replace yours with it.
    """
    gone: list[str] | None = None
    """With `since`: ids that are no longer in the list, or not with these filters. It may name ids that were never in
    it.
    """
    publish_at: str | None = None
    """For staff: when held back standings are published, if a time is set."""
    ranks: dict[str, int] | None = None
    """With `since`: player -> new rank, for rows in which only the rank changed."""


class StatementOfTableView(Part, kw_only=True, omit_defaults=True):
    """What somebody reported of a session in one request."""

    id: int
    """Its number, for `statement` of the request that takes it back."""
    does: list[str]
    """The moves, or the type of the command, such as `EndSession`."""
    time: str
    by: str
    """The id of the person who reported it."""
    role: str
    table_can: bool
    """Any survivor of the table can take it back."""


class StatementOfTableViewPage(Answer, kw_only=True, omit_defaults=True):
    """One page of a list of StatementOfTableView."""

    items: list[StatementOfTableView]
    next: str | None
    """Cursor of the next page; null: the end."""
    total: int
    """The total number on all pages, with these filters."""


class StatementView(Part, kw_only=True, omit_defaults=True):
    """A statement of a running phase."""

    id: int
    """Its number, for `statement` of the request that takes it back."""
    does: str
    """The choice, or `CloseStep` or `EnterLedger`."""
    of: dict[str, Any]
    """The members of the choice."""
    time: str
    by: str
    """The id of the person who made it."""
    role: str
    dice: bool
    """A die fell or a lot was drawn for it."""
    player_can: bool
    """The player of the group can take it back. Staff can take back any of them."""


class StatementViewPage(Answer, kw_only=True, omit_defaults=True):
    """One page of a list of StatementView."""

    items: list[StatementView]
    next: str | None
    """Cursor of the next page; null: the end."""
    total: int
    """The total number on all pages, with these filters."""


class Subscribed(Answer, kw_only=True, omit_defaults=True):
    """The events of a command, and the secret that it set."""

    events: list[EventView]
    """The appended events; empty: nothing changed."""
    id: str | None = None
    """The id of the thing it created, as in addresses; absent if it created nothing or several things."""
    secret: str | None = None
    """The secret. It is returned only once. Absent: it was replaced in the meantime."""


class SessionShare(Part, kw_only=True, omit_defaults=True):
    """The contribution of one session to the points of a survivor."""

    session: str
    round: int
    outcome: str
    points: int
    rounds: int
    goals: int
    corrected: bool


class SurvivorExplained(Answer, kw_only=True, omit_defaults=True):
    """The place and the points of a survivor, session by session."""

    player: str
    name: str
    rank: int | None
    """The current rank. null: no session that counts."""
    reason: SeparatedBy | None
    """The criterion that separates this row from the previous one. null: no other row."""
    points: int
    sessions: list[SessionShare]
    clause: str


class PinnedPlayer(Part, kw_only=True, omit_defaults=True):
    """A player with a fixed table. The reason is private."""

    player: str
    name: str


class TableView(Part, kw_only=True, omit_defaults=True):
    """A table, its game, and the players for whom it is fixed."""

    table: int
    accessible: bool
    game: PairingView | None
    """null: the table is free."""
    pinned: list[PinnedPlayer]
    label: str | None = None
    """The text printed on the table. Absent: the number is printed."""


class TablesOfVenue(Part, kw_only=True, omit_defaults=True):
    """A venue's tables."""

    id: str
    name: str
    tables: list[TableView]


class TablesView(Answer, kw_only=True, omit_defaults=True):
    """Every table of every open venue, with the game that is being played there."""

    round: int | None
    items: list[TablesOfVenue]


class AdviceView(Part, kw_only=True, omit_defaults=True):
    """A recommendation of the document that the event does not follow."""

    said: str
    """The value of this event."""
    expected: str
    """The recommendation, as an English sentence."""
    clause: str
    code: str | None = None
    """The recommendation, as a stable code."""
    data: dict[str, Any] | None = None
    """The values in `expected`, by name."""


class DayView(Part, kw_only=True, omit_defaults=True):
    """A day of the event."""

    day: int
    date: str
    """Empty if the tournament has no start date."""
    rounds: list[int]
    minutes: int
    """Minutes of the rounds and their breaks."""
    least: int
    """`minutes` plus the shortest slots."""
    most: int
    """`minutes` plus the longest slots."""


class PlannedRoundView(Part, kw_only=True, omit_defaults=True):
    """A round of the timetable."""

    round: int
    day: int
    date: str
    """Empty if the tournament has no start date."""
    stage: str
    status: str
    """planned, draft, paired, started or closed."""
    minutes: int
    break_minutes: int


class SlotView(Part, kw_only=True, omit_defaults=True):
    """Time of a day outside the rounds, such as registration."""

    name: str
    least: int
    """Minimum minutes; 0: the document gives none."""
    most: int
    """Maximum minutes; 0: the document gives none."""
    clause: str


class TimetableView(Answer, kw_only=True, omit_defaults=True):
    """The rounds of an event by day."""

    planned: int | None
    """The number of rounds; null: not fixed yet."""
    suggested: int | None
    """A number of rounds while none is fixed. It does not come from a rules document."""
    rounds: list[PlannedRoundView]
    days: list[DayView]
    slots: list[SlotView]
    advice: list[AdviceView]


class SignUpState(Part, kw_only=True, omit_defaults=True):
    """Who may still sign up."""

    open: bool
    """True if anyone may sign up now."""
    seats_left: int | None
    """0: who signs up now waits for a seat. null: there is no limit."""
    waiting: int
    """The number of players on the waiting list."""


class TournamentListed(Part, kw_only=True, omit_defaults=True):
    """A tournament in the directory."""

    id: str
    name: str
    format: str
    ruleset: str
    status: str
    starts_on: str
    visibility: str
    players: int
    announced_at: str
    sign_up: SignUpState | None = None


class TournamentListedPage(Answer, kw_only=True, omit_defaults=True):
    """One page of a list of TournamentListed."""

    items: list[TournamentListed]
    next: str | None
    """Cursor of the next page; null: the end."""
    total: int
    """The total number on all pages, with these filters."""


class DatesView(Part, kw_only=True, omit_defaults=True):
    """Dates that follow from the first day of play, with their clauses."""

    lists_due_on: str
    """The recommended day for lists; they are locked later."""
    released_by: str
    """The last release day of legal models."""
    clauses: dict[str, str]


class RulesetReference(Part, kw_only=True, omit_defaults=True):
    """A short reference to a ruleset."""

    id: str
    version: str
    name: str
    format: str
    address: str
    """The path of the whole ruleset, from the root of registration."""


class StaffView(Part, kw_only=True, omit_defaults=True):
    """A member of staff."""

    id: str
    name: str
    role: str
    venue: str
    """Empty: all venues."""
    player: str
    """The id of their player; empty: they do not play."""


class TableOfVenue(Part, kw_only=True, omit_defaults=True):
    """A table of a venue."""

    table: int
    accessible: bool
    label: str | None = None
    """The text printed on the table. Absent: the number is printed."""


class VenueView(Part, kw_only=True, omit_defaults=True):
    """A venue with its tables."""

    id: str
    name: str
    open: bool
    tables: list[TableOfVenue]
    time_zone: str | None = None
    """The IANA name of its time zone. Absent: not set."""
    address: str | None = None
    """Absent: not set."""
    note: str | None = None
    """Absent: none."""


class TournamentView(Answer, kw_only=True, omit_defaults=True):
    """A tournament with its venues and staff."""

    id: str
    name: str
    format: str
    status: str
    ruleset: RulesetReference
    tier: str
    starts_on: str
    ends_on: str
    capacity: int | None
    rounds: int | None
    pairing_scope: str
    visibility: str
    check_in: bool
    sign_up: str
    """`open` or `invite_only`."""
    registration_open: bool
    rehearsal: bool
    on_purpose: list[str]
    """What stays visible to staff only until they publish it."""
    organiser: str
    """The actor who announced the tournament."""
    kept_apart: list[list[str]]
    """Groups of players who should not meet in round 1."""
    tier_rules: TierView
    dates: DatesView | None
    """null: no first day is set, or the ruleset has no such rule."""
    decisions: list[DecisionView]
    players: dict[str, int]
    """The number of players by status."""
    venues: list[VenueView]
    staff: list[StaffView]
    rounds_apart: int | None = None
    """How many rounds a venue may be ahead of another; null: any number."""


class UnpublishedView(Answer, kw_only=True, omit_defaults=True):
    """A summary of unpublished data of a tournament, for staff."""

    revision: int
    """Increases with every change of a draft or a call."""
    round: int | None
    """The number of the draft round."""
    cut: bool
    """True if the cut is a draft."""
    open_calls: int
    """Calls that are waiting or taken."""


class WarningView(Part, kw_only=True, omit_defaults=True):
    """A reminder without penalty."""

    player: str
    """Their id in the tournament."""
    time: str
    """RFC 3339, UTC."""
    actor: ActorView
    actor_text: str
    """The member of staff who gave it, as a line: `s2, referee of Hall B`."""
    reason: str
    clause: str
    """A clause of the ruleset; empty if none was named."""


class WarningViewPage(Answer, kw_only=True, omit_defaults=True):
    """One page of a list of WarningView."""

    items: list[WarningView]
    next: str | None
    """Cursor of the next page; null: the end."""
    total: int
    """The total number on all pages, with these filters."""


class FilterView(Part, kw_only=True, omit_defaults=True):
    """The filter of a webhook, with all its conditions."""

    types: list[str]
    """Event types to include. Empty: all types."""
    tournament: str
    """Include only this tournament. For webhooks, only available on those of the installation."""
    venue: str
    """Include events at this venue, and events that belong to no venue."""
    season: str
    """Include only this season and the tournaments that it currently counts. For webhooks, only available on those of
    the installation.
    """


class WebhookView(Answer, kw_only=True, omit_defaults=True):
    """A webhook."""

    id: str
    name: str
    form: str
    audience: str
    filter: FilterView
    owner: str
    """The id of the caller who created the webhook."""
    origin: str
    """Scheme, host and port of the address. The rest is never returned. Empty: the address is lost."""
    status: str
    """`unverified`: the address has not yet answered the verification. `failing`: every delivery has failed since
    `failing_since`. `target_lost`: the database of scoring was lost; set the address again. One of: unverified,
    enabled, failing, disabled, target_lost.
    """
    cause: str
    """Why the webhook is disabled: `asked`, `failing`, `gone`, `unverified`, `no_authority`. Empty: it is enabled."""
    reason: str
    """The reason given by the caller who disabled it."""
    since: str
    """When the webhook was last enabled or disabled."""
    failing_since: str | None
    secret: int
    """The number of the newest secret."""
    signing: int
    """The number of secrets that currently sign: 2 during an overlap."""
    cursor: str
    """The position in the feed up to which events are queued for delivery."""
    waiting: int
    """The number of waiting deliveries."""
    dead: int
    """The number of dead deliveries, which are not retried automatically."""


class WebhookViewPage(Answer, kw_only=True, omit_defaults=True):
    """One page of a list of WebhookView."""

    items: list[WebhookView]
    next: str | None
    """Cursor of the next page; null: the end."""
    total: int
    """The total number on all pages, with these filters."""
