"""What the services answer.

A member that may be missing is None then; members that are not known here are passed over.
Made of clients/openapi.json by `make client`.
"""

from __future__ import annotations

from typing import Any

from msgspec import field

from muster_client.answer import Answer, Part


class Alive(Answer, kw_only=True, omit_defaults=True):
    """That a process answers."""

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
    """token: the organiser's, for this tournament; token_id: to revoke it by."""

    events: list[EventView]
    """The appended events; empty: nothing changed."""
    token: str
    token_id: str
    id: str | None = None
    """The id of the thing it created, as in addresses; absent if it created nothing or several things."""


class Appended(Answer, kw_only=True, omit_defaults=True):
    """The effect of a command."""

    events: list[EventView]
    """The appended events; empty: nothing changed."""
    id: str | None = None
    """The id of the thing it created, as in addresses; absent if it created nothing or several things."""


class Appointed(Answer, kw_only=True, omit_defaults=True):
    """token: the new member's; token_id: to revoke it by."""

    events: list[EventView]
    """The appended events; empty: nothing changed."""
    token: str
    token_id: str
    id: str | None = None
    """The id of the thing it created, as in addresses; absent if it created nothing or several things."""


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


class ChoiceView(Part, kw_only=True, omit_defaults=True):
    """One thing that a group may do, or may not."""

    does: str
    of: dict[str, Any]
    """What it is about; send it back."""
    dice: list[str]
    """What is rolled for it, in order."""
    legal: bool
    errors: list[FaultView]
    """Every reason why it is not legal; none where it is."""


class AskedView(Answer, kw_only=True, omit_defaults=True):
    """What one group is asked now."""

    group: str
    name: str
    """The player's public name."""
    step: str | None
    """The open one; null: none is."""
    step_name: str
    waits_for: list[FaultView]
    """What has to be done before it closes."""
    done: bool
    """Whether the round is over for this group."""
    marked_dice: dict[str, str]
    """Rolls of the group that rest on one word or are denied: `unconfirmed`, `disputed`, `rejected`."""
    dice_to_confirm: list[str]
    """Rolls that wait for the word of this player."""
    choices: list[ChoiceView]


class AwardView(Part, kw_only=True, omit_defaults=True):
    """An award; it never moves a rank."""

    id: str
    name: str
    player: str
    reason: str


class AwardsView(Answer, kw_only=True, omit_defaults=True):
    """Awards beside the standings."""

    items: list[AwardView]


class ScoringEntryView(Part, kw_only=True, omit_defaults=True):
    """A line of a balance."""

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
    """The mark of the roll, as in `marked_dice`; otherwise empty."""


class BalanceView(Answer, kw_only=True, omit_defaults=True):
    """A balance with every entry that made it."""

    id: str
    """The account: caps, clean or radiated."""
    group: str
    balance: int
    entries: list[ScoringEntryView]


class BarredBefore(Part, kw_only=True, omit_defaults=True):
    """Somebody here who may be one that the organiser has barred from later events."""

    id: str
    """The player in this tournament."""
    name: str
    by: str
    """What is the same: external_id, or name. One of: external_id, name."""
    tournament: str
    """Where it was decided."""
    tournament_name: str
    barred: str
    """From which later events, in words."""


class BarredPlayers(Answer, kw_only=True, omit_defaults=True):
    """Who is to be looked at, tournament by tournament."""

    items: list[BarredBefore]


class BracketSide(Part, kw_only=True, omit_defaults=True):
    """Who plays on one side of a game of the bracket."""

    player: str
    """Empty: not known yet, or nobody."""
    name: str
    seed: int
    """In the cut, from 1; 0: nobody is known."""
    comes_from: str
    """The place of the game that they have won; empty in the first round, and if reseeded."""


class BracketGame(Part, kw_only=True, omit_defaults=True):
    """A game of the bracket, paired or to come."""

    place: str
    """`2.1` is the first game of the second round of the bracket."""
    leads_to: str
    """The place that the winner goes on to; empty for the final, and where it is reseeded."""
    round: int
    """The round of the tournament."""
    id: str
    """The id of the game; empty while it is not paired, and where nobody plays."""
    winner: str
    """Who goes on; empty while that is open, and where nobody does."""
    sides: list[BracketSide]
    """Two."""
    status: str | None = None
    """Left out while it is not paired. One of: bye, open, reported, disputed, confirmed, ruled, corrected."""


class BracketView(Answer, kw_only=True, omit_defaults=True):
    """Every game of the bracket, the first round first."""

    bracket: str
    """seeded, random or reseed; none: there is no such stage."""
    size: int
    """Places of the first round: 2, 4, 8 …; 0: no cut is made."""
    winner: str
    """The winner of the bracket; empty while it is open."""
    items: list[BracketGame]


class Finding(Part, kw_only=True, omit_defaults=True):
    """One thing that is damaged, and what repairs it."""

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
    """What was checked, and everything that is damaged."""

    tournaments: int
    events: int
    findings: list[Finding]


class JoinedPlayer(Part, kw_only=True, omit_defaults=True):
    """What became of somebody who asked for a seat."""

    id: str
    name: str
    status: str
    """active or waiting."""
    token: str
    token_id: str
    """What a revocation names."""
    link: str


class SameName(Part, kw_only=True, omit_defaults=True):
    """An entry that has the name of a player of the season who may be someone else; it is not claimed."""

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
    """claimed: the player of the season that the entry is; players: whoever is new, with their link."""

    events: list[EventView]
    """The appended events; empty: nothing changed."""
    players: list[JoinedPlayer]
    claimed: str
    id: str | None = None
    """The id of the thing it created, as in addresses; absent if it created nothing or several things."""
    same_names: list[SameName] | None = None
    """By name: entries left unclaimed for staff to look at."""


class CallView(Part, kw_only=True, omit_defaults=True):
    """A call, when it is due, and whether it was made."""

    call: str
    """As POST …/calls takes it."""
    due_at: str
    """Empty before the start."""
    made: bool


class ExtendedGame(Part, kw_only=True, omit_defaults=True):
    """A game with more time than its round."""

    game: str
    ends_at: str


class CallPlanned(Part, kw_only=True, omit_defaults=True):
    """A call of a round. second: from its start; due_at: once it has begun."""

    call: str
    """As POST …/calls takes it."""
    due_at: str
    """Empty before the start."""
    made: bool
    second: int


class ChessClockView(Part, kw_only=True, omit_defaults=True):
    """A clock for each player, that runs in their own turns and stands while points are counted."""

    use: str
    """allowed (both players have to agree) or required."""
    minutes_each: int
    set_up_minutes: int
    """How many of the round's minutes are for setting up."""
    at_zero: str
    """referee_decides or no_further_turn."""
    clause: str


class TimingView(Part, kw_only=True, omit_defaults=True):
    """The time of a round: as planned, and once it has begun as it is."""

    day: int
    """The day of the event, from 1."""
    minutes: int
    game_rounds: int
    """The most that a game has."""
    at_time: str
    """What is still finished at the end: finish_game_round, finish_turn or stop_now."""
    overtime_minutes: int | None
    """How long that may take; null: until it is done."""
    break_minutes: int
    """After the round."""
    early_set_up: bool
    """Players may set up before the start."""
    chess_clock: ChessClockView | None
    calls: list[CallPlanned]
    words: dict[str, str]
    """What people call `game_rounds` here, and what `at_time` means."""
    clauses: dict[str, str]


class ClockView(Answer, kw_only=True, omit_defaults=True):
    """The clock of the round that is being played; `running` false: there is none."""

    running: bool
    now: str
    """The service's time, to set a phone's clock by."""
    round: int | None
    timing: TimingView | None = None
    """While it runs."""
    started_at: str | None = None
    ends_at: str | None = None
    remaining_seconds: int | None = None
    """Below zero after the end."""
    overtime_minutes: int | None = None
    hard_stop_at: str | None = None
    calls: list[CallView] | None = None
    extended: list[ExtendedGame] | None = None
    """Games with more time than the round."""


class AtLineView(Part, kw_only=True, omit_defaults=True):
    """A player of the tied group at the line of the cut."""

    player: str
    name: str
    rank: int
    goes_on: bool


class LineTieView(Part, kw_only=True, omit_defaults=True):
    """The whole tied group at the line of the cut: no column of the standings separates its players."""

    drawn: bool
    """A recorded draw put them in this order; false: their ids did."""
    players: list[AtLineView]
    """In the order of the standings."""


class SeatGivenUpView(Part, kw_only=True, omit_defaults=True):
    """Who has given a seat up, and who has moved up into it."""

    player: str
    name: str
    moved_up: str
    """Empty: nobody; the opponent goes on without a game."""
    moved_up_name: str


class SeedView(Part, kw_only=True, omit_defaults=True):
    """A seat of the cut."""

    player: str
    name: str
    seed: int
    given_up: bool
    status: str
    """Of the player: active, dropped, disqualified or withdrawn."""


class CutView(Answer, kw_only=True, omit_defaults=True):
    """Who is in the elimination stage, in seeding order."""

    bracket: str
    """seeded, random or reseed; none: the ruleset has no such stage."""
    clause: str
    """The rule that says so."""
    due: int
    """How many go on from here by the ruleset, where no cut is made; 0: it says nothing, or not now."""
    after_round: int | None
    draft: bool
    """Staff alone see it, until it is published."""
    publish_at: str
    """Of a draft: the time set for it; empty: none."""
    seeds: list[SeedView]
    gave_up: list[SeatGivenUpView]
    tie_at_line: LineTieView | None
    """The tied players of whom some go on and some do not. null: a column of the standings separates the last who goes
    on from the next, or the standings have changed since.
    """


class AttemptView(Part, kw_only=True, omit_defaults=True):
    """An attempt."""

    time: str
    status: int
    """Of HTTP; 0: no answer."""
    milliseconds: int
    fault: str
    """Why it failed; empty: it did not."""
    explanation: str
    """The same in words."""
    response: str | None
    """What was answered, the first 1024 bytes. null: it comes from a network of the operator's own; they see it."""


class RequestView(Part, kw_only=True, omit_defaults=True):
    """What is posted, as it is now; the signature is left out."""

    method: str
    origin: str
    headers: dict[str, str]
    body: Any
    """As JSON; null: the event is not there any more."""


class DeliveryDetails(Answer, kw_only=True, omit_defaults=True):
    """A delivery with its message, and what came of each attempt."""

    id: int
    kind: str
    """event, again (sent once more by somebody), verification, or ping."""
    message: str
    """The `webhook-id` of its message."""
    type: str
    """Of the event; empty for a ping and a verification."""
    tournament: str
    state: str
    """dead: it was given up, and may be sent again. One of: waiting, delivered, dead."""
    failed: int
    """Attempts that failed."""
    due: str | None
    """When it is tried next, if nothing stands before it."""
    created: str
    finished: str | None
    request: RequestView
    attempts: list[AttemptView]
    fault: str | None = None
    """Why its last attempt failed; left out: it did not, or there was none."""


class DeliveryView(Part, kw_only=True, omit_defaults=True):
    """A delivery. The message is the same at each attempt, but for the time and the signatures."""

    id: int
    kind: str
    """event, again (sent once more by somebody), verification, or ping."""
    message: str
    """The `webhook-id` of its message."""
    type: str
    """Of the event; empty for a ping and a verification."""
    tournament: str
    state: str
    """dead: it was given up, and may be sent again. One of: waiting, delivered, dead."""
    failed: int
    """Attempts that failed."""
    due: str | None
    """When it is tried next, if nothing stands before it."""
    created: str
    finished: str | None
    fault: str | None = None
    """Why its last attempt failed; left out: it did not, or there was none."""


class DeliveryViewPage(Answer, kw_only=True, omit_defaults=True):
    """One page of a list of DeliveryView."""

    items: list[DeliveryView]
    next: str | None
    """Cursor of the next page; null: the end."""
    total: int
    """How many there are in all pages, with these filters."""


class DieView(Part, kw_only=True, omit_defaults=True):
    """A roll that was told at the table, and how far it is vouched for."""

    id: str
    """The id of the roll; commands take it in `rolls`."""
    group: str
    round: int
    purpose: str
    """The clause that asked for it."""
    faces: list[int]
    rolled_by: str
    witnessed_by: str
    told_by: str
    """Who entered it."""
    standing: str
    """`unconfirmed`: it rests on one word; `disputed`: whoever was named denies it; `confirmed`; `upheld` and
    `rejected` by staff; or `not_asked` where `fs.dice.witness` asks nobody, and of discarded rolls.
    """
    waits_for: str
    """Who has to confirm it, besides staff; empty: nobody."""
    member: str
    """The member that it was rolled for; empty: none."""
    source: str
    """`table`, or `service` where Muster rolled. One of: table, service."""
    discarded_by: str
    """The id of the event that took it back, where its question was not asked again; empty: it stands."""


class DieViewPage(Answer, kw_only=True, omit_defaults=True):
    """One page of a list of DieView."""

    items: list[DieView]
    next: str | None
    """Cursor of the next page; null: the end."""
    total: int
    """How many there are in all pages, with these filters."""


class DivisionMoveView(Part, kw_only=True, omit_defaults=True):
    """Somebody who begins the next season in another division."""

    player: str
    name: str
    division: str
    to: str
    rank: int
    reason: str
    """promoted, relegated or inactive."""
    clause: str


class TieView(Part, kw_only=True, omit_defaults=True):
    """Members who share the last place above a line; staff name so many of them."""

    what: str
    """up, down or final."""
    division: str
    places: int
    players: list[str]


class DivisionMovesView(Answer, kw_only=True, omit_defaults=True):
    """Who goes up and down. decided: as recorded at the end; otherwise by the standings of this moment."""

    decided: bool
    items: list[DivisionMoveView]
    undecided: list[TieView]


class RegistrationEntryView(Part, kw_only=True, omit_defaults=True):
    """An entry of a gathered tournament. player: of the season; empty: nobody has claimed it."""

    id: str
    """The player in that tournament."""
    tournament: str
    name: str
    status: str
    player: str


class EntryViewPage(Answer, kw_only=True, omit_defaults=True):
    """One page of a list of EntryView."""

    items: list[RegistrationEntryView]
    next: str | None
    """Cursor of the next page; null: the end."""
    total: int
    """How many there are in all pages, with these filters."""


class EventViewPage(Answer, kw_only=True, omit_defaults=True):
    """One page of a list of EventView."""

    items: list[EventView]
    next: str | None
    """Cursor of the next page; null: the end."""
    total: int
    """How many there are in all pages, with these filters."""


class NeighbourView(Part, kw_only=True, omit_defaults=True):
    """Who stands next to a row, and what separates the two; empty where they share a rank."""

    player: str
    name: str
    separated_by: str


class ShareView(Part, kw_only=True, omit_defaults=True):
    """What one round adds to a value."""

    round: int
    opponent: str
    """Empty: nobody, after a bye; or several, see `opponents`."""
    value: str
    """Exact: 8 or 13/6."""
    opponents: list[str] | None = None
    """Campaigns: every group of another side of that game."""


class ValueView(Part, kw_only=True, omit_defaults=True):
    """A value of a row, its clause, and the rounds that it comes from."""

    column: str
    clause: str
    value: str
    """Exact: 8 or 13/6."""
    from_: list[ShareView] = field(name="from")
    parts: dict[str, int] | None = None
    """Campaigns: what a group's rating was made of when it was made final."""


class ExplainedView(Answer, kw_only=True, omit_defaults=True):
    """Where every value of a row comes from."""

    player: str
    name: str
    values: list[ValueView]
    rank: int | None = None
    """Campaigns: the present one."""
    above: NeighbourView | None = None
    below: NeighbourView | None = None


class FinalistView(Part, kw_only=True, omit_defaults=True):
    """Somebody invited. status: invited, accepted or declined. instead_of: for whom, where somebody declined."""

    player: str
    name: str
    status: str
    instead_of: str


class FinalView(Answer, kw_only=True, omit_defaults=True):
    """Who is invited to the final, in order. standings: the number of those the cut was made from."""

    standings: int
    named: list[str]
    items: list[FinalistView]


class FormView(Part, kw_only=True, omit_defaults=True):
    """A form: what stands above its lines and in them. What Muster does not know is written by hand."""

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
    """null: until the number of rounds is fixed."""


class FormsView(Answer, kw_only=True, omit_defaults=True):
    """The forms of a tournament's ruleset."""

    items: list[FormView]


class GroupScore(Part, kw_only=True, omit_defaults=True):
    """How a campaign's game ended for one group."""

    group: str
    outcome: str
    values: dict[str, int]


class CampaignScoreView(Part, kw_only=True, omit_defaults=True):
    """What the ruleset makes of a result: outcome and values of each side."""

    outcome_1: str
    outcome_2: str | None
    values_1: dict[str, int]
    values_2: dict[str, int]
    groups: list[GroupScore] | None = None
    """Campaigns: the same of each group; 1 and 2 are the first two of them."""


class ContestView(Part, kw_only=True, omit_defaults=True):
    """Why a game waits for a referee: a player disputes what was reported, or appeals a ruling."""

    kind: str
    """One of dispute, appeal"""
    player: str
    """The id of whoever disputes or appeals."""
    name: str
    reason: str
    at: str
    """Since when the game waits; RFC 3339, UTC."""


class SideView(Part, kw_only=True, omit_defaults=True):
    """One group before a campaign's game: on which side it stands, what is recorded, and what is still due."""

    group: str
    name: str
    external_id: str | None
    """The id of the player in another system, such as a rating list. null: none is known."""
    side: int
    """From 1; groups of one side are allies."""
    rivals: list[str]
    """The groups of all other sides."""
    fielded: list[str] | None
    """null: not mustered."""
    jams: dict[str, bool]
    judged_rival_evil: bool | None
    """Whether a die made any rival evil; null: none was rolled."""
    judged: dict[str, bool]
    """Rival -> whether a die made it evil."""
    objective: str
    """Empty: not rolled."""


class GameShown(Answer, kw_only=True, omit_defaults=True):
    """A game with what is known of its result, of any format; what a format does not have is left out."""

    id: str
    round: int
    kind: str
    venue: str
    table: int
    """0: no table."""
    wave: int
    """1: begins with the round; 2: next at that table, and so on."""
    player_1: str
    player_2: str
    name_1: str
    name_2: str
    external_id_1: str | None
    """The id of the player in another system, such as a rating list. null: none is known."""
    external_id_2: str | None
    """The id of the player in another system, such as a rating list. null: none is known."""
    status: str
    """bye: no game at all; open: nothing was reported; reported, disputed: it does not count yet; confirmed, ruled,
    corrected: it counts. One of: bye, open, reported, disputed, confirmed, ruled, corrected.
    """
    binds: bool
    improbable: bool
    """Its facts were improbable, and the person who reported them confirmed them."""
    held: bool
    """The game has not begun: it waits for a player's list."""
    facts: dict[str, Any] | None = None
    reported_by: str | None = None
    counter_facts: dict[str, Any] | None = None
    ruling: str | None = None
    """Empty, referee, head_referee, or organiser: who has overridden the head referee, or whose word is final where
    the ruleset knows none.
    """
    both_links_of: str | None = None
    """Who received the links that both sides used, if they had asked for at least one of them."""
    appealed: bool | None = None
    contest: ContestView | None = None
    """Left out: the game waits for no referee."""
    score: CampaignScoreView | None = None
    goes_on: str | None = None
    """In elimination: who goes on, also from a tie; empty until that is settled."""
    sides: list[SideView] | None = None
    """Campaigns: every group before the game."""
    due: list[FaultView] | None = None
    """Campaigns: what comes before the game."""


class GamesShown(Answer, kw_only=True, omit_defaults=True):
    """One page of games."""

    items: list[GameShown]
    next: str | None
    """Cursor of the next page; null: the end."""
    total: int
    """How many there are in all pages, with these filters."""
    round: int | None
    """The round that they are of; null: of all rounds, or no round is paired."""
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
    """Whose players it is for; empty: all."""
    tier: str
    weight: int | None
    """In per cent, where it was given by hand."""
    status: str
    """announced, running, concluded or cancelled."""
    results_taken: bool
    entries: int
    claimed: int


class GatheredViewPage(Answer, kw_only=True, omit_defaults=True):
    """One page of a list of GatheredView."""

    items: list[GatheredView]
    next: str | None
    """Cursor of the next page; null: the end."""
    total: int
    """How many there are in all pages, with these filters."""


class GroupTaken(Answer, kw_only=True, omit_defaults=True):
    """advice: members who may be on the roster, and cannot be fielded as they are."""

    events: list[EventView]
    """The appended events; empty: nothing changed."""
    advice: list[FaultView]
    id: str | None = None
    """The id of the thing it created, as in addresses; absent if it created nothing or several things."""


class GroupListed(Part, kw_only=True, omit_defaults=True):
    """A player with their group in short. force: empty where none was handed in."""

    id: str
    """The player whose group it is."""
    player_name: str
    status: str
    """The status of the player."""
    force: str
    members: int
    turfs_to_roll: int
    complete: bool
    rating: int


class GroupsListed(Answer, kw_only=True, omit_defaults=True):
    """Every player who takes part or waits, with their group."""

    items: list[GroupListed]


class GroupLine(Part, kw_only=True, omit_defaults=True):
    """A group in short."""

    id: str
    name: str
    force: str
    members: int
    leader: str
    rating: int
    """As it was last made final."""
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
    """Whose list holds a game up."""

    player: str
    name: str
    reason: str
    """no_roster, roster_rejected or roster_not_accepted."""
    clause: str
    mended_by: str


class HeldGame(Part, kw_only=True, omit_defaults=True):
    """A game that waits for a list."""

    id: str
    venue: str
    table: int
    players: list[HeldPlayer]


class HeldGames(Answer, kw_only=True, omit_defaults=True):
    """The games of a round that have not begun with it."""

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
    """A whole number, or a decimal as a string."""
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
    """A whole number, or a decimal as a string."""
    points_after: int | str
    """A whole number, or a decimal as a string."""
    columns: list[str]
    """The values that change."""
    results: list[ResultMoved]
    passed_by: list[PassedBy]
    """At most five."""


class ChangedByView(Part, kw_only=True, omit_defaults=True):
    """An event of a tournament that changed its results after they had been taken."""

    id: str
    type: str
    time: str
    actor: ActorView
    actor_text: str
    """The actor as a line: `p1, player`."""
    reason: str


class TakenView(Part, kw_only=True, omit_defaults=True):
    """A tournament whose results the season has taken, and where its logs ended then."""

    tournament: str
    name: str
    reason: str
    """concluded, or corrected."""
    heads: dict[str, HeadView]
    causes: list[ChangedByView]


class HistoryItem(Part, kw_only=True, omit_defaults=True):
    """A time at which somebody moved. told_only: a correction after the end, whose standings stand."""

    number: int
    """The number of the standings."""
    time: str
    told_only: bool
    move: SeasonMoveView | None
    causes: list[TakenView]
    """Tournaments."""
    changes: list[ChangeView]
    """Who is who, and so on."""


class HistoryView(Answer, kw_only=True, omit_defaults=True):
    """Every time that somebody moved, oldest first."""

    player: str
    name: str
    items: list[HistoryItem]


class EntryOwned(Part, kw_only=True, omit_defaults=True):
    """An entry of a player of the season."""

    tournament: str
    entry: str


class IdentityView(Answer, kw_only=True, omit_defaults=True):
    """A player of the season with all entries that are theirs. merged_into: who they are by now, empty: themselves."""

    id: str
    name: str
    status: str
    division: str
    merged_into: str
    entries: list[EntryOwned]
    before: EntryOwned | None
    """Who they were in which season."""


class IdentityViewPage(Answer, kw_only=True, omit_defaults=True):
    """One page of a list of IdentityView."""

    items: list[IdentityView]
    next: str | None
    """Cursor of the next page; null: the end."""
    total: int
    """How many there are in all pages, with these filters."""


class InvitationView(Answer, kw_only=True, omit_defaults=True):
    """What a survivor tells those whom they want at their table."""

    player: str
    invitation: str
    party: str
    """Their party so far; empty for none."""
    players: list[str]
    """Who is in it."""
    places: int
    """How many more fit at a table."""


class Joined(Answer, kw_only=True, omit_defaults=True):
    """players: what became of each, in the order given; token and link: for the player, token_id: to revoke it by."""

    events: list[EventView]
    """The appended events; empty: nothing changed."""
    players: list[JoinedPlayer]
    id: str | None = None
    """The id of the thing it created, as in addresses; absent if it created nothing or several things."""


class Named(Part, kw_only=True, omit_defaults=True):
    """A player."""

    player: str
    name: str


class JudgeCallView(Answer, kw_only=True, omit_defaults=True):
    """A call to a table, as it stands."""

    id: str
    round: int
    game: str
    venue: str
    venue_name: str
    table: int
    """0: the game has none."""
    players: list[Named]
    """Who sits there now; none where the game is no more."""
    caller: str
    """The id of a player, or of whoever of the staff called."""
    caller_name: str
    reason: str
    """One of rules, time, dispute, other"""
    text: str
    status: str
    """One of waiting, taken, answered, withdrawn"""
    called_at: str
    referee: str
    """Who took it, or answered it; empty: nobody yet."""
    referee_name: str
    taken_at: str
    ended_at: str
    """When it was answered or withdrawn; empty: it is open."""
    answer: str


class JudgeCallViewPage(Answer, kw_only=True, omit_defaults=True):
    """One page of a list of JudgeCallView."""

    items: list[JudgeCallView]
    next: str | None
    """Cursor of the next page; null: the end."""
    total: int
    """How many there are in all pages, with these filters."""


class FindingView(Part, kw_only=True, omit_defaults=True):
    """Something that the rules would have avoided, or that changed since the round was paired."""

    code: str
    """One of rematch, kept_apart, other_venue, venue_closed, table_gone, table_shared, not_at_fixed_table,
    table_kept_free, table_again, bye_again, byes_together, byes_meet, bye_beside_spare, spare_gone, staff_plays,
    cannot_play, left_out, older_standings
    """
    game: str
    """Empty: about the round."""
    players: list[str]
    said: str
    """A sentence in English."""
    clause: str
    """Of the ruleset, where one says so."""
    sentence: str | None = None
    """The stable code of that sentence, without the names or the game at its beginning."""
    data: dict[str, Any] | None = None
    """The values that the sentence names."""


class LeftOut(Part, kw_only=True, omit_defaults=True):
    """An active player who was not paired."""

    player: str
    name: str
    reason: str
    """no_roster, not_checked_in or sitting_out; in a campaign no_group or wiped_out."""


class RuledPairing(Part, kw_only=True, omit_defaults=True):
    """A pairing that the rules would have made."""

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
    """The game of the round between the same players; empty: there is none."""
    sides: list[list[str]]


class RuledRound(Part, kw_only=True, omit_defaults=True):
    """The round that the rules would have paired. same: games between the same players."""

    method: str
    refused: str
    """Why they would have paired nothing; empty: they would."""
    same: int
    pairings: list[RuledPairing]
    left_out: list[LeftOut]
    code: str | None = None
    """The code of the problem that it would have been; left out: they would."""
    data: dict[str, Any] | None = None
    """The facts of that problem."""


class JudgementView(Answer, kw_only=True, omit_defaults=True):
    """A round as the rules see it. by_hand: games that they would not have made."""

    round: int
    status: str
    findings: list[FindingView]
    by_hand: list[str]
    by_rules: RuledRound


class LinkIssued(Answer, kw_only=True, omit_defaults=True):
    """A new link of a player and the token that it carries; `id` is that of the token, to revoke it by."""

    events: list[EventView]
    """The appended events; empty: nothing changed."""
    token: str
    link: str
    id: str | None = None
    """The id of the thing it created, as in addresses; absent if it created nothing or several things."""


class LinkView(Part, kw_only=True, omit_defaults=True):
    """A link of a player, and whose hands it went through; never the link itself."""

    id: str
    """The id of its token, which a revocation names."""
    kind: str
    """sign-up: got by signing up; entry: with an entry by somebody else; issued: asked for."""
    actor: ActorView
    """Who signed up, entered the player, or requested the link."""
    actor_text: str
    """The actor as a line: `s2, referee`."""
    name: str
    """What they are called, where they are of the staff."""
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
    """How many there are in all pages, with these filters."""


class LookView(Part, kw_only=True, omit_defaults=True):
    """Somebody was shown personal data."""

    id: int
    time: str
    actor: str
    """For staff, the id that the tournament shows."""
    role: str
    members: list[str]


class LookViewPage(Answer, kw_only=True, omit_defaults=True):
    """One page of a list of LookView."""

    items: list[LookView]
    next: str | None
    """Cursor of the next page; null: the end."""
    total: int
    """How many there are in all pages, with these filters."""


class PinnedTable(Part, kw_only=True, omit_defaults=True):
    """A table that is kept for somebody."""

    venue: str
    table: int


class PlayerView(Answer, kw_only=True, omit_defaults=True):
    """A player as everybody sees them."""

    id: str
    name: str
    external_id: str
    """Who they are elsewhere; empty where nobody said."""
    faction: str
    club: str
    venue: str
    status: str
    late: bool
    checked_in: bool
    roster: str
    """Empty, submitted, accepted or rejected."""
    pinned: PinnedTable | None
    """The table that the player keeps; never why."""
    warnings: int
    barred: str
    """Later events that the player is kept from since the disqualification; empty for none."""
    after_round: int
    waiting_position: int | None = None
    """From 1, for those who wait."""


class MeView(Answer, kw_only=True, omit_defaults=True):
    """The player behind the link, and where to read and do what concerns them."""

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
    """Of a roll: the id of the event that took it back for good; empty: it stands."""


class MemberEventViewPage(Answer, kw_only=True, omit_defaults=True):
    """One page of a list of MemberEventView."""

    items: list[MemberEventView]
    next: str | None
    """Cursor of the next page; null: the end."""
    total: int
    """How many there are in all pages, with these filters."""


class MessageQueued(Answer, kw_only=True, omit_defaults=True):
    """A message that is sent soon. id: of its delivery."""

    id: int
    """GET …/deliveries/{id} shows what came of it."""


class MoveView(Part, kw_only=True, omit_defaults=True):
    """A version of the ruleset, and the round from which it holds; the one announced holds from 0 on."""

    id: str
    version: str
    from_round: int


class MovesView(Answer, kw_only=True, omit_defaults=True):
    """Every version that the campaign has been played by, the first first."""

    items: list[MoveView]


class MissingValues(Part, kw_only=True, omit_defaults=True):
    """A side without which values a table with it is not set up."""

    scenario: str
    side: int
    """1 or 2."""
    missing: list[str]


class OperatorDataView(Answer, kw_only=True, omit_defaults=True):
    """What was entered last. version 0: nothing yet."""

    version: int
    data: dict[str, Any]
    missing: list[MissingValues]


class OrganiserToken(Answer, kw_only=True, omit_defaults=True):
    """A new token of an organiser; `id` is what a revocation names. The token is shown here alone."""

    events: list[EventView]
    """The appended events; empty: nothing changed."""
    token: str
    id: str | None = None
    """The id of the thing it created, as in addresses; absent if it created nothing or several things."""


class OrganiserTokenView(Part, kw_only=True, omit_defaults=True):
    """A token that an operator issued to an organiser; never the token itself."""

    id: str
    """What a revocation names."""
    organiser: str
    """The name that the log records; it leads what it announced."""
    actor: ActorView
    """Who issued it."""
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
    """How many there are in all pages, with these filters."""


class OverlayRound(Part, kw_only=True, omit_defaults=True):
    """The latest round with its clock; a stream counts down by itself."""

    round: int
    stage: str
    status: str
    """One of paired, started, closed"""
    scenario: str
    games: int
    """Without byes; of this venue where one is asked for."""
    open: int
    """Of those: games whose result does not count yet, or is missing."""
    started_at: str
    """Empty before the start."""
    ends_at: str
    """When time is called; empty before the start."""
    hard_stop_at: str | None
    """When every game ends, whatever is in progress; null: at no set time."""


class RowView(Part, kw_only=True, omit_defaults=True):
    """A line of standings."""

    rank: int
    player: str
    name: str
    external_id: str | None
    """The id of the player in another system, such as a rating list. null: none is known."""
    values: dict[str, int | str]
    """The ruleset's columns: whole numbers, or decimals as strings; a value within tied groups is empty for a player
    in none.
    """
    tied: bool
    """Only a recorded draw separates the player from a neighbour."""
    status: str
    separated_by: str | None = None
    """Campaigns: what it is lower by than the row above; empty where they share a rank."""
    crosstable: dict[str, list[int | str]] | None = None
    """Round robins: each opponent met, with the points of each of those games in order."""


class OverlayStandings(Part, kw_only=True, omit_defaults=True):
    """The head of the present standings; ranks are those of the whole."""

    round: int
    final: bool
    provisional: bool
    columns: list[str]
    items: list[RowView]
    total: int
    """How many there are in all pages, with these filters."""
    words: dict[str, str] | None = None


class OverlayPlayer(Part, kw_only=True, omit_defaults=True):
    """Somebody at a table."""

    player: str
    name: str
    faction: str
    club: str
    rank: int | None
    """Of the present standings; null: not in them, as a spare player."""
    values: dict[str, int | str]
    """The columns of the standings."""


class ScoreView(Part, kw_only=True, omit_defaults=True):
    """What the ruleset makes of a result: outcome and values of each side."""

    outcome_1: str
    outcome_2: str | None
    values_1: dict[str, int]
    values_2: dict[str, int]


class OverlayTable(Part, kw_only=True, omit_defaults=True):
    """A game of the round: who plays it, and how far it is."""

    game: str
    venue: str
    table: int
    wave: int
    status: str
    """bye: no game at all; open: nothing was reported; reported, disputed: it does not count yet; confirmed, ruled,
    corrected: it counts. One of: bye, open, reported, disputed, confirmed, ruled, corrected.
    """
    binds: bool
    """Whether standings count its result as it is."""
    ends_at: str
    """When time is called for this game; empty before the start."""
    sides: list[list[OverlayPlayer]]
    """Who plays, side by side; of a game of two there is one on each."""
    score: ScoreView | None = None
    """What the ruleset makes of the result, once there is one."""


class OverlayView(Answer, kw_only=True, omit_defaults=True):
    """What a stream shows beside its picture."""

    tournament: str
    name: str
    round: OverlayRound | None
    """The latest; null: none is paired."""
    tables: list[OverlayTable]
    """Of that round, in the order of tables; byes are at no table."""
    standings: OverlayStandings


class Paired(Answer, kw_only=True, omit_defaults=True):
    """The round as it stands now, whose number is `id`, and who was left out of it."""

    events: list[EventView]
    """The appended events; empty: nothing changed."""
    left_out: list[LeftOut]
    id: str | None = None
    """The id of the thing it created, as in addresses; absent if it created nothing or several things."""


class EventForeseen(Part, kw_only=True, omit_defaults=True):
    """An event that would be appended."""

    source: str
    """The service whose log it would be in."""
    type: str
    data: dict[str, Any]


class GroupOfSide(Part, kw_only=True, omit_defaults=True):
    """A group of one side of a game."""

    player: str
    name: str


class PairingView(Answer, kw_only=True, omit_defaults=True):
    """A pairing with its place, its game's status and its reason.

    sides: of a game of three or more groups; player_1 and player_2 are then the first of the first two sides.
    """

    id: str
    kind: str
    player_1: str
    name_1: str
    player_2: str
    """Empty for a bye; staff in a spare game."""
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
    """1: begins with the round; 2: next at that table, and so on."""
    status: str
    """bye: no game at all; open: nothing was reported; reported, disputed: it does not count yet; confirmed, ruled,
    corrected: it counts. One of: bye, open, reported, disputed, confirmed, ruled, corrected.
    """
    binds: bool
    """Whether standings count it as it is."""
    reason: str
    rematch: bool
    bye: str
    """awarded or requested, for a bye that is none of the pairing."""
    ends_at: str
    """When time is called for this game; empty before the start."""
    held: bool
    """It has not begun with its round: it waits for a player's list."""
    sides: list[list[GroupOfSide]] | None = None
    """Every side with its groups; left out of a game of two."""


class RoundView(Answer, kw_only=True, omit_defaults=True):
    """A round with its pairings, in the order in which they were made."""

    round: int
    stage: str
    status: str
    """draft, paired, started or closed."""
    method: str
    """The policy's name, or manual."""
    scenario: str
    reason: str
    """Why a round was paired by hand."""
    games: int
    """Without byes."""
    open: int
    """Games whose result does not count yet, or is missing."""
    publish_at: str
    """Of a draft: the time set for it; empty: none."""
    started_at: str
    ends_at: str
    seed: str
    made_from: int
    """Scoring's position of the standings it was made from."""
    made_from_older_standings: bool
    """Standings were recorded anew since; the pairings stand unless somebody acts."""
    timing: TimingView | None
    """null where rounds have no clock, as in a campaign."""
    left_out: list[LeftOut]
    pairings: list[PairingView]
    next: str | None
    """Cursor of the next page of pairings; null: the end, or no page was asked for."""
    total: int
    """How many there are in all pages, with these filters."""
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
    """0: no number."""
    survivors: list[str]
    names: list[str]
    host: str
    scenario: str
    """Assigned by the organiser; empty: the table chooses."""
    loyal_faction: str
    status: str
    """seated: not set up yet; setup, playing, ended: as the table tells; not_played: nobody sits there any more. One
    of: seated, setup, playing, ended, not_played.
    """
    binds: bool
    """Whether the ranking counts it as it is."""


class SessionRoundView(Part, kw_only=True, omit_defaults=True):
    """A round of sessions with its tables."""

    round: int
    method: str
    """drawn or manual."""
    seed: str
    closed: bool
    waiting: list[str]
    not_there: list[str]
    tables: list[SeatedView]


class PairingMoves(Part, kw_only=True, omit_defaults=True):
    """What would be another than it is: the latest round as it would be; null: it would be taken back.

    judgement: what the rules think of a round that would be a draft. cut: with the players who are tied at its
    line.
    """

    round: RoundView | None = None
    session_round: SessionRoundView | None = None
    judgement: JudgementView | None = None
    cut: CutView | None = None


class Uncertain(Part, kw_only=True, omit_defaults=True):
    """Something that is known once the command is done."""

    where: str
    """JSON pointer into this answer: a member that is left out, or the first of events to come."""
    reason: str
    """made: an id, a secret or a time of the moment; rolled: a lot or dice, drawn when the command is done. One of:
    made, rolled.
    """


class PairingPreview(Answer, kw_only=True, omit_defaults=True):
    """What a command would do; nothing was appended. With If-Match of this answer's ETag it is done so or refused."""

    preview: bool
    events: list[EventForeseen]
    """That are certain, in order; none, and nothing uncertain: nothing changes."""
    uncertain: list[Uncertain]
    moves: PairingMoves


class PartyView(Part, kw_only=True, omit_defaults=True):
    """Survivors who sit together."""

    id: str
    players: list[str]


class PartiesView(Answer, kw_only=True, omit_defaults=True):
    """Every party there is."""

    items: list[PartyView]


class PersonalView(Answer, kw_only=True, omit_defaults=True):
    """Personal data, as far as whoever asks is shown them."""

    player: str
    data: dict[str, Any]
    """email, phone, legal_name: to the organiser; needs, table_reason: to a head referee, too; all of these to the
    player. notes (event, type, time, actor, note): to organiser and head referee.
    """


class RecruitView(Part, kw_only=True, omit_defaults=True):
    """Somebody who can be hired."""

    id: str
    rank: str
    roll: str


class PoolView(Part, kw_only=True, omit_defaults=True):
    """Step 4 of the whole campaign. order: who has still to act, the next one first."""

    open: bool
    recruits: list[RecruitView]
    order: list[str]
    waits_for: list[FaultView]
    """Why recruits cannot be opened yet."""


class StepView(Part, kw_only=True, omit_defaults=True):
    """Where a group stands in its post-game phase."""

    group: str
    name: str
    """The player's public name."""
    step: str | None
    """The open one; null: none is."""
    step_name: str
    waits_for: list[FaultView]
    """What has to be done before it closes."""
    done: bool
    """Whether the round is over for this group."""
    marked_dice: dict[str, str]
    """Rolls of the group that rest on one word or are denied: `unconfirmed`, `disputed`, `rejected`."""
    dice_to_confirm: list[str]
    """Rolls that wait for the word of this player."""


class PhaseView(Answer, kw_only=True, omit_defaults=True):
    """The post-game phase of a round, over all groups."""

    round: int
    closed: bool
    groups: list[StepView]
    recruits: PoolView


class PlayerPage(Answer, kw_only=True, omit_defaults=True):
    """One page of players."""

    items: list[PlayerView]
    next: str | None
    """Cursor of the next page; null: the end."""
    total: int
    """How many there are in all pages, with these filters."""
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
    """A player's game of the latest round."""

    player: str
    round: int
    status: str
    pairing: PairingView


class SeparatedBy(Part, kw_only=True, omit_defaults=True):
    """The first comparison that separates a row from the one above it, or the first row from the one below it."""

    compared_with: str
    """The session, or the survivor."""
    by: str
    """fewer rounds, more goals …; equal: the rank is shared."""
    own: str
    theirs: str
    clause: str


class SurvivorRankView(Part, kw_only=True, omit_defaults=True):
    """A survivor over all sessions so far."""

    rank: int
    player: str
    name: str
    external_id: str | None
    """The id of the player in another system, such as a rating list. null: none is known."""
    points: int
    victories: int
    rounds: int
    """Rounds that the victories took."""
    goals: int
    reason: SeparatedBy | None
    """What separates it from the row above; null: there is no other."""


class TableRankView(Part, kw_only=True, omit_defaults=True):
    """A table in the ranking. share: of the power track, exact."""

    rank: int
    session: str
    survivors: list[str]
    outcome: str
    rounds: int
    share: str
    goals: int
    scenario: str
    """The scenario of its ranking, if sides are ranked apart."""
    loyal: str
    reason: SeparatedBy | None
    """What separates it from the row above; null: there is no other."""


class RankingView(Answer, kw_only=True, omit_defaults=True):
    """The tables of a round in order, and the survivors. provisional: not as published."""

    tournament: str
    round: int
    provisional: bool
    final: bool
    tables: list[TableRankView]
    survivors: list[SurvivorRankView]
    total_tables: int
    """How many tables are ranked, whichever are shown."""
    total_survivors: int
    """How many survivors are ranked, whichever are shown."""
    next: str | None
    """Cursor of the next page of the list; null: the end, or no page was asked for."""


class Check(Part, kw_only=True, omit_defaults=True):
    """What one probe found."""

    ok: bool
    needed: bool
    """Whether the service cannot work without it"""
    ms: float
    """Milliseconds that the probe took"""
    detail: dict[str, Any]
    """Facts found, by name: numbers for everybody, texts and lists for operators"""


class Disk(Part, kw_only=True, omit_defaults=True):
    """The disk that holds the data folder."""

    free: int
    """Bytes"""
    size: int
    """Bytes"""


class Ready(Answer, kw_only=True, omit_defaults=True):
    """Whether a process can do its work: ok, degraded (works, something is missing) or failed."""

    status: str
    """ok"""
    service: str
    checks: dict[str, Check]
    version: str | None = None
    """Of the code that runs; for operators and services"""
    disk: Disk | None = None
    """For operators and services; missing where it cannot be read"""


class Difference(Part, kw_only=True, omit_defaults=True):
    """Something that was not as the logs say, and is now; or a damaged log, which is only named."""

    what: str
    """log, memory, snapshot, or the name of a read model."""
    tournament: str
    where: str
    """Inside of it, as a JSON pointer."""
    found: str
    expected: str


class RebuiltView(Answer, kw_only=True, omit_defaults=True):
    """What was made anew from the logs."""

    tournaments: int
    events: int
    """Verified and folded, from the first one on."""
    snapshots: int
    lines: int
    """Lines of read models."""
    differences: list[Difference]


class EndView(Part, kw_only=True, omit_defaults=True):
    """Where a copy ends."""

    position: int
    hash: str


class RecopiedView(Answer, kw_only=True, omit_defaults=True):
    """What was replaced, and by what."""

    id: int
    """The id of the record under which the replaced events are kept."""
    source: str
    tournament: str
    old: EndView
    new: EndView
    kept: int
    """Events at the start that were the same."""
    replaced: int
    """Events that were set aside."""
    cases: int
    """Cases of quarantine that this closes."""
    decided: int
    """Events of this service that were decided on what was replaced; they stay."""
    events: list[str]
    """Their ids, the first 100."""
    refused: str
    """Why the owner's log was not copied to its end; empty: it was."""


class Recovered(Answer, kw_only=True, omit_defaults=True):
    """What was taken back from the peers."""

    peers: list[str]
    """Who was asked."""
    events: int
    """That came back, of all tournaments."""
    tournaments: int
    """Whose log got events back."""
    feed: int
    """Where the feed ends now."""
    guessed: int
    """Feed positions of which no peer knew the event."""
    lost: list[str]
    """Events that are damaged here and that no peer holds. Their logs stay as they are."""
    lost_rows: list[str]
    """Rows beside the log that are gone: the rosters of these players, to be handed in again."""


class RegistrationItemView(Part, kw_only=True, omit_defaults=True):
    """One good. holder: the member who carries it; empty for the stash."""

    id: str
    good: str
    """A good by its key, as the ruleset's `rules.goods` has it, or by one of its names, in any case."""
    names: list[str]
    """What it may be on the table."""
    holder: str
    caps: int
    """What it counts in the rating."""


class RegistrationMemberView(Part, kw_only=True, omit_defaults=True):
    """A member as the group was built."""

    id: str
    rank: str
    rank_name: str
    """What the force calls the rank."""
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
    """A group as its player built it, before its first game; scoring shows it as it lives."""

    id: str
    """The player whose group it is."""
    player_name: str
    force: str
    force_name: str
    complete: bool
    """Whether it has turfs, leader and rating."""
    turfs_to_roll: int
    members: list[RegistrationMemberView]
    items: list[RegistrationItemView]
    turfs: list[RegistrationTurfView]
    caps: int
    """Unspent; no part of the rating."""
    leader: str
    """Empty until the last turf is rolled."""
    rating: int
    """0 until the last turf is rolled."""
    rating_parts: dict[str, int]
    advice: list[FaultView]


class IdentityConsequences(Part, kw_only=True, omit_defaults=True):
    """What would move in a season. twice: tournaments in which one player would have two entries."""

    moves: list[SeasonMoveView]
    twice: list[str]
    same_names: list[SameName] | None = None
    """By name: entries that stay unclaimed for staff to look at."""


class RuleDiffers(Part, kw_only=True, omit_defaults=True):
    """A value that differs. null: it is on one side only."""

    where: str
    """JSON pointer into the pack."""
    before: Any
    after: Any


class VersionView(Part, kw_only=True, omit_defaults=True):
    """A version of a ruleset."""

    id: str
    version: str


class MovePreviewed(Part, kw_only=True, omit_defaults=True):
    """What would differ from a round on; nothing was moved."""

    from_round: int
    before: VersionView
    after: VersionView
    differences: list[RuleDiffers]


class StatusMoved(Part, kw_only=True, omit_defaults=True):
    """A status as it is and as it would be; before is empty for somebody new."""

    before: str
    after: str


class RegistrationPlaceMoved(Part, kw_only=True, omit_defaults=True):
    """A player who would take part, wait or be gone in another way: somebody new, who leaves, or who moves up."""

    id: str
    """The id of the player."""
    name: str
    status: StatusMoved


class RegistrationMoves(Part, kw_only=True, omit_defaults=True):
    """What would be another than it is; what the format of the tournament does not have is left out."""

    players: list[RegistrationPlaceMoved]
    unchanged: int | None = None
    """Of a list: players who are there as it says, and are passed over."""
    ruleset: MovePreviewed | None = None
    season: IdentityConsequences | None = None


class RegistrationPreview(Answer, kw_only=True, omit_defaults=True):
    """What a command would do; nothing was appended. With If-Match of this answer's ETag it is done so or refused."""

    preview: bool
    events: list[EventForeseen]
    """That are certain, in order; none, and nothing uncertain: nothing changes."""
    uncertain: list[Uncertain]
    moves: RegistrationMoves


class OnlyView(Part, kw_only=True, omit_defaults=True):
    """Another fact, and what it has to be."""

    where: str
    value: str


class AskedFactView(Part, kw_only=True, omit_defaults=True):
    """A fact that may be said of a game."""

    where: str
    """JSON pointer into `facts`."""
    name: str
    """The same for both sides."""
    side: int
    """1 or 2; 0: of the game."""
    kind: str
    """whole: a number; choice: one of `choices`; flag: no or yes, as `choices` have them; text; names, numbers,
    letters: a list of them; units: a list of units that are gone, each an object. One of: whole, choice, flag,
    text, names, numbers, units, letters.
    """
    part: str
    """game: which it was; score; table: what makes the score or the winner; beside: recorded besides; end: how it
    ended. One of: game, score, table, beside, end.
    """
    least: int
    """Of a number; of a list, how many."""
    most: int | None
    """The same; null: open."""
    step: int
    together: int | None
    """The most of both sides in sum; null: open."""
    choices: list[int | str | bool]
    needed: bool
    """A game without it is refused, unless something else makes it."""
    makes: str
    """points, winner: which of them follows from it, and need not be said then. One of: points, winner, ."""
    game_round: int
    """Of the game, after which it is counted; 0: at its end."""
    clause: str
    only: OnlyView | None = None
    """Asked only where this was said."""


class ResultFormView(Answer, kw_only=True, omit_defaults=True):
    """What may be said of a game, with the bounds of each fact; what holds of several together, a preview says."""

    game: str
    unit: str
    """What points are called."""
    draw: str
    """What a game without a winner is called."""
    scenario: str
    """Of the round; empty where it has none."""
    concedes: bool
    """Whether a side may concede: `conceded_by`."""
    unplayed: list[str]
    """Kinds of a game that was not played; only staff record them."""
    facts: list[AskedFactView]


class ResultsTakenView(Part, kw_only=True, omit_defaults=True):
    """The results of a tournament as the season counts them."""

    tournament: str
    name: str
    reason: str
    """concluded, or corrected."""
    heads: dict[str, HeadView]
    causes: list[ChangedByView]
    time: str
    told: bool
    """Came after the end, and are only told."""
    entries: int


class ResultsView(Answer, kw_only=True, omit_defaults=True):
    """Every tournament that has results here, in the order of the season."""

    items: list[ResultsTakenView]
    waiting: list[str]
    """Gathered, and not concluded yet."""


class RevocationView(Part, kw_only=True, omit_defaults=True):
    """A token that the installation took back."""

    id: str
    reason: str
    actor: ActorView
    """Who revoked it."""
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
    """How many there are in all pages, with these filters."""


class SheetView(Part, kw_only=True, omit_defaults=True):
    """A printed sheet. Empty cells are filled in by hand."""

    about: str
    """The id of the player, game or venue; empty: everyone."""
    heading: dict[str, str]
    columns: list[str]
    lines: list[list[str]]
    """From top to bottom; a text for each column."""


class RosterSheets(Answer, kw_only=True, omit_defaults=True):
    """A roster on paper: a sheet of each form that holds lists."""

    items: list[SheetView]


class RosterTaken(Answer, kw_only=True, omit_defaults=True):
    """advice: what the document advises against in the roster, which is legal all the same."""

    events: list[EventView]
    """The appended events; empty: nothing changed."""
    advice: list[FaultView]
    id: str | None = None
    """The id of the thing it created, as in addresses; absent if it created nothing or several things."""


class SealedView(Part, kw_only=True, omit_defaults=True):
    """A field that is not open yet: the log has SHA-256 of the RFC 8785 JSON of [salt, field, value].

    value: as in `roster`, null if the list has no such field.
    """

    field: str
    digest: str
    shown: bool
    """Whether you may see it now; then there is a salt."""
    held: bool
    """false: registration lost it with its database; hand the list in again."""
    salt: str
    clause: str


class RosterView(Answer, kw_only=True, omit_defaults=True):
    """A roster as submitted last: the fields that the caller may read by now; all of them for staff and owner."""

    player: str
    status: str
    note: str
    """What staff said when they accepted or rejected it; before play has begun, for staff and owner alone."""
    roster: dict[str, Any]
    sealed: list[SealedView]
    """Fields of which the log has digests, because they are not open yet."""
    faults: list[FaultView]
    advice: list[FaultView]
    """What the document advises against; it is legal."""


class RoundListed(Part, kw_only=True, omit_defaults=True):
    """A round in short."""

    round: int
    stage: str
    status: str
    """draft, paired, started or closed."""
    method: str
    """The policy's name, or manual."""
    scenario: str
    reason: str
    """Why a round was paired by hand."""
    games: int
    """Without byes."""
    open: int
    """Games whose result does not count yet, or is missing."""
    publish_at: str
    """Of a draft: the time set for it; empty: none."""
    started_at: str
    ends_at: str
    seed: str
    made_from: int
    """Scoring's position of the standings it was made from."""
    made_from_older_standings: bool
    """Standings were recorded anew since; the pairings stand unless somebody acts."""


class SpareView(Part, kw_only=True, omit_defaults=True):
    """A spare player who stands by."""

    id: str
    """The id of the member of staff."""
    name: str
    venue: str
    """Empty: anywhere."""


class RoundsView(Answer, kw_only=True, omit_defaults=True):
    """The rounds of a tournament."""

    items: list[RoundListed]
    planned: int | None
    """null: not fixed yet."""
    spares: list[SpareView]
    """Spare players who stand by."""
    next: str | None
    """Cursor of the next page; null: the end, or no page was asked for."""
    total: int
    """How many there are in all pages, with these filters."""


class BlankForm(Part, kw_only=True, omit_defaults=True):
    """A form as it is printed; scoring fills it in: GET /tournaments/{id}/forms/{form}."""

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
    """More copies for each planned round."""


class DecisionView(Part, kw_only=True, omit_defaults=True):
    """A question that staff settle, and the roles that do so here."""

    question: str
    """rulings, final, disqualification, reinstatement, barring or lists."""
    roles: list[str]
    clause: str
    """Empty: the ruleset says nothing of it."""


class OptionView(Part, kw_only=True, omit_defaults=True):
    """What an organiser may set."""

    key: str
    name: str
    kind: str
    """flag, choice, whole, bands, rounds, points or words."""
    default: Any
    """As its kind has it; null: none."""
    choices: list[str]
    """choice: the words to choose from. whole: words in place of a number. points, words: the words that may be given.
    Empty: none.
    """
    least: int
    """whole: the smallest number."""
    most: int | None
    """whole: the largest number; null: no limit."""


class TierView(Part, kw_only=True, omit_defaults=True):
    """What depends on the level of play, each with its clause."""

    id: str
    rounds: str
    """table, or organiser."""
    list_due: bool
    """No first game without an accepted list."""
    list_due_for: str
    """pairing: nobody is paired without; start: no round begins."""
    judge_may_play: bool
    kept_apart: bool
    """Players may ask not to meet in round 1."""
    clauses: dict[str, str]


class RulesetView(Answer, kw_only=True, omit_defaults=True):
    """A ruleset with what depends on its tiers, who of the staff settles what, its forms, and the whole pack."""

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
    """A ruleset in short."""

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
    """A part of a value, and where it comes from."""

    source: str
    value: int


class ScoringItemView(Part, kw_only=True, omit_defaults=True):
    """One good. holder: empty for the stash."""

    id: str
    good: str
    holder: str


class AttributeView(Part, kw_only=True, omit_defaults=True):
    """An attribute as it is now, with its parts."""

    value: int
    parts: list[PartView]


class ScoringMemberView(Part, kw_only=True, omit_defaults=True):
    """A member's sheet."""

    id: str
    name: str
    rank: str
    attributes: dict[str, AttributeView]
    perks: dict[str, bool]
    """Whether it is awake."""
    xp: int
    level: int
    injuries: list[str]
    addictions: list[str]
    rads: int
    hunger: int
    critical_failure: int
    """The face from which it is checked."""
    carries: list[str]
    away: bool
    """In jail until the next game is over."""
    stays_home: list[FaultView]
    """Why, if it must."""


class ScoringTurfView(Part, kw_only=True, omit_defaults=True):
    """A turf."""

    id: str
    turf: str


class ScoringGroupView(Answer, kw_only=True, omit_defaults=True):
    """A group as it lives now: its roster sheet."""

    id: str
    name: str
    force: str
    members: int
    leader: str
    rating: int
    """As it was last made final."""
    caps: int
    playing: bool
    clean: int
    """Clean food."""
    radiated: int
    """Radiated food."""
    centaurs: int
    sheets: list[ScoringMemberView]
    items: list[ScoringItemView]
    turfs: list[ScoringTurfView]
    marked_dice: dict[str, str]
    """Rolls of the group that rest on one word or are denied: `unconfirmed`, `disputed`, `rejected`."""
    rating_now: int
    rating_parts: list[PartView]


class GameScored(Part, kw_only=True, omit_defaults=True):
    """A game, and what the ruleset makes of the facts that are said of it."""

    game: str
    score: ScoreView


class NumberMoved(Part, kw_only=True, omit_defaults=True):
    """A number as it is, and as it would be."""

    before: int
    after: int


class MemberMoved(Part, kw_only=True, omit_defaults=True):
    """A member of whom something would change. lost, gained: attributes and perks by advancements, one entry each."""

    member: str
    xp: NumberMoved
    level: NumberMoved
    advances: NumberMoved
    """Advancements owed."""
    lost: list[str]
    gained: list[str]


class GroupMoved(Part, kw_only=True, omit_defaults=True):
    """A group of which something would change."""

    group: str
    balances: dict[str, NumberMoved]
    """caps, clean, radiated and rating, where they would change."""
    members: list[MemberMoved]
    items_lost: list[str]
    items_gained: list[str]


class SurvivorMoved(Part, kw_only=True, omit_defaults=True):
    """A survivor who would stand elsewhere or with another sum."""

    player: str
    name: str
    before: int | None
    after: int
    points_before: int | None
    points_after: int


class TableMoved(Part, kw_only=True, omit_defaults=True):
    """A table that would stand elsewhere. before: null where it did not count."""

    session: str
    before: int | None
    after: int


class RankingMoved(Part, kw_only=True, omit_defaults=True):
    """What would move in the ranking of a round of sessions, which is the latest."""

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
    """A round whose byes would have gone to others."""

    round: int
    given_to: list[str]
    would_go_to: list[str]


class CutMoved(Part, kw_only=True, omit_defaults=True):
    """Who would be in the cut."""

    would_be_in: list[str]
    would_be_out: list[str]
    seeding_changes: bool


class LaterRound(Part, kw_only=True, omit_defaults=True):
    """A round that was paired from standings that would change; its pairings stand."""

    round: int
    pairings: int
    status: str


class RankMoved(Part, kw_only=True, omit_defaults=True):
    """A rank as it is and as it would be."""

    before: int
    after: int


class ValueMoved(Part, kw_only=True, omit_defaults=True):
    """A value as it is and as it would be."""

    before: int | str
    """A whole number, or a decimal as a string."""
    after: int | str
    """A whole number, or a decimal as a string."""


class RowMoved(Part, kw_only=True, omit_defaults=True):
    """Somebody who would stand elsewhere or with other values."""

    player: str
    name: str
    rank: RankMoved
    values: dict[str, ValueMoved]


class ScoringPlaceMoved(Part, kw_only=True, omit_defaults=True):
    """A game of the bracket that another player would go on to; pairing pairs it again.

    In a round that was paired by hand it is refused until staff pair it again.
    """

    round: int
    game: str
    leaves: str
    leaves_name: str
    goes_on: str
    """Empty: no one; the opponent goes on without a game."""
    goes_on_name: str


class WinnerMoved(Part, kw_only=True, omit_defaults=True):
    """The winner of the tournament as it is and as it would be."""

    before: str
    after: str


class StandingsMoved(Part, kw_only=True, omit_defaults=True):
    """What would move in the standings and with them. standings_round: the round that they are of."""

    standings_round: int
    ranks: list[RowMoved]
    rounds_recorded_anew: list[int]
    byes: list[ByeMoved]
    cut: CutMoved | None
    bracket: list[ScoringPlaceMoved]
    later_pairings: list[LaterRound]
    winner: WinnerMoved | None


class ScoringMoves(Part, kw_only=True, omit_defaults=True):
    """What would be another than it is; what the format of the tournament does not have is left out.

    A report that waits for the opponent moves nothing but its game, and the rest is left out.
    """

    games: list[GameScored] | None = None
    """What the ruleset makes of each game that this is about."""
    standings: StandingsMoved | None = None
    ranking: RankingMoved | None = None
    groups: list[GroupMoved] | None = None
    season: list[SeasonMoveView] | None = None
    seasons: list[SeasonConsequences] | None = None


class ScoringPreview(Answer, kw_only=True, omit_defaults=True):
    """What a command would do; nothing was appended. With If-Match of this answer's ETag it is done so or refused."""

    preview: bool
    events: list[EventForeseen]
    """That are certain, in order; none, and nothing uncertain: nothing changes."""
    uncertain: list[Uncertain]
    moves: ScoringMoves


class GamePlayedView(Part, kw_only=True, omit_defaults=True):
    """A game as the player saw it."""

    round: int
    """0: not known."""
    kind: str
    """game, bye or forfeit."""
    outcome: str
    """win, draw or loss."""
    opponent: str
    """Their id in that tournament; empty: nobody."""
    opponent_name: str
    score: int
    against: int


class TournamentPlayedView(Part, kw_only=True, omit_defaults=True):
    """What a player did in one tournament of the season."""

    tournament: str
    name: str
    played_on: str
    entry: str
    """The player's id there."""
    entry_name: str
    """Empty: no results are taken yet."""
    concluded: bool
    """Whether its results are taken; the members below say nothing before that."""
    status: str
    place: int
    """0: none."""
    field: int
    """How many had a place."""
    points: str
    """What it is worth in the season, exact; empty: nothing."""
    reason: str
    """Why it does not count; empty where it does."""
    games: list[GamePlayedView]


class SeasonPlayedView(Answer, kw_only=True, omit_defaults=True):
    """A player's tournaments in the order of the season."""

    player: str
    name: str
    items: list[TournamentPlayedView]


class BarredView(Part, kw_only=True, omit_defaults=True):
    """Why somebody is not eligible, and the clause that says so."""

    reason: str
    clause: str


class NeighbourExplained(Part, kw_only=True, omit_defaults=True):
    """The member above or below. column: what separates the two; empty where nothing does."""

    player: str
    name: str
    rank: int
    column: str
    own: str
    theirs: str
    clause: str


class SeasonRatingView(Part, kw_only=True, omit_defaults=True):
    """A rating beside the points. deviation, volatility: empty where it has none."""

    rating: str
    games: int
    deviation: str
    volatility: str


class SeasonResultExplained(Part, kw_only=True, omit_defaults=True):
    """A result with its points, exact, and the clause by which it counts or does not."""

    tournament: str
    name: str
    place: int
    field: int
    points: str
    weight: int
    reason: str
    clause: str


class SeasonValueExplained(Part, kw_only=True, omit_defaults=True):
    """A value of the ranking, exact, with its clause."""

    column: str
    value: str
    clause: str


class SeasonRankExplained(Answer, kw_only=True, omit_defaults=True):
    """Everything that a rank is made of."""

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
    """A tournament whose results moved the standings."""

    tournament: str
    reason: str


class SeasonResultView(Part, kw_only=True, omit_defaults=True):
    """What a tournament brought. reason: why it does not count, empty where it does."""

    tournament: str
    entry: str
    place: int
    field: int
    points: int | str
    """Whole, or exact as "p/q"."""
    weight: int
    """In per cent."""
    reason: str


class SeasonRowView(Part, kw_only=True, omit_defaults=True):
    """A line of the standings. was: the rank before, where it was another one; 0: there was none."""

    rank: int
    overall: int
    """Among all divisions."""
    player: str
    name: str
    external_id: str | None
    """The id of the player in another system, such as a rating list. null: none is known."""
    division: str
    points: int | str
    """Whole, or exact as "p/q"."""
    values: dict[str, int | str]
    tied: bool
    attended: int
    listed_last: bool
    barred: list[str]
    """Why not eligible; empty: eligible."""
    status: str
    rating: SeasonRatingView | None
    results: list[SeasonResultView]
    was: int | None


class SeasonStandingsView(Answer, kw_only=True, omit_defaults=True):
    """The standings of a season. number 0: nothing yet. provisional: not recorded yet, so that another table may come
    under this number.
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
    """Cursor of the next page; null: the end, or no page was asked for."""
    total: int
    """How many there are in all pages, with these filters."""


class SeasonWarningView(Part, kw_only=True, omit_defaults=True):
    """A warning in one of the tournaments."""

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
    """The player's id there."""


class SeasonWarningViewPage(Answer, kw_only=True, omit_defaults=True):
    """One page of a list of SeasonWarningView."""

    items: list[SeasonWarningView]
    next: str | None
    """Cursor of the next page; null: the end."""
    total: int
    """How many there are in all pages, with these filters."""


class SeasonWarningsView(Answer, kw_only=True, omit_defaults=True):
    """A player's warnings in the tournaments of a season that the caller may see, in the order of the season."""

    player: str
    name: str
    items: list[SeasonWarningView]


class SessionRoundsView(Answer, kw_only=True, omit_defaults=True):
    """Every round of sessions."""

    items: list[SessionRoundView]


class CampTokensView(Part, kw_only=True, omit_defaults=True):
    """Where the C.A.M.P. tokens are. gained: and not placed yet."""

    supply: int
    gained: int
    on_map: list[str]
    """The spaces that they lie in."""


class EndedView(Part, kw_only=True, omit_defaults=True):
    """What ended a session. event, position: in scoring's log."""

    outcome: str
    event: str
    position: int
    time: str
    cause: str


class SummaryView(Part, kw_only=True, omit_defaults=True):
    """A whole session in numbers, as its table told them or as they were counted."""

    outcome: str
    """One of victory, unfinished, defeat, abandoned"""
    rounds: int
    completed: list[str]
    kills: int
    cards: int
    others: int
    back: int
    position: int


class SessionView(Answer, kw_only=True, omit_defaults=True):
    """A table as it lies; before it is set up, who sits there."""

    id: str
    round: int
    """The round of sessions that it belongs to."""
    survivors: list[str]
    host: str
    status: str
    """seated: not set up yet; setup, playing, ended: as the table tells; not_played: nobody sits there any more. One
    of: seated, setup, playing, ended, not_played.
    """
    scenario: str
    loyal_faction: str
    binds: bool
    opposing_faction: str | None = None
    position: int | None = None
    """Where the power token is, 0 at the top."""
    last_space: int | None = None
    """The position that loses the session."""
    session_round: int | None = None
    """The round being played."""
    next: str | None = None
    """What is next in it: turns, enemies, opposing or first_player."""
    first_player: str | None = None
    goals_open: list[str] | None = None
    goals_completed: list[str] | None = None
    goals_required: int | None = None
    conditions_open: list[str] | None = None
    camp_tokens: CampTokensView | None = None
    upgrades: int | None = None
    ended: EndedView | None = None
    told: SummaryView | None = None
    """The session in numbers, once it has ended."""
    confirmed: list[str] | None = None


class SessionsView(Answer, kw_only=True, omit_defaults=True):
    """Sessions."""

    items: list[SessionView]


class SheetsPage(Answer, kw_only=True, omit_defaults=True):
    """One page of sheets."""

    items: list[SheetView]
    next: str | None
    """Cursor of the next page; null: the end."""
    total: int
    """How many there are in all pages, with these filters."""
    round: int | None
    """The round of the sheets; null: all rounds, or none."""
    titles: dict[str, str]
    """The printed title of every member of heading and columns."""
    instructions: list[str]


class DrawView(Part, kw_only=True, omit_defaults=True):
    """A draw that broke a tie: anybody can make it again from its seed."""

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
    """Not as recorded, because the round is open or somebody has left."""
    columns: list[str]
    items: list[RowView]
    draws: list[DrawView]
    """Those of whoever is shown."""
    next: str | None
    """Cursor of the next page; null: the end, or no page was asked for."""
    total: int
    """How many there are in all pages, with these filters."""
    words: dict[str, str] | None = None
    """What people call each column, and (`tied`) what settles a tie; campaigns have none."""
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
    """For staff: when standings that are kept back are published, if a time is set."""
    ranks: dict[str, int] | None = None
    """Where `since` was asked for: player -> rank, of rows in which nothing but the rank is another one."""


class Subscribed(Answer, kw_only=True, omit_defaults=True):
    """What a command did, and the secret that it made or took."""

    events: list[EventView]
    """The appended events; empty: nothing changed."""
    id: str | None = None
    """The id of the thing it created, as in addresses; absent if it created nothing or several things."""
    secret: str | None = None
    """Shown once. Left out: it is replaced by now."""


class SessionShare(Part, kw_only=True, omit_defaults=True):
    """What one session adds to a survivor's sum."""

    session: str
    round: int
    outcome: str
    points: int
    rounds: int
    goals: int
    corrected: bool


class SurvivorExplained(Answer, kw_only=True, omit_defaults=True):
    """Where a survivor stands among all sessions so far, and where the points come from, session by session."""

    player: str
    name: str
    rank: int | None
    """null: in no session that binds."""
    reason: SeparatedBy | None
    """What separates it from the row above; null: there is no other."""
    points: int
    sessions: list[SessionShare]
    clause: str


class PinnedPlayer(Part, kw_only=True, omit_defaults=True):
    """Somebody who keeps a table; never why."""

    player: str
    name: str


class TableView(Part, kw_only=True, omit_defaults=True):
    """A table: which game goes on there, and who keeps it; never why."""

    table: int
    accessible: bool
    game: PairingView | None
    """null: free."""
    pinned: list[PinnedPlayer]


class TablesOfVenue(Part, kw_only=True, omit_defaults=True):
    """A venue's tables."""

    id: str
    name: str
    tables: list[TableView]


class TablesView(Answer, kw_only=True, omit_defaults=True):
    """Every table of every open venue, in the latest round."""

    round: int | None
    items: list[TablesOfVenue]


class AdviceView(Part, kw_only=True, omit_defaults=True):
    """Something that the document recommends, and that is otherwise here."""

    said: str
    """How it is here"""
    expected: str
    """What is recommended, in an English sentence"""
    clause: str
    code: str | None = None
    """What is recommended, as a stable code to switch on"""
    data: dict[str, Any] | None = None
    """The values that `expected` names, by name"""


class DayView(Part, kw_only=True, omit_defaults=True):
    """A day of the event: its rounds with their breaks, and that with the shortest and the longest slots."""

    day: int
    date: str
    rounds: list[int]
    minutes: int
    least: int
    most: int


class PlannedRoundView(Part, kw_only=True, omit_defaults=True):
    """A round of the timetable. date: where the event has days."""

    round: int
    day: int
    date: str
    stage: str
    status: str
    """planned, draft, paired, started or closed."""
    minutes: int
    break_minutes: int


class SlotView(Part, kw_only=True, omit_defaults=True):
    """Time of a day that is no round; least and most 0: the document has no minutes."""

    name: str
    least: int
    most: int
    clause: str


class TimetableView(Answer, kw_only=True, omit_defaults=True):
    """The rounds of an event by day. planned null: not fixed yet; suggested: then, and from no rules document."""

    planned: int | None
    suggested: int | None
    rounds: list[PlannedRoundView]
    days: list[DayView]
    slots: list[SlotView]
    advice: list[AdviceView]


class TournamentListed(Part, kw_only=True, omit_defaults=True):
    """A line of the directory."""

    id: str
    name: str
    format: str
    ruleset: str
    status: str
    starts_on: str
    visibility: str
    players: int
    announced_at: str


class TournamentListedPage(Answer, kw_only=True, omit_defaults=True):
    """One page of a list of TournamentListed."""

    items: list[TournamentListed]
    next: str | None
    """Cursor of the next page; null: the end."""
    total: int
    """How many there are in all pages, with these filters."""


class DatesView(Part, kw_only=True, omit_defaults=True):
    """What follows from the first day of play, each with its clause."""

    lists_due_on: str
    """Advised; lists are locked later."""
    released_by: str
    """What came out later is not legal yet."""
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
    """Empty: all of them."""
    player: str
    """Whom they play as; empty: they do not play."""


class TableOfVenue(Part, kw_only=True, omit_defaults=True):
    """A table of a venue."""

    table: int
    accessible: bool


class VenueView(Part, kw_only=True, omit_defaults=True):
    """A venue with its tables."""

    id: str
    name: str
    open: bool
    tables: list[TableOfVenue]


class TournamentView(Answer, kw_only=True, omit_defaults=True):
    """A tournament with its venues and staff, and how many players are in which status."""

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
    """open or invite_only."""
    registration_open: bool
    rehearsal: bool
    on_purpose: list[str]
    """What staff alone see until they publish it."""
    organiser: str
    """The actor who announced the tournament."""
    kept_apart: list[list[str]]
    """Groups that should not meet in round 1."""
    tier_rules: TierView
    dates: DatesView | None
    """null: no first day yet, or no such rule."""
    decisions: list[DecisionView]
    players: dict[str, int]
    venues: list[VenueView]
    staff: list[StaffView]


class UnpublishedView(Answer, kw_only=True, omit_defaults=True):
    """What staff know of a tournament that is not published."""

    revision: int
    """Rises with every change of a draft or a call."""
    round: int | None
    """The round that is a draft."""
    cut: bool
    """The cut is a draft."""
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
    """How many there are in all pages, with these filters."""


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
    """The id of whoever subscribed."""
    origin: str
    """Scheme, host and port of where it leads; the rest is not shown. Empty: it is lost."""
    status: str
    """unverified: its target has not said yet that it wants this; failing: nothing has arrived since `failing_since`;
    target_lost: scoring lost its database, and the address has to be given again. One of: unverified, enabled,
    failing, disabled, target_lost.
    """
    cause: str
    """Why it is disabled: asked, failing, gone, unverified, no_authority; else empty."""
    reason: str
    """What somebody said when they disabled it."""
    since: str
    """When it was enabled or disabled last."""
    failing_since: str | None
    secret: int
    """The number of its newest secret."""
    signing: int
    """How many secrets sign now: 2 while an overlap lasts."""
    cursor: str
    """The place in the feed up to which its deliveries are queued."""
    waiting: int
    """Deliveries that wait."""
    dead: int
    """Deliveries that were given up: dead letters."""


class WebhookViewPage(Answer, kw_only=True, omit_defaults=True):
    """One page of a list of WebhookView."""

    items: list[WebhookView]
    next: str | None
    """Cursor of the next page; null: the end."""
    total: int
    """How many there are in all pages, with these filters."""
