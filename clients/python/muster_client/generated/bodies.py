"""The bodies of requests: their members and types.

Made of clients/openapi.json by `make client`.
"""

from __future__ import annotations

from typing import Any, Literal, Required, TypeAlias, TypedDict


class AcceptRosterBody(TypedDict, total=False):
    """Accept a player's roster."""

    note: str
    """The staff's remarks."""


class AcceptRosters(TypedDict, total=False):
    """Accept the rosters of several players: all of them or none."""

    players: Required[list[str]]
    note: str
    """The staff's remarks, recorded for each roster."""


class ByHand(TypedDict, total=False):
    """A pairing entered by hand.

    Without `player_2` it is a bye. With a member of staff as `player_2` it is a game against the spare player.
    """

    player_1: str
    """Required unless `sides` is given."""
    player_2: str | None
    """An id of 1 to 64 letters a-z, digits, - and _"""
    kind: Literal["game", "bye", "spare", "awarded_bye", "requested_bye"]
    """One of game, bye, spare, awarded_bye, requested_bye"""
    venue: str
    """Required only if it does not follow from the players."""
    table: int | str | None
    """Default: any free table of the venue. Ignored for a bye, which has no table."""
    wave: int
    """With `table`: 2 for the second game of the round at that table, 3 for the third."""
    sides: list[list[str]]
    """In a campaign: the groups on each side of a game of three or more groups. Replaces `player_1` and `player_2`. At
    least two sides.
    """


class AmendPairingsBody(TypedDict, total=False):
    """Change pairings of the latest round: swap two players, or give the new pairings."""

    reason: Required[str]
    """Text of 1 to 500 characters"""
    swap: list[str] | None
    """Two players who change places."""
    pairings: list[ByHand]
    """The new pairings. Every player of a game that changes must be in one of them or in `sitting_out`."""
    sitting_out: list[str]
    """Players of changed games who no longer play this round."""
    allow_rematch: bool
    """Accept opponents who have met before."""


class AmendPlayerBody(TypedDict, total=False):
    """Change data of a player. Members that you leave out do not change."""

    name: str
    """A name of 1 to 100 characters on one line"""
    faction: str
    """A name of 1 to 100 characters on one line"""
    club: str
    """A name of 1 to 100 characters on one line"""
    venue: str
    external_id: str
    """A name of 1 to 100 characters on one line"""


class AmendTournament(TypedDict, total=False):
    """Change settings of a tournament. Members that you leave out do not change.

    The number of rounds and the options can change until round 1 is paired and published.
    """

    name: str
    """A name of 1 to 100 characters on one line"""
    starts_on: str
    """A day as YYYY-MM-DD, from 1900 to 2999, for example 2026-03-31"""
    ends_on: str
    """A day as YYYY-MM-DD, from 1900 to 2999, for example 2026-03-31"""
    capacity: int
    """A whole number from 2 to 100000"""
    rounds: int
    """A whole number from 1 to 64"""
    sign_up: Literal["open", "invite_only"]
    """`open`: anyone can sign up while registration is open. `invite_only`: staff and integrations enter the players.
    One of: open, invite_only.
    """
    on_purpose: list[Literal["rounds", "cut", "standings"]]
    """What stays visible to staff only until they publish it. Empty: everything is public at once."""
    rounds_apart: int
    """With `pairing_scope` venue: how many rounds a venue may be ahead of another. Default: any."""
    options: dict[str, Any]
    """Options that may change until round 1 (see `until` of each option)."""


class AmendVenueBody(TypedDict, total=False):
    """Change name, time zone, address or note of a venue. Members that you leave out do not change."""

    name: str
    """A name of 1 to 100 characters on one line"""
    time_zone: str
    """The time zone by its IANA name, such as `Europe/Berlin`. Empty: not set."""
    address: str
    """The postal address, for people. Public."""
    note: str
    """A note for people, such as the way to the entrance. Public."""


class CatalogueItem(TypedDict, total=False):
    """An item that a roster may contain."""

    in_list: Required[str]
    """The list of the roster to which the item belongs."""
    name: Required[str]
    points: int
    """A whole number from 0 to 1000000"""
    factions: list[str]
    fields: dict[str, Any]
    """Other fields of the item's entry."""
    released: str
    """The release day, YYYY-MM-DD."""
    release: str
    """The kind of release, a key of the ruleset's `legality.weekdays`."""
    legal_from: str
    """The day from which it is legal in this tournament, regardless of the release delay."""


class Catalogue(TypedDict, total=False):
    """The items that rosters may contain."""

    ruleset: Required[str]
    """The id of the ruleset to which the catalogue belongs."""
    document: Required[str]
    """The source of names and points."""
    items: Required[list[CatalogueItem]]


class Announcement(TypedDict, total=False):
    """A new tournament. Give either `ruleset`, a shipped pack, or `pack`, your own pack as JSON."""

    name: Required[str]
    """A name of 1 to 100 characters on one line"""
    options: dict[str, Any]
    """Options of the ruleset."""
    tier: str
    """One of the ruleset's tiers. Default: the first."""
    starts_on: str | None
    """A day as YYYY-MM-DD, from 1900 to 2999, for example 2026-03-31"""
    ends_on: str | None
    """A day as YYYY-MM-DD, from 1900 to 2999, for example 2026-03-31"""
    capacity: int | None
    """A whole number from 2 to 100000"""
    rounds: int | None
    """A whole number from 1 to 64"""
    pairing_scope: Literal["event", "venue"]
    """One of event, venue"""
    rounds_apart: int | None
    """With `pairing_scope` venue: how many rounds a venue may be ahead of another. Default: any."""
    visibility: Literal["public", "private"]
    """One of public, private"""
    check_in: bool
    """True: round 1 only pairs players who are checked in."""
    sign_up: Literal["open", "invite_only"]
    """`open`: anyone can sign up while registration is open. `invite_only`: staff and integrations enter the players.
    One of: open, invite_only.
    """
    rehearsal: bool
    """True: a test event, which does not count. Placeholder operator data are accepted."""
    on_purpose: list[Literal["rounds", "cut", "standings"]]
    """What stays visible to staff only until they publish it. Empty: everything is public at once."""
    operator_data: dict[str, Any] | None
    """Co-operative games: the contents of sheets and cards (docs/reference/packs.md)."""
    format: Literal["swiss", "campaign", "coop", "season"]
    """If given, it must be the format of the ruleset. One of: swiss, campaign, coop, season."""
    ruleset: str
    """The id of a shipped ruleset: GET /rulesets."""
    pack: dict[str, Any]
    """A whole ruleset pack as JSON, instead of `ruleset`."""
    catalogues: list[Catalogue]
    """The items that rosters may contain, with their points."""


class AnswerCallBody(TypedDict, total=False):
    """Answer a call, which ends it."""

    answer: Required[str]
    """The judge's answer; visible to staff and the caller."""


class AppealRulingBody(TypedDict, total=False):
    """Appeal a ruling. The reason is public."""

    reason: Required[str]
    """Text of 1 to 500 characters"""


class AppointStaff(TypedDict, total=False):
    """Appoint a member of staff. The answer contains their token."""

    name: Required[str]
    """A name of 1 to 100 characters on one line"""
    role: Required[Literal["organiser", "head_referee", "referee", "spare", "integration"]]
    """One of organiser, head_referee, referee, spare, integration"""
    venue: str
    """They act at this venue only. Empty: everywhere."""
    player: str
    """The id of their player, if they also play."""
    override: str
    """The reason for letting a judge play if the tier does not allow it."""


class CallJudge(TypedDict, total=False):
    """Call a judge to the table of a game."""

    game: Required[str]
    """Players can only call a judge to their own game."""
    reason: Literal["rules", "time", "dispute", "other"]
    """One of rules, time, dispute, other"""
    text: str
    """A note for staff."""


class CallTimeBody(TypedDict, total=False):
    """Make a time call."""

    call: Required[str]
    """A call of the ruleset: start, halfway, ten_minutes, end or hard_stop."""
    venue: str
    """The venue whose part of the round is meant. Default: all parts that are not done yet."""


class CancelPublicationBody(TypedDict, total=False):
    """Cancel the scheduled publication of a draft. It stays a draft until someone publishes it."""

    venue: str
    """The venue whose part of the round is meant. Default: every part that is a draft."""


class CancelTournament(TypedDict, total=False):
    """Cancel a tournament."""

    reason: Required[str]
    """Public."""


class Encounter(TypedDict, total=False):
    """A random encounter that was played.

    met: the card of the ruleset's deck. number: how many appeared.
    """

    met: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    number: int
    """A whole number from 1 to 1000"""


class Die(TypedDict, total=False):
    """A die as it was rolled.

    - `sides`: number of sides, 12 or 6. - `natural`: the face rolled.
    """

    sides: Required[int]
    """A whole number"""
    natural: Required[int]
    """The face of the die."""


class RollOfReport(TypedDict, total=False):
    """A roll in a report.

    id: empty. It is assigned when the result binds; facts of a game contain the empty member.
    """

    dice: list[Die]
    rolled_by: str
    """The id of a player or a member of staff."""
    witnessed_by: str
    """The id of a second person who saw the roll."""
    id: Literal[""]
    """One of: ."""


class Dose(TypedDict, total=False):
    """A dose of a drug that was taken in the game, and the roll of its addiction check."""

    item: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    roll: Required[RollOfReport]


class Deeds(TypedDict, total=False):
    """The deeds and wounds of a fielded member. Absent members did not happen.

    down: why it fell to 0 wounds. by: the rival who caused it. melee: it was in melee. removed: killed without an
    injury roll. models: the number of different opponents that it wounded. took: rivals that it reduced to 0
    wounds. With several rival groups, `by` and `took` contain the group: `p3/m-2`. used: items used up. evil,
    mutated: enemies of that kind that it took out. high_tech: laser and plasma weapons obtained and held.
    """

    member: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    down: Literal["rival", "creature", "fall", "fire", "own_attack", "radiation", "terrain"]
    """One of rival, creature, fall, fire, own_attack, radiation, terrain"""
    by: str
    """A rival's member: m-2, or p3/m-2 where several groups are rivals"""
    melee: bool
    """True or false"""
    removed: bool
    """True or false"""
    fled: bool
    """True or false"""
    wounds: int
    """A whole number from 0 to 1000"""
    models: int
    """A whole number from 0 to 1000"""
    kills: int
    """A whole number from 0 to 1000"""
    took: list[str]
    computers: int
    """A whole number from 0 to 1000"""
    locks: int
    """A whole number from 0 to 1000"""
    rads: int
    """A whole number from 0 to 1000"""
    doses: list[Dose]
    used: list[str]
    evil: int
    """A whole number from 0 to 1000"""
    mutated: int
    """A whole number from 0 to 1000"""
    high_tech: int
    """A whole number from 0 to 1000"""
    injury: RollOfReport
    """The injury roll (2D12), if injuries are rolled at the table."""


class ScoringRollTold(TypedDict, total=False):
    """Dice rolled at the table. Without dice, the service rolls. The player rolled unless another roller is named."""

    dice: list[Die]
    rolled_by: str
    """The id of a player or a member of staff."""
    witnessed_by: str
    """The id of a second person who saw the roll."""


class Freed(TypedDict, total=False):
    """A slave whose collar a member removed, and the roll (1D12). The slave joins after the game."""

    member: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    roll: Required[ScoringRollTold]


class Search(TypedDict, total=False):
    """A search of a Dead Scavenger or an Enclave Outpost.

    roll: 1D12, to which Luck is added. amount: 1D3, if the row of the table requires it. after: the search by the
    winner after a game in which no one searched.
    """

    at: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    member: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    roll: Required[ScoringRollTold]
    amount: ScoringRollTold
    after: bool
    """True or false"""


class SideReport(TypedDict, total=False):
    """The part of one group in a report.

    lines: the lines that it controls, in the numbering of its side. vp: their sum. objective, evil, evil_to (the
    rivals who judged it evil): already recorded; may be repeated unchanged. searches, freed: by its members in
    encounters. loot: goods obtained through a scenario of the organiser. missed: laser and plasma weapons not
    obtained. left: mutated models still on the table. What the report proves of `evil`, `mutated`, `high_tech`,
    `missed` and `left` may be left out. otherwise: why the group says less, or concedes all the same.
    """

    group: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    lines: list[int]
    vp: int
    """A whole number from 0 to 1000"""
    objective: int
    """A whole number from 1 to 12"""
    evil: bool
    """True or false"""
    evil_to: list[str]
    conceded: bool
    """True or false"""
    members: list[Deeds]
    searches: list[Search]
    freed: list[Freed]
    loot: list[str]
    missed: int
    """A whole number from 0 to 1000"""
    left: int
    """A whole number from 0 to 1000"""
    otherwise: str
    """Text of 0 to 500 characters"""


class Terrain(TypedDict, total=False):
    """Terrain that gives experience."""

    computers: int
    """A whole number from 0 to 1000"""
    locks: int
    """A whole number from 0 to 1000"""


class GameReport(TypedDict, total=False):
    """The report of a game.

    sides: one for each group. last_turn: the turn in which the game ended. end_roll: the 1D12 that ended it; null
    after concessions. present: circumstances that forbid some forces to concede. encounters: random encounters that
    were played; searches and freed slaves require one. terrain: if it was counted.
    """

    sides: Required[list[SideReport]]
    last_turn: Required[int]
    """A whole number from 0 to 1000"""
    end_roll: RollOfReport | None
    present: list[Literal["high_tech_in_play", "mutated_present"]]
    encounters: list[Encounter]
    terrain: Terrain | None


class Facts(TypedDict, total=False):
    """The facts of a game. The ruleset's result form defines which members are accepted."""

    kind: Literal["game", "spare", "forfeit", "no_show", "double_no_show", "double_forfeit"]
    """One of game, spare, forfeit, no_show, double_no_show, double_forfeit"""
    points_1: int
    """The score of player 1 in the unit of the game."""
    points_2: int
    """A whole number from 0 to 1000000"""
    winner: int | str
    """1, 2 or `draw`, if the points do not decide. The ruleset's own word for a draw is accepted, too (`words`)."""
    end: Literal["rounds", "time", "defeated_1", "defeated_2", "mutual", "simultaneous", "concession"]
    """One of rounds, time, defeated_1, defeated_2, mutual, simultaneous, concession"""
    second_player: int
    """The side that does not have the initiative."""
    conceded_by: int
    """The side that conceded, forfeited or did not appear: 1 or 2. In campaigns: the place of the group in the
    pairing.
    """
    destroyed_1: int
    """A whole number from 0 to 1000000"""
    destroyed_2: int
    """A whole number from 0 to 1000000"""
    objective_1: int
    """A whole number from 0 to 1000000"""
    objective_2: int
    """A whole number from 0 to 1000000"""
    scenario: str
    """A name of 1 to 100 characters on one line"""
    extra: dict[str, int]
    board: dict[str, Any]
    """What was on the table at the end, if the ruleset computes the score from it."""
    report: GameReport
    """Campaigns: the report of the game, side by side."""


class ChangeReportBody(TypedDict, total=False):
    """Replace the caller's own report before the opponent or staff have answered."""

    facts: Required[Facts]
    improbable: bool
    """Accept improbable facts. The result is marked as improbable."""


class Table(TypedDict, total=False):
    """A table of a venue."""

    table: Required[int | str]
    """The number shown on the table."""
    accessible: bool
    """True or false"""
    label: str
    """The text printed on the table, such as `A12` or `Hall 2 / 7`. Empty: its number."""


class ChangeTablesBody(TypedDict, total=False):
    """Replace the tables of a venue."""

    tables: Required[int | list[Table]]
    """A whole number from 0 to 10000, or a list"""


class Filter(TypedDict, total=False):
    """The events that a webhook receives, out of those that its owner may see. Empty: all of them."""

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


class ChangeWebhookBody(TypedDict, total=False):
    """Change a webhook. Members that are left out keep their values. A new address has to be verified again."""

    name: str | None
    """A name of 1 to 100 characters on one line"""
    url: str | None
    """The address that receives messages: `https://` and a host with public IP addresses. Stored encrypted; answers
    never contain it.
    """
    audience: Literal["everybody", "staff", None]
    """One of everybody, staff"""
    filter: Filter | None


class CheckInBody(TypedDict, total=False):
    """Check a player in."""

    venue: str
    """Required only if several venues are open and the player has none."""


class CheckInPlayers(TypedDict, total=False):
    """Check several players in: all of them or none."""

    players: Required[list[str]]
    venue: str
    """The venue of players whose own venue is not open. Required only if several venues are open."""


class CheckOutPlayers(TypedDict, total=False):
    """Undo the check-in of several players: all of them or none."""

    players: Required[list[str]]


class Nothing(TypedDict, total=False):
    """No arguments."""


class ChooseAwardExperience(TypedDict, total=False):
    """"""

    does: Required[Literal["award_experience"]]
    """One of: award_experience."""
    of: Nothing
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class Building(TypedDict, total=False):
    """member: id of the builder. parts: id of the set of parts."""

    member: Required[str]
    parts: Required[str]


class ChooseBuild(TypedDict, total=False):
    """"""

    does: Required[Literal["build"]]
    """One of: build."""
    of: Required[Building]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class OfGood(TypedDict, total=False):
    """good: name or key of the good."""

    good: Required[str]


class ChooseBuyFromList(TypedDict, total=False):
    """"""

    does: Required[Literal["buy_from_list"]]
    """One of: buy_from_list."""
    of: Required[OfGood]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class OfMember(TypedDict, total=False):
    """member: id of the member."""

    member: Required[str]


class ChooseCheckJail(TypedDict, total=False):
    """"""

    does: Required[Literal["check_jail"]]
    """One of: check_jail."""
    of: Required[OfMember]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class Raise(TypedDict, total=False):
    """member: id of the member. attribute: the attribute to raise instead of one at its maximum."""

    member: Required[str]
    attribute: Required[str]


class ChooseChooseAttribute(TypedDict, total=False):
    """"""

    does: Required[Literal["choose_attribute"]]
    """One of: choose_attribute."""
    of: Required[Raise]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class Home(TypedDict, total=False):
    """choice: the benefit of the vault. member: id of the member who gets the RadAway."""

    choice: Required[Literal["medical_lab", "restaurant", "radaway"]]
    """One of medical_lab, restaurant, radaway"""
    member: str


class ChooseChooseCleanHome(TypedDict, total=False):
    """"""

    does: Required[Literal["choose_clean_home"]]
    """One of: choose_clean_home."""
    of: Required[Home]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class Perk(TypedDict, total=False):
    """member: id of the member. perk: name or key of the perk."""

    member: Required[str]
    perk: Required[str]


class ChooseChoosePerk(TypedDict, total=False):
    """"""

    does: Required[Literal["choose_perk"]]
    """One of: choose_perk."""
    of: Required[Perk]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class Reward(TypedDict, total=False):
    """member, injury, good: the owner's choice, if the reward offers one. objective, reward: for information only."""

    member: str
    injury: str
    good: str
    objective: str
    reward: str


class ChooseClaimReward(TypedDict, total=False):
    """"""

    does: Required[Literal["claim_reward"]]
    """One of: claim_reward."""
    of: Reward
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class ChooseClaimTurf(TypedDict, total=False):
    """"""

    does: Required[Literal["claim_turf"]]
    """One of: claim_turf."""
    of: Nothing
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class Offer(TypedDict, total=False):
    """line, price: the quoted price, for information only."""

    line: str
    price: str


class ChooseDeclineOffer(TypedDict, total=False):
    """"""

    does: Required[Literal["decline_offer"]]
    """One of: decline_offer."""
    of: Offer
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class Dismissal(TypedDict, total=False):
    """member: id of the blind member. how: `kill` or `send_away`."""

    member: Required[str]
    how: Required[Literal["kill", "send_away"]]
    """One of kill, send_away"""


class ChooseDismissBlind(TypedDict, total=False):
    """"""

    does: Required[Literal["dismiss_blind"]]
    """One of: dismiss_blind."""
    of: Required[Dismissal]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class ChooseDrawEncounter(TypedDict, total=False):
    """"""

    does: Required[Literal["draw_encounter"]]
    """One of: draw_encounter."""
    of: Required[OfMember]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class ChooseDrawFighters(TypedDict, total=False):
    """"""

    does: Required[Literal["draw_fighters"]]
    """One of: draw_fighters."""
    of: Nothing
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class ChooseEatBlind(TypedDict, total=False):
    """"""

    does: Required[Literal["eat_blind"]]
    """One of: eat_blind."""
    of: Required[OfMember]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class Fight(TypedDict, total=False):
    """winner: id of the member who won the cannibal fight."""

    winner: Required[str]


class ChooseEatOwn(TypedDict, total=False):
    """"""

    does: Required[Literal["eat_own"]]
    """One of: eat_own."""
    of: Required[Fight]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class OfItem(TypedDict, total=False):
    """item: id of the item of the group."""

    item: Required[str]


class ChooseEmergencySale(TypedDict, total=False):
    """"""

    does: Required[Literal["emergency_sale"]]
    """One of: emergency_sale."""
    of: Required[OfItem]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class Turn(TypedDict, total=False):
    """group: the group whose turn ends, for information only."""

    group: str


class ChooseEndTurn(TypedDict, total=False):
    """"""

    does: Required[Literal["end_turn"]]
    """One of: end_turn."""
    of: Turn
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class ChooseFeast(TypedDict, total=False):
    """"""

    does: Required[Literal["feast"]]
    """One of: feast."""
    of: Nothing
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class ChooseForgoReward(TypedDict, total=False):
    """"""

    does: Required[Literal["forgo_reward"]]
    """One of: forgo_reward."""
    of: Nothing
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class Hiring(TypedDict, total=False):
    """recruit: id of the recruit. group, rank: for information only."""

    recruit: Required[str]
    group: str
    rank: str


class ChooseHire(TypedDict, total=False):
    """"""

    does: Required[Literal["hire"]]
    """One of: hire."""
    of: Required[Hiring]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class Moving(TypedDict, total=False):
    """item: id of the item. holder: id of its new holder; the stash if omitted."""

    item: Required[str]
    holder: str


class ChooseMoveItem(TypedDict, total=False):
    """"""

    does: Required[Literal["move_item"]]
    """One of: move_item."""
    of: Required[Moving]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class OrganiserEntry(TypedDict, total=False):
    """reason: why, in the public log. caps: caps gained, or paid if below 0. goods: keys of goods gained."""

    reason: Required[str]
    caps: int
    """A whole number"""
    goods: list[str]


class ChooseOrganiserEntry(TypedDict, total=False):
    """"""

    does: Required[Literal["organiser_entry"]]
    """One of: organiser_entry."""
    of: Required[OrganiserEntry]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class Line(TypedDict, total=False):
    """line: name or key of a good that the merchant sells."""

    line: Required[str]


class ChooseQuotePrice(TypedDict, total=False):
    """"""

    does: Required[Literal["quote_price"]]
    """One of: quote_price."""
    of: Required[Line]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class Sale(TypedDict, total=False):
    """item: id of the item to sell. seller: id of the seller; the leader if omitted."""

    item: Required[str]
    seller: str


class ChooseQuoteSale(TypedDict, total=False):
    """"""

    does: Required[Literal["quote_sale"]]
    """One of: quote_sale."""
    of: Required[Sale]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class OfInjury(TypedDict, total=False):
    """member: id of the member whose injury result waits. injury: the result, for information only."""

    member: Required[str]
    injury: str


class ChooseRerollInjury(TypedDict, total=False):
    """"""

    does: Required[Literal["reroll_injury"]]
    """One of: reroll_injury."""
    of: Required[OfInjury]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class Meeting(TypedDict, total=False):
    """The outcome of an encounter while scavenging, as played at the table.

    member: id of the member. ending: how it ended. met: key of the card; may be omitted if nothing was wounded.
    number: number of creatures. wounds, kills: wounds and kills caused to creatures by a member who was beaten or
    escaped. searches: searches made of a place; 0 for as many as are allowed. lost: slaves who died before the
    member reached their collar. down: an exploding slave took the member to 0 wounds.
    """

    member: Required[str]
    ending: Required[Literal["creatures_killed", "member_killed", "escaped", "searched", "slaves_met"]]
    """One of creatures_killed, member_killed, escaped, searched, slaves_met"""
    met: str
    number: int
    """A whole number"""
    wounds: int
    """A whole number"""
    kills: int
    """A whole number"""
    searches: int
    """A whole number"""
    lost: int
    """A whole number"""
    down: bool
    """True or false"""


class ChooseResolveEncounter(TypedDict, total=False):
    """"""

    does: Required[Literal["resolve_encounter"]]
    """One of: resolve_encounter."""
    of: Required[Meeting]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class ChooseRollAdvancement(TypedDict, total=False):
    """"""

    does: Required[Literal["roll_advancement"]]
    """One of: roll_advancement."""
    of: Required[OfMember]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class ChooseRollInjury(TypedDict, total=False):
    """"""

    does: Required[Literal["roll_injury"]]
    """One of: roll_injury."""
    of: Required[OfMember]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class Scavenging(TypedDict, total=False):
    """member: id of the member. good: the pistol to find, if the option allows it. free: use a free roll."""

    member: Required[str]
    good: str
    free: bool
    """True or false"""


class ChooseScavenge(TypedDict, total=False):
    """"""

    does: Required[Literal["scavenge"]]
    """One of: scavenge."""
    of: Required[Scavenging]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class Searching(TypedDict, total=False):
    """searchers: ids of the members who search the building."""

    searchers: Required[list[str]]


class ChooseSearchBuilding(TypedDict, total=False):
    """"""

    does: Required[Literal["search_building"]]
    """One of: search_building."""
    of: Required[Searching]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class Treating(TypedDict, total=False):
    """member: id of the patient. treatment: key of the treatment. injury: the injury to heal."""

    member: Required[str]
    treatment: Required[str]
    injury: str


class ChooseSeeDoctor(TypedDict, total=False):
    """"""

    does: Required[Literal["see_doctor"]]
    """One of: see_doctor."""
    of: Required[Treating]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class Merchants(TypedDict, total=False):
    """merchant: name or key of the merchant. companions: ids of the members who go with the leader."""

    merchant: Required[str]
    companions: list[str]


class ChooseSeekMerchant(TypedDict, total=False):
    """"""

    does: Required[Literal["seek_merchant"]]
    """One of: seek_merchant."""
    of: Required[Merchants]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class FoodSold(TypedDict, total=False):
    """food: `clean` or `radiated`. amount: units of surplus food to sell."""

    food: Required[Literal["clean", "radiated"]]
    """One of clean, radiated"""
    amount: Required[int]
    """A whole number"""


class ChooseSellFood(TypedDict, total=False):
    """"""

    does: Required[Literal["sell_food"]]
    """One of: sell_food."""
    of: Required[FoodSold]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class Upkeep(TypedDict, total=False):
    """The meals and maintenance of a group. Without arguments, the group eats in the cheapest way.

    guests: members fed by a mart, the vault or flesh. radiated: member -> units of radiated food. All other members
    eat clean food, which is bought if it is missing. hungry: members left without food. neglected: members left
    without maintenance. centaurs_radiated: units of radiated food eaten by Centaurs. centaurs_hungry: Centaurs left
    without food, which has no consequences.
    """

    guests: list[str]
    radiated: dict[str, int]
    hungry: list[str]
    neglected: list[str]
    centaurs_radiated: int
    """A whole number"""
    centaurs_hungry: int
    """A whole number"""


class ChooseSettleUpkeep(TypedDict, total=False):
    """"""

    does: Required[Literal["settle_upkeep"]]
    """One of: settle_upkeep."""
    of: Upkeep
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class Shift(TypedDict, total=False):
    """member: id of the member whose die may be shifted. shift: by how many faces; 0 keeps the face (FS-SCV-2)."""

    member: Required[str]
    shift: int
    """A whole number"""


class ChooseShiftFind(TypedDict, total=False):
    """"""

    does: Required[Literal["shift_find"]]
    """One of: shift_find."""
    of: Required[Shift]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class Spending(TypedDict, total=False):
    """item: id of an item kept at a turf. choice: `sell`, or `build` with the schematic."""

    item: Required[str]
    choice: Required[Literal["sell", "build"]]
    """One of sell, build"""


class ChooseSpendKept(TypedDict, total=False):
    """"""

    does: Required[Literal["spend_kept"]]
    """One of: spend_kept."""
    of: Required[Spending]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class ChooseTakeDrug(TypedDict, total=False):
    """"""

    does: Required[Literal["take_drug"]]
    """One of: take_drug."""
    of: Required[OfItem]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class ChooseTakeInjury(TypedDict, total=False):
    """"""

    does: Required[Literal["take_injury"]]
    """One of: take_injury."""
    of: Required[OfInjury]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class ChooseTakeOffer(TypedDict, total=False):
    """"""

    does: Required[Literal["take_offer"]]
    """One of: take_offer."""
    of: Offer
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class OfTurf(TypedDict, total=False):
    """turf: id of the turf; GROUP/TURF if there were several rivals."""

    turf: Required[str]


class ChooseTakeTurf(TypedDict, total=False):
    """"""

    does: Required[Literal["take_turf"]]
    """One of: take_turf."""
    of: Required[OfTurf]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class Bag(TypedDict, total=False):
    """item: id of the Doctor's Bag. member: id of the patient. injury: the injury to heal."""

    item: Required[str]
    member: Required[str]
    injury: Required[str]


class ChooseUseBag(TypedDict, total=False):
    """"""

    does: Required[Literal["use_bag"]]
    """One of: use_bag."""
    of: Required[Bag]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class Radaway(TypedDict, total=False):
    """item: id of the RadAway. member: id of the patient."""

    item: Required[str]
    member: Required[str]


class ChooseUseRadaway(TypedDict, total=False):
    """"""

    does: Required[Literal["use_radaway"]]
    """One of: use_radaway."""
    of: Required[Radaway]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class Visiting(TypedDict, total=False):
    """member: id of the visitor. turf: id of the turf. choice, good: declared before the roll."""

    member: Required[str]
    turf: Required[str]
    choice: str
    good: str


class ChooseVisitTurf(TypedDict, total=False):
    """"""

    does: Required[Literal["visit_turf"]]
    """One of: visit_turf."""
    of: Required[Visiting]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


ChooseBody: TypeAlias = (
    ChooseRollInjury
    | ChooseTakeInjury
    | ChooseRerollInjury
    | ChooseCheckJail
    | ChooseDismissBlind
    | ChooseChooseCleanHome
    | ChooseTakeTurf
    | ChooseClaimReward
    | ChooseForgoReward
    | ChooseClaimTurf
    | ChooseAwardExperience
    | ChooseRollAdvancement
    | ChooseChoosePerk
    | ChooseChooseAttribute
    | ChooseSpendKept
    | ChooseScavenge
    | ChooseShiftFind
    | ChooseVisitTurf
    | ChooseDrawEncounter
    | ChooseResolveEncounter
    | ChooseDrawFighters
    | ChooseEatOwn
    | ChooseEatBlind
    | ChooseFeast
    | ChooseSellFood
    | ChooseEmergencySale
    | ChooseSettleUpkeep
    | ChooseHire
    | ChooseEndTurn
    | ChooseSeekMerchant
    | ChooseTakeOffer
    | ChooseDeclineOffer
    | ChooseQuotePrice
    | ChooseQuoteSale
    | ChooseTakeDrug
    | ChooseBuyFromList
    | ChooseSearchBuilding
    | ChooseUseRadaway
    | ChooseUseBag
    | ChooseBuild
    | ChooseSeeDoctor
    | ChooseMoveItem
    | ChooseOrganiserEntry
)
"""Make a choice of the open step, as listed by `GET …/groups/{group}/post-game`.

rolls: in the listed order. service: the service rolls all dice that are not given. leave: give up what the choice
is listed to leave.
"""


class OneChoiceAwardExperience(TypedDict, total=False):
    """"""

    does: Required[Literal["award_experience"]]
    """One of: award_experience."""
    of: Nothing
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class OneChoiceBuild(TypedDict, total=False):
    """"""

    does: Required[Literal["build"]]
    """One of: build."""
    of: Required[Building]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class OneChoiceBuyFromList(TypedDict, total=False):
    """"""

    does: Required[Literal["buy_from_list"]]
    """One of: buy_from_list."""
    of: Required[OfGood]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class OneChoiceCheckJail(TypedDict, total=False):
    """"""

    does: Required[Literal["check_jail"]]
    """One of: check_jail."""
    of: Required[OfMember]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class OneChoiceChooseAttribute(TypedDict, total=False):
    """"""

    does: Required[Literal["choose_attribute"]]
    """One of: choose_attribute."""
    of: Required[Raise]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class OneChoiceChooseCleanHome(TypedDict, total=False):
    """"""

    does: Required[Literal["choose_clean_home"]]
    """One of: choose_clean_home."""
    of: Required[Home]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class OneChoiceChoosePerk(TypedDict, total=False):
    """"""

    does: Required[Literal["choose_perk"]]
    """One of: choose_perk."""
    of: Required[Perk]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class OneChoiceClaimReward(TypedDict, total=False):
    """"""

    does: Required[Literal["claim_reward"]]
    """One of: claim_reward."""
    of: Reward
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class OneChoiceClaimTurf(TypedDict, total=False):
    """"""

    does: Required[Literal["claim_turf"]]
    """One of: claim_turf."""
    of: Nothing
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class OneChoiceDeclineOffer(TypedDict, total=False):
    """"""

    does: Required[Literal["decline_offer"]]
    """One of: decline_offer."""
    of: Offer
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class OneChoiceDismissBlind(TypedDict, total=False):
    """"""

    does: Required[Literal["dismiss_blind"]]
    """One of: dismiss_blind."""
    of: Required[Dismissal]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class OneChoiceDrawEncounter(TypedDict, total=False):
    """"""

    does: Required[Literal["draw_encounter"]]
    """One of: draw_encounter."""
    of: Required[OfMember]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class OneChoiceDrawFighters(TypedDict, total=False):
    """"""

    does: Required[Literal["draw_fighters"]]
    """One of: draw_fighters."""
    of: Nothing
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class OneChoiceEatBlind(TypedDict, total=False):
    """"""

    does: Required[Literal["eat_blind"]]
    """One of: eat_blind."""
    of: Required[OfMember]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class OneChoiceEatOwn(TypedDict, total=False):
    """"""

    does: Required[Literal["eat_own"]]
    """One of: eat_own."""
    of: Required[Fight]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class OneChoiceEmergencySale(TypedDict, total=False):
    """"""

    does: Required[Literal["emergency_sale"]]
    """One of: emergency_sale."""
    of: Required[OfItem]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class OneChoiceEndTurn(TypedDict, total=False):
    """"""

    does: Required[Literal["end_turn"]]
    """One of: end_turn."""
    of: Turn
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class OneChoiceFeast(TypedDict, total=False):
    """"""

    does: Required[Literal["feast"]]
    """One of: feast."""
    of: Nothing
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class OneChoiceForgoReward(TypedDict, total=False):
    """"""

    does: Required[Literal["forgo_reward"]]
    """One of: forgo_reward."""
    of: Nothing
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class OneChoiceHire(TypedDict, total=False):
    """"""

    does: Required[Literal["hire"]]
    """One of: hire."""
    of: Required[Hiring]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class OneChoiceMoveItem(TypedDict, total=False):
    """"""

    does: Required[Literal["move_item"]]
    """One of: move_item."""
    of: Required[Moving]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class OneChoiceOrganiserEntry(TypedDict, total=False):
    """"""

    does: Required[Literal["organiser_entry"]]
    """One of: organiser_entry."""
    of: Required[OrganiserEntry]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class OneChoiceQuotePrice(TypedDict, total=False):
    """"""

    does: Required[Literal["quote_price"]]
    """One of: quote_price."""
    of: Required[Line]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class OneChoiceQuoteSale(TypedDict, total=False):
    """"""

    does: Required[Literal["quote_sale"]]
    """One of: quote_sale."""
    of: Required[Sale]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class OneChoiceRerollInjury(TypedDict, total=False):
    """"""

    does: Required[Literal["reroll_injury"]]
    """One of: reroll_injury."""
    of: Required[OfInjury]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class OneChoiceResolveEncounter(TypedDict, total=False):
    """"""

    does: Required[Literal["resolve_encounter"]]
    """One of: resolve_encounter."""
    of: Required[Meeting]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class OneChoiceRollAdvancement(TypedDict, total=False):
    """"""

    does: Required[Literal["roll_advancement"]]
    """One of: roll_advancement."""
    of: Required[OfMember]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class OneChoiceRollInjury(TypedDict, total=False):
    """"""

    does: Required[Literal["roll_injury"]]
    """One of: roll_injury."""
    of: Required[OfMember]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class OneChoiceScavenge(TypedDict, total=False):
    """"""

    does: Required[Literal["scavenge"]]
    """One of: scavenge."""
    of: Required[Scavenging]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class OneChoiceSearchBuilding(TypedDict, total=False):
    """"""

    does: Required[Literal["search_building"]]
    """One of: search_building."""
    of: Required[Searching]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class OneChoiceSeeDoctor(TypedDict, total=False):
    """"""

    does: Required[Literal["see_doctor"]]
    """One of: see_doctor."""
    of: Required[Treating]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class OneChoiceSeekMerchant(TypedDict, total=False):
    """"""

    does: Required[Literal["seek_merchant"]]
    """One of: seek_merchant."""
    of: Required[Merchants]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class OneChoiceSellFood(TypedDict, total=False):
    """"""

    does: Required[Literal["sell_food"]]
    """One of: sell_food."""
    of: Required[FoodSold]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class OneChoiceSettleUpkeep(TypedDict, total=False):
    """"""

    does: Required[Literal["settle_upkeep"]]
    """One of: settle_upkeep."""
    of: Upkeep
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class OneChoiceShiftFind(TypedDict, total=False):
    """"""

    does: Required[Literal["shift_find"]]
    """One of: shift_find."""
    of: Required[Shift]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class OneChoiceSpendKept(TypedDict, total=False):
    """"""

    does: Required[Literal["spend_kept"]]
    """One of: spend_kept."""
    of: Required[Spending]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class OneChoiceTakeDrug(TypedDict, total=False):
    """"""

    does: Required[Literal["take_drug"]]
    """One of: take_drug."""
    of: Required[OfItem]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class OneChoiceTakeInjury(TypedDict, total=False):
    """"""

    does: Required[Literal["take_injury"]]
    """One of: take_injury."""
    of: Required[OfInjury]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class OneChoiceTakeOffer(TypedDict, total=False):
    """"""

    does: Required[Literal["take_offer"]]
    """One of: take_offer."""
    of: Offer
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class OneChoiceTakeTurf(TypedDict, total=False):
    """"""

    does: Required[Literal["take_turf"]]
    """One of: take_turf."""
    of: Required[OfTurf]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class OneChoiceUseBag(TypedDict, total=False):
    """"""

    does: Required[Literal["use_bag"]]
    """One of: use_bag."""
    of: Required[Bag]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class OneChoiceUseRadaway(TypedDict, total=False):
    """"""

    does: Required[Literal["use_radaway"]]
    """One of: use_radaway."""
    of: Required[Radaway]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


class OneChoiceVisitTurf(TypedDict, total=False):
    """"""

    does: Required[Literal["visit_turf"]]
    """One of: visit_turf."""
    of: Required[Visiting]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""
    leave: bool
    """True or false"""


OneChoice: TypeAlias = (
    OneChoiceRollInjury
    | OneChoiceTakeInjury
    | OneChoiceRerollInjury
    | OneChoiceCheckJail
    | OneChoiceDismissBlind
    | OneChoiceChooseCleanHome
    | OneChoiceTakeTurf
    | OneChoiceClaimReward
    | OneChoiceForgoReward
    | OneChoiceClaimTurf
    | OneChoiceAwardExperience
    | OneChoiceRollAdvancement
    | OneChoiceChoosePerk
    | OneChoiceChooseAttribute
    | OneChoiceSpendKept
    | OneChoiceScavenge
    | OneChoiceShiftFind
    | OneChoiceVisitTurf
    | OneChoiceDrawEncounter
    | OneChoiceResolveEncounter
    | OneChoiceDrawFighters
    | OneChoiceEatOwn
    | OneChoiceEatBlind
    | OneChoiceFeast
    | OneChoiceSellFood
    | OneChoiceEmergencySale
    | OneChoiceSettleUpkeep
    | OneChoiceHire
    | OneChoiceEndTurn
    | OneChoiceSeekMerchant
    | OneChoiceTakeOffer
    | OneChoiceDeclineOffer
    | OneChoiceQuotePrice
    | OneChoiceQuoteSale
    | OneChoiceTakeDrug
    | OneChoiceBuyFromList
    | OneChoiceSearchBuilding
    | OneChoiceUseRadaway
    | OneChoiceUseBag
    | OneChoiceBuild
    | OneChoiceSeeDoctor
    | OneChoiceMoveItem
    | OneChoiceOrganiserEntry
)
"""A choice as in Choose, or `close_step` with the `step` in `of`."""


class ChooseSeveralBody(TypedDict, total=False):
    """Make several choices in order, and close steps between them. If one is refused, none is made."""

    choices: Required[list[OneChoice]]


class CloseRoundBody(TypedDict, total=False):
    """Close a round, or its part at one venue. The last part closes the round and records its standings."""

    venue: str
    """The venue whose part of the round is meant. Default: all parts that are not done yet."""
    without: str
    """With `venue`: close a part that was set aside although games have no result, for this reason. It is public; none
    of these games counts for anybody.
    """


class CloseStepBody(TypedDict, total=False):
    """Close the open step of a group.

    leave: give up what is listed in `left_open`. absent: closed by staff for an absent player, with a `reason` and
    the time that the league `announced` for it, which must be past. Only mandatory rolls are made then.
    """

    leave: bool
    """True or false"""
    absent: bool
    """True or false"""
    reason: str
    """Text of 0 to 500 characters"""
    announced: str | None
    """Left out: the player is not absent."""


class CloseVenueBody(TypedDict, total=False):
    """Close a venue."""

    reason: Required[str]
    """Public."""


class Guest(TypedDict, total=False):
    """A person who signs up, under a public name of their choice."""

    name: Required[str]
    """A name of 1 to 100 characters on one line"""
    faction: str
    """A name of 1 to 100 characters on one line"""
    club: str
    """A name of 1 to 100 characters on one line"""
    venue: str
    email: str
    """Personal data, stored outside the log."""
    legal_name: str
    """If the organiser needs it. Personal data, stored outside the log."""


class Company(TypedDict, total=False):
    """A party that sits together: all of them sign up, or none."""

    players: Required[list[Guest]]


class Conclude(TypedDict, total=False):
    """Conclude a tournament.

    reason: why it ends before its last planned round; for a season, before its last tournament. named: seasons
    only: the players whom staff select among those who share a place at the border between divisions.
    """

    reason: str
    """Text of 0 to 500 characters"""
    named: list[str]


class ConfirmDice(TypedDict, total=False):
    """Confirm reported dice.

    rolls: ids of rolls. Empty: all rolls that wait for the calling player; staff must list them.
    """

    rolls: list[str]


class ConfirmResultBody(TypedDict, total=False):
    """Confirm a reported result, so that it binds."""

    report: int | None
    """The `report` of the game that the caller has seen. A later change of it is refused with 409 `report-changed`.
    Needed only if the report was changed.
    """


class CorrectResultBody(TypedDict, total=False):
    """Correct a binding result. The reason is public."""

    facts: Required[Facts]
    reason: Required[str]
    """Text of 1 to 500 characters"""
    improbable: bool
    """Accept improbable facts. The result is marked as improbable."""


class Summary(TypedDict, total=False):
    """The totals of a session.

    rounds: rounds begun. completed: ids of the goals completed. kills, cards: kills and activation cards that
    advanced the token. others: spaces that it moved forward for other reasons; back: spaces that the scenario sheet
    moved it back. position: space of the token; 0 is the top.
    """

    outcome: Required[Literal["victory", "unfinished", "defeat", "abandoned"]]
    """One of victory, unfinished, defeat, abandoned"""
    rounds: Required[int]
    """A whole number from 0 to 100000"""
    completed: Required[list[str]]
    position: Required[int]
    """A whole number from 0 to 100000"""
    kills: int
    """A whole number from 0 to 100000"""
    cards: int
    """A whole number from 0 to 100000"""
    others: int
    """A whole number from 0 to 100000"""
    back: int
    """A whole number from 0 to 100000"""


class CorrectSessionBody(TypedDict, total=False):
    """Correct the result of a session. told: the correct numbers. reason: public."""

    told: Required[Summary]
    reason: Required[str]
    """Text of 1 to 500 characters"""


class DeclineInvitationBody(TypedDict, total=False):
    """Decline an invitation to the final. named: players whom staff select in a tie for the free place."""

    reason: str
    """Text of 0 to 500 characters"""
    named: list[str]


class DisableWebhookBody(TypedDict, total=False):
    """Stop posting until the webhook is enabled again."""

    reason: str
    """Text of 0 to 500 characters"""


class DisbandPartyBody(TypedDict, total=False):
    """Disband a party."""

    reason: str
    """Public."""


class DismissStaffBody(TypedDict, total=False):
    """Dismiss a member of staff. All their tokens become invalid."""

    reason: str
    """Text of 0 to 500 characters"""
    revoke_links: bool
    """Also revoke the players' links that they received, by request or by entering the player."""


class DisputeDice(TypedDict, total=False):
    """Dispute reported dice. rolls: ids of rolls. reason: public."""

    rolls: Required[list[str]]
    reason: Required[str]
    """Text of 1 to 500 characters"""


class DisputeResultBody(TypedDict, total=False):
    """Dispute a result.

    reason: public. facts: the result according to the player.
    """

    reason: Required[str]
    """Text of 1 to 500 characters"""
    facts: Facts | None
    improbable: bool
    """Accept improbable facts. The result is marked as improbable."""


class DisqualifyPlayerBody(TypedDict, total=False):
    """Disqualify a player. `reason`, `clause` and `barred` are public, permanently."""

    reason: Required[str]
    """Text of 1 to 500 characters"""
    clause: str
    """The clause of the ruleset, if there is one."""
    note: str
    """A private note for organiser and head referee, stored with the player's personal data."""
    barred: str
    """Later events that the player may not join, for example "this club's events until 2027"."""


class DropPlayerBody(TypedDict, total=False):
    """Drop a player from further rounds."""

    reason: str
    """Public."""


class EarlierSeason(TypedDict, total=False):
    """The earlier season whose players join this one."""

    season: Required[str]
    """A concluded season."""


class EndSessionBody(TypedDict, total=False):
    """End a session. outcome: `unfinished` if time ran out, `abandoned` if the players left."""

    outcome: Required[Literal["unfinished", "abandoned"]]
    """One of unfinished, abandoned"""
    reason: Required[str]
    """Text of 1 to 500 characters"""


class EnterCoinBody(TypedDict, total=False):
    """Enter the order of tied players that a coin toss gave after a closed round. order: best first."""

    order: Required[list[str]]
    reason: str
    """Text of 0 to 500 characters"""


class EnterDivision(TypedDict, total=False):
    """Put players into a division."""

    division: Required[str]
    """A name of 1 to 100 characters on one line"""
    players: Required[list[str]]
    reason: str
    """Text of 0 to 500 characters"""


class LedgerEntry(TypedDict, total=False):
    """An entry of a ruling.

    entry: what it is about, such as `caps`, `item_lost` or `injury_gained`. reason: why, in the public log. clause:
    the clause behind the entry. amount: caps, units of food, rads, or unearned experience; below 0 if the group or
    the member loses it. food: the kind of food. good: name or key of the good gained. item: id of the item lost.
    member: id of the member whom the entry is about. `death_undone` brings back one who was removed. deeds: deed ->
    count, such as `{"wound": 2, "kill": 1}`; they set the amount of `experience`. injury: name or key. advancement:
    an attribute, or the name or key of a perk. turf: name or key of the turf gained; id of the turf lost. rank,
    name: of the member gained.

    `experience_unearned` needs an amount below 0; levels and advancements that it gave are removed too.
    """

    entry: Required[
        Literal[
            "caps",
            "food",
            "item_gained",
            "item_lost",
            "experience",
            "experience_unearned",
            "injury_gained",
            "injury_lost",
            "death",
            "death_undone",
            "member_gained",
            "member_lost",
            "advancement_gained",
            "advancement_lost",
            "rads",
            "turf_gained",
            "turf_lost",
        ]
    ]
    """One of caps, food, item_gained, item_lost, experience, experience_unearned, injury_gained, injury_lost, death,
    death_undone, member_gained, member_lost, advancement_gained, advancement_lost, rads, turf_gained, turf_lost
    """
    reason: Required[str]
    """Text of 1 to 500 characters"""
    clause: Required[str]
    """A clause of the ruleset, such as FS-REP-5"""
    amount: int
    """A whole number from -1000 to 1000"""
    food: Literal["clean", "radiated"]
    """One of clean, radiated"""
    good: str
    """Key or name."""
    item: str
    """An id of 1 to 64 letters a-z, digits, - and _"""
    member: str
    """An id of 1 to 64 letters a-z, digits, - and _"""
    deeds: dict[str, int]
    injury: str
    """Key or name."""
    advancement: str
    """Attribute, or key or name of a perk."""
    turf: str
    """Key or name, or the id of a turf of the group."""
    rank: str
    """Text of 0 to 64 characters"""
    name: str
    """A name of 1 to 100 characters on one line"""


class EnterLedgerBody(TypedDict, total=False):
    """Enter corrections of a group's goods, balances or experience. If one is refused, none is entered."""

    entries: Required[list[LedgerEntry]]


class EnterStaffBody(TypedDict, total=False):
    """Record that a member of staff also plays."""

    player: Required[str]
    """The id of their player."""
    override: str
    """The reason for letting a judge play if the tier does not allow it."""


class ClaimOfEntry(TypedDict, total=False):
    """A claim that an entry of a gathered tournament belongs to a player of the season."""

    tournament: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    entry: Required[str]
    """The id of the player in that tournament."""
    player: str
    """The player of the season. Default: a new player."""
    name: str
    """The name of a new player. Default: the name in that tournament."""


class EntriesToClaim(TypedDict, total=False):
    """Claims of entries."""

    claims: Required[list[ClaimOfEntry]]


class ExtendClockBody(TypedDict, total=False):
    """Give a round, its part at one venue, or one game, more time."""

    minutes: Required[int]
    """A whole number from 1 to 600"""
    reason: Required[str]
    """Text of 1 to 500 characters"""
    venue: str
    """The venue whose part of the round is meant. Default: all parts that are not done yet."""
    game: str
    """Default: the whole round."""


class FormParty(TypedDict, total=False):
    """Form a party of players who have joined already."""

    players: Required[list[str]]
    """Two or more players, at most as many as fit at a table."""


class GiveAward(TypedDict, total=False):
    """Give a player an award. It does not affect the standings."""

    name: Required[str]
    """A name of 1 to 100 characters on one line"""
    player: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    reason: str
    """Text of 0 to 500 characters"""


class GiveSeatBody(TypedDict, total=False):
    """Give a seat to a player on the waiting list, ahead of players who have waited longer."""

    reason: Required[str]
    """Public: the players who are passed over can read it."""
    more: bool
    """Add a seat if none is free."""


class GiveUpSeat(TypedDict, total=False):
    """Give up a player's seat in the cut."""

    player: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""


class Invitation(TypedDict, total=False):
    """The invitation of a survivor."""

    invitation: Required[str]
    """The survivor's code."""


class InvitedGuest(TypedDict, total=False):
    """A person who signs up, with an optional invitation."""

    name: Required[str]
    """A name of 1 to 100 characters on one line"""
    faction: str
    """A name of 1 to 100 characters on one line"""
    club: str
    """A name of 1 to 100 characters on one line"""
    venue: str
    email: str
    """Personal data, stored outside the log."""
    legal_name: str
    """If the organiser needs it. Personal data, stored outside the log."""
    invitation: str
    """Co-operative events: the code of a survivor whose party you want to join."""


class IssueLinkBody(TypedDict, total=False):
    """Issue a new link for a player."""

    reason: str
    """Public."""
    revoke_older: bool
    """Revoke all other links of the player."""


class IssueOrganiserToken(TypedDict, total=False):
    """Issue a token to an organiser, for all their tournaments."""

    organiser: Required[str]
    """The name on record. It decides which tournaments belong to the organiser."""
    days: int
    """Days until the token expires."""


class Contact(TypedDict, total=False):
    """Personal data. They are stored encrypted, outside the log, and erased on request."""

    email: str
    phone: str
    """Text of 0 to 40 characters"""
    legal_name: str
    """A name of 1 to 100 characters on one line"""
    needs: str
    """Accessibility needs; never published."""


class Entry(TypedDict, total=False):
    """A person who wants to play, under a public name of their choice."""

    name: Required[str]
    """A name of 1 to 100 characters on one line"""
    faction: str
    """A name of 1 to 100 characters on one line"""
    club: str
    """A name of 1 to 100 characters on one line"""
    venue: str
    external_id: str
    """The person's id in your own systems. Public and unique in the tournament."""
    contact: Contact


class JoinParty(TypedDict, total=False):
    """Enter players who want to sit together, as a party: all of them or none."""

    players: Required[list[Entry]]
    late: bool
    """Enter players after round 1 was paired, if the ruleset allows it. Staff only."""
    pass_over: bool
    """Skip players who are already entered with the same data, instead of refusing the list."""


class JoinPlayer(TypedDict, total=False):
    """A player."""

    name: Required[str]
    """A name of 1 to 100 characters on one line"""
    faction: str
    """A name of 1 to 100 characters on one line"""
    club: str
    """A name of 1 to 100 characters on one line"""
    venue: str
    external_id: str
    """The person's id in your own systems. Public and unique in the tournament."""
    contact: Contact
    late: bool
    """Enter the player after round 1 was paired, if the ruleset allows it."""


class JoinPlayers(TypedDict, total=False):
    """Enter a list of players: all of them or none."""

    players: Required[list[Entry]]
    late: bool
    """Enter players after round 1 was paired, if the ruleset allows it. Staff only."""
    pass_over: bool
    """Skip players who are already entered with the same data, instead of refusing the list."""


class JudgeEvilBody(TypedDict, total=False):
    """Roll whether a rival counts as evil. rival: empty: the first one that is not judged yet."""

    group: str
    """An id of 1 to 64 letters a-z, digits, - and _"""
    rival: str
    """An id of 1 to 64 letters a-z, digits, - and _"""
    roll: ScoringRollTold | None


class KeepApart(TypedDict, total=False):
    """Set which players should not meet in round 1."""

    groups: Required[list[list[str]]]
    """Groups of players who should not meet each other. Replaces all earlier groups; an empty list removes them."""


class LeavePartyBody(TypedDict, total=False):
    """Leave a party."""

    reason: str
    """Public."""


class MakeCut(TypedDict, total=False):
    """Make the cut from the recorded standings."""

    places: int | None
    """Default: the ruleset's number for these players."""


class MakeFinalCut(TypedDict, total=False):
    """Invite the best players to the final. named: players whom staff select among those who share the last place."""

    named: list[str]


class MergeIdentities(TypedDict, total=False):
    """Merge two players of the season who are the same person."""

    player: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    into: Required[str]
    """The player who remains."""
    reason: Required[str]
    """Text of 1 to 500 characters"""


class MovePlayerBody(TypedDict, total=False):
    """Move a player to another venue, from the next pairing on."""

    venue: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    reason: str
    """Public."""


class MoveTableBody(TypedDict, total=False):
    """Move a game to another table."""

    table: Required[int | str]
    """The number shown on the table."""
    venue: str
    """Default: the current venue of the game."""
    reason: str
    """Public: write nothing private here."""


class MusterGroupBody(TypedDict, total=False):
    """Muster a group for a game. fielded: the members who play."""

    fielded: Required[list[str]]
    group: str
    """An id of 1 to 64 letters a-z, digits, - and _"""


class OfferSpare(TypedDict, total=False):
    """Put a member of staff on standby as the spare player."""

    staff: Required[str]
    """The id of a spare player, organiser or referee."""


class RollOfGroup(TypedDict, total=False):
    """The roll of one group."""

    group: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    dice: list[Die]
    rolled_by: str
    """The id of a player or a member of staff."""
    witnessed_by: str
    """The id of a second person who saw the roll."""


class OpenRecruits(TypedDict, total=False):
    """Open the pool of recruits. rolls: of some groups; the service rolls for all others."""

    rolls: list[RollOfGroup]


class TableByHand(TypedDict, total=False):
    """A table entered by hand."""

    survivors: Required[list[str]]
    host: str
    """The person who confirms the table's report. Default: the first survivor."""
    scenario: str
    """Default: the scenario of the round."""
    loyal_faction: str
    """Default: the loyal faction of the round."""


class OpenSessionRound(TypedDict, total=False):
    """Seat the next round of sessions.

    All members are optional. Without `tables` all players are seated: parties stay together, and other players meet
    new company where possible.
    """

    round: int | None
    """The round that you expect to be next. A repeated request is then refused instead of pairing another round."""
    tables: list[TableByHand] | None
    """The whole round, entered by hand."""
    scenario: str
    """Assigned to every table. Default: each table chooses."""
    loyal_faction: str
    """Assigned to every table. Default: each table chooses."""
    reason: str
    """The reason for seating by hand. It is public."""


class OpenVenue(TypedDict, total=False):
    """Open a venue."""

    name: Required[str]
    """A name of 1 to 100 characters on one line"""
    tables: int | list[Table]
    """A whole number from 0 to 10000, or a list"""
    time_zone: str
    """The time zone by its IANA name, such as `Europe/Berlin`. Empty: not set."""
    address: str
    """The postal address, for people. Public."""
    note: str
    """A note for people, such as the way to the entrance. Public."""


class OverrideRulingBody(TypedDict, total=False):
    """Override a ruling as an organiser. The reason is public."""

    facts: Required[Facts]
    reason: Required[str]
    """Text of 1 to 500 characters"""
    improbable: bool
    """Accept improbable facts. The result is marked as improbable."""


class OwnClaim(TypedDict, total=False):
    """The player of the season for your own entry."""

    season_token: str
    """Your token in the season. Default: you become a new player."""
    name: str
    """The name of a new player. Default: your name in the tournament."""


class PackText(TypedDict, total=False):
    """A pack as its file has it."""

    text: Required[str]
    """The pack, as YAML or JSON."""


class ByeGiven(TypedDict, total=False):
    """A bye granted before the round is paired."""

    player: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    kind: Required[Literal["awarded", "requested"]]
    """`awarded`: granted before the tournament starts. `requested`: the player asked for it. One of: awarded,
    requested.
    """


class PairRound(TypedDict, total=False):
    """Pair the next round.

    All members are optional; without any, the ruleset pairs the round.
    """

    round: int | None
    """The round that you expect to be next. A repeated request is then refused instead of pairing another round."""
    venue: str
    """The venue to pair, if each venue is paired by itself. Default: every venue whose turn it is."""
    scenario: str
    """The scenario of the whole round; required if rounds have one."""
    pairings: list[ByHand] | None
    """The whole round, entered by hand. Every active player must be in a pairing or in `sitting_out`."""
    sitting_out: list[str]
    """With `pairings`: active players who do not play this round."""
    byes: list[ByeGiven]
    """Byes granted before the pairing, if the ruleset has such byes. The other players are paired."""
    allow_rematch: bool
    """With `pairings`: accept opponents who have met before."""
    reason: str
    """The reason for pairing by hand. It is public."""


class PairingRecopy(TypedDict, total=False):
    """The copy to replace, and the reason; both are recorded."""

    source: Required[Literal["registration", "scoring"]]
    """One of registration, scoring"""
    tournament: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    reason: str
    """Text of 0 to 500 characters"""


class PairingRecover(TypedDict, total=False):
    """The peers not to ask (`without`), and the feed position that a subscriber has read up to."""

    without: list[Literal["registration", "scoring"]]
    feed: int
    """A whole number from 0 to 9007199254740992"""


class PinOperatorData(TypedDict, total=False):
    """Enter the operator's data of the game."""

    data: Required[dict[str, Any]]
    """Scenarios with their two sides, cards, and the table size (docs/reference/packs.md)."""


class PinPlayerBody(TypedDict, total=False):
    """Give a player a fixed table."""

    venue: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    table: Required[int | str]
    """The number shown on the table."""
    reason: str
    """Private: stored with the player's personal data."""


class Assisted(TypedDict, total=False):
    """A survivor assisted another in a fight.

    hits, damage_icons: results of the survivor's die. enemy_level: level of the enemy. enemy_died: whether it died.
    """

    move: Required[Literal["assisted"]]
    """One of: assisted."""
    survivor: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    fighter: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    hits: int
    """A whole number from 0 to 100"""
    damage_icons: int
    """A whole number from 0 to 100"""
    enemy_level: int
    """A whole number from 0 to 100"""
    enemy_died: bool
    """True or false"""


class CampGained(TypedDict, total=False):
    """A survivor gained a C.A.M.P. token.

    from_space: space of the map that it is taken from, if the supply is empty and the ruleset allows it.
    """

    move: Required[Literal["camp_gained"]]
    """One of: camp_gained."""
    survivor: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    from_space: str
    """Text of 0 to 100 characters"""


class CampPlaced(TypedDict, total=False):
    """A gained C.A.M.P. token was placed in a space."""

    move: Required[Literal["camp_placed"]]
    """One of: camp_placed."""
    space: Required[str]
    """Text of 0 to 100 characters"""


class CardRevealed(TypedDict, total=False):
    """All survivors took their turn, and the first player reveals an activation card.

    card: id of the card, if cards are tracked; empty to have the service draw one. enemies, icons: those of the
    card, if cards are not tracked. enemies_on_map: number of opposing enemies, if they count at this moment.
    """

    move: Required[Literal["card_revealed"]]
    """One of: card_revealed."""
    card: str
    """An id of 1 to 64 letters a-z, digits, - and _"""
    enemies: list[str]
    icons: list[Literal["A", "B"]]
    enemies_on_map: int
    """Number of opposing enemies."""


class ConditionMet(TypedDict, total=False):
    """A further victory condition of the scenario was met."""

    move: Required[Literal["condition_met"]]
    """One of: condition_met."""
    condition: Required[str]
    """Text of 0 to 200 characters"""


class EnemiesActivated(TypedDict, total=False):
    """The two enemy types of the card acted."""

    move: Required[Literal["enemies_activated"]]
    """One of: enemies_activated."""


class FirstPlayerChosen(TypedDict, total=False):
    """The first player is confirmed or replaced. The round ends, and the next begins."""

    move: Required[Literal["first_player_chosen"]]
    """One of: first_player_chosen."""
    player: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""


class GoalCompleted(TypedDict, total=False):
    """A goal was completed and turned face down. replaced_by: id of the card revealed instead, by ruleset."""

    move: Required[Literal["goal_completed"]]
    """One of: goal_completed."""
    goal: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    replaced_by: str
    """An id of 1 to 64 letters a-z, digits, - and _"""


class ModificationKept(TypedDict, total=False):
    """A survivor drew a modification card for each shop action and kept one for an asset. drawn: number of cards."""

    move: Required[Literal["modification_kept"]]
    """One of: modification_kept."""
    survivor: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    drawn: Required[int]
    """A whole number from 0 to 100"""
    card: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    asset: Required[str]
    """Text of 0 to 100 characters"""


class MutationRevealed(TypedDict, total=False):
    """A survivor revealed a mutation. rads: the survivor's rads."""

    move: Required[Literal["mutation_revealed"]]
    """One of: mutation_revealed."""
    survivor: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    card: str
    """An id of 1 to 64 letters a-z, digits, - and _"""
    rads: int
    """A whole number from 0 to 100"""


class OpposingActivated(TypedDict, total=False):
    """The enemies of the opposing faction acted. enemies_on_map: how many are on the map now."""

    move: Required[Literal["opposing_activated"]]
    """One of: opposing_activated."""
    enemies_on_map: int
    """Number of opposing enemies."""


class QuestReward(TypedDict, total=False):
    """The reward of a quest advances a faction.

    spaces: number of spaces. reward: the "+" effect chosen, for the loyal faction. token_for: id of the survivor
    who gains the C.A.M.P. token of the reward. from_space: as in `camp_gained`.
    """

    move: Required[Literal["quest_reward"]]
    """One of: quest_reward."""
    faction: Required[str]
    """A name of 1 to 100 characters on one line"""
    quest: str
    """Text of 0 to 100 characters"""
    spaces: int
    """A whole number from -1000 to 1000"""
    reward: str
    """Text of 0 to 200 characters"""
    token_for: str
    """An id of 1 to 64 letters a-z, digits, - and _"""
    from_space: str
    """Text of 0 to 100 characters"""


class RadsRecovered(TypedDict, total=False):
    """A survivor recovered from rads."""

    move: Required[Literal["rads_recovered"]]
    """One of: rads_recovered."""
    survivor: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""


class ScenarioEffect(TypedDict, total=False):
    """An effect of the scenario sheet moves the token. spaces: forward, or back if below 0."""

    move: Required[Literal["scenario_effect"]]
    """One of: scenario_effect."""
    spaces: Required[int]
    """A whole number from -1000 to 1000"""
    text: str
    """Text of 0 to 200 characters"""


class SurvivorKilled(TypedDict, total=False):
    """A survivor was killed. cause: what killed the survivor."""

    move: Required[Literal["survivor_killed"]]
    """One of: survivor_killed."""
    survivor: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    cause: str
    """Text of 0 to 100 characters"""


class Travelled(TypedDict, total=False):
    """A survivor used fast travel to a space with a C.A.M.P. token."""

    move: Required[Literal["travelled"]]
    """One of: travelled."""
    survivor: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    space: Required[str]
    """Text of 0 to 100 characters"""


class UpgradeGained(TypedDict, total=False):
    """A survivor gained a workshop upgrade for the table."""

    move: Required[Literal["upgrade_gained"]]
    """One of: upgrade_gained."""
    survivor: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    upgrade: str
    """Text of 0 to 100 characters"""


class PlayMovesBody(TypedDict, total=False):
    """Report moves.

    moves: what happened at one moment, in order. If one is refused, none is recorded.
    """

    moves: Required[
        list[
            GoalCompleted
            | SurvivorKilled
            | ConditionMet
            | QuestReward
            | ScenarioEffect
            | UpgradeGained
            | CampGained
            | CampPlaced
            | MutationRevealed
            | RadsRecovered
            | Travelled
            | Assisted
            | ModificationKept
            | CardRevealed
            | EnemiesActivated
            | OpposingActivated
            | FirstPlayerChosen
        ]
    ]


class Publication(TypedDict, total=False):
    """The time at which a draft becomes public: now, or at the time `at`."""

    at: str | None
    """Left out: now."""


class PublishStandings(TypedDict, total=False):
    """Publish the standings of all closed rounds.

    at: publish at this time instead of now.
    """

    at: str | None
    """Left out: now."""


class RegistrationRecopy(TypedDict, total=False):
    """The copy to replace, and the reason; both are recorded."""

    source: Required[Literal["pairing", "scoring"]]
    """One of pairing, scoring"""
    tournament: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    reason: str
    """Text of 0 to 500 characters"""


class RegistrationRecover(TypedDict, total=False):
    """The peers not to ask (`without`), and the feed position that a subscriber has read up to."""

    without: list[Literal["pairing", "scoring"]]
    feed: int
    """A whole number from 0 to 9007199254740992"""


class RejectAppealBody(TypedDict, total=False):
    """Reject an appeal. The reason is public."""

    reason: Required[str]
    """Text of 1 to 500 characters"""


class RejectRosterBody(TypedDict, total=False):
    """Reject a player's roster."""

    note: Required[str]
    """The reason; the player can read it."""


class ReleaseTournamentBody(TypedDict, total=False):
    """Stop counting a tournament in the season."""

    reason: Required[str]
    """Public."""


class ReopenRoundBody(TypedDict, total=False):
    """Reopen a closed round, or its part at one venue. The reason is public."""

    reason: Required[str]
    """Text of 1 to 500 characters"""
    venue: str
    """The venue whose part is reopened. Default: the whole round."""


class Repairing(TypedDict, total=False):
    """The members of pairing a round, and the reason for pairing it again."""

    reason: Required[str]
    """Text of 1 to 500 characters"""
    round: int | None
    """The number in the path."""
    venue: str
    """The venue to pair, if each venue is paired by itself. Default: every venue whose turn it is."""
    scenario: str
    """The scenario of the whole round; required if rounds have one."""
    pairings: list[ByHand] | None
    """The whole round, entered by hand. Every active player must be in a pairing or in `sitting_out`."""
    sitting_out: list[str]
    """With `pairings`: active players who do not play this round."""
    byes: list[ByeGiven]
    """Byes granted before the pairing, if the ruleset has such byes. The other players are paired."""
    allow_rematch: bool
    """With `pairings`: accept opponents who have met before."""


class ReplayWebhookBody(TypedDict, total=False):
    """Post all events after a cursor of the feed again."""

    after: str
    """The `feedcursor` of an event that this webhook received. Empty: the beginning."""


class ReportResultBody(TypedDict, total=False):
    """Report the result of a game. A player's report waits for the opponent; a report by staff binds immediately."""

    facts: Required[Facts]
    improbable: bool
    """Accept improbable facts. The result is marked as improbable."""


class ReportResult(TypedDict, total=False):
    """Report the result of a game. A player's report waits for the opponent; a report by staff binds immediately."""

    game: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    facts: Required[Facts]
    improbable: bool
    """Accept improbable facts. The result is marked as improbable."""


class ReportResults(TypedDict, total=False):
    """Enter several results from paper. If one is refused, none is entered."""

    results: Required[list[ReportResult]]


class ReportSessionBody(TypedDict, total=False):
    """Report a complete session. told: the session in numbers."""

    told: Required[Summary]


class ReseatTableBody(TypedDict, total=False):
    """Change the survivors or the host of a table that has not been set up."""

    survivors: Required[list[str]]
    """All survivors at the table from now on; empty: the table is not played."""
    reason: Required[str]
    """Text of 1 to 500 characters"""
    host: str
    """Default: the current host if still at the table, otherwise the first survivor."""


class RevokeDisqualificationBody(TypedDict, total=False):
    """Revoke a disqualification."""

    reason: Required[str]
    """Public."""


class RevokeInstallationToken(TypedDict, total=False):
    """Revoke a token that belongs to a service, or to no single tournament."""

    token_id: Required[str]
    """The token's claim `jti`, for example `t-abc.p17.1772359200123`."""
    reason: str
    """Text of 0 to 500 characters"""


class RevokeToken(TypedDict, total=False):
    """Revoke a token."""

    token_id: Required[str]
    """The token's claim `jti`, for example `t-abc.p17.1772359200123`."""
    reason: str
    """Text of 0 to 500 characters"""


class RollJamsBody(TypedDict, total=False):
    """Roll whether ranged weapons jam.

    item: the weapon of the roll. Empty: the service rolls for all weapons that are due.
    """

    group: str
    """An id of 1 to 64 letters a-z, digits, - and _"""
    item: str
    """An id of 1 to 64 letters a-z, digits, - and _"""
    roll: ScoringRollTold | None


class RollObjectiveBody(TypedDict, total=False):
    """Roll the objective of a group. roll: at the table; null: the service rolls."""

    group: str
    """An id of 1 to 64 letters a-z, digits, - and _"""
    roll: ScoringRollTold | None


class DieTold(TypedDict, total=False):
    """A die rolled at the table."""

    sides: Required[int]
    """A whole number"""
    natural: Required[int]
    """The face that the die shows."""


class RegistrationRollTold(TypedDict, total=False):
    """Dice that were rolled at a table. Without dice, the service rolls. The roller is the player by default."""

    dice: list[DieTold]
    rolled_by: str
    """The id of a player or a member of staff."""
    witnessed_by: str
    """Another person who was present."""


class RollTurfsBody(TypedDict, total=False):
    """Roll starting turfs."""

    rolls: Required[list[RegistrationRollTold]]
    """One roll per starting turf, in order; at most as many as are missing."""


class RotateWebhookSecretBody(TypedDict, total=False):
    """Replace the signing secret.

    overlap_hours: how long messages also carry a signature of the previous secret.
    """

    secret: str | None
    """The signing secret: `whsec_` and 24 to 64 bytes in base64. null: a new secret is generated and returned."""
    overlap_hours: int
    """A whole number from 0 to 168"""


class RoundPublication(TypedDict, total=False):
    """The time at which a draft round, or its part at one venue, becomes public."""

    at: str | None
    """Left out: now."""
    venue: str
    """The venue whose part of the round is meant. Default: every part that is a draft."""


class RuleDice(TypedDict, total=False):
    """Rule on reported dice.

    rolls: ids of rolls. reason: public. stands: the rolls count as reported. again: if they do not, the dice that
    were rolled anew at the table, in order; the service rolls all others. drop: also undo later statements of the
    group that no longer hold. Without it, they are listed and nothing is ruled.
    """

    rolls: Required[list[str]]
    reason: Required[str]
    """Text of 1 to 500 characters"""
    stands: Required[bool]
    """True or false"""
    again: list[ScoringRollTold]
    drop: bool
    """True or false"""


class RuleResultBody(TypedDict, total=False):
    """Rule on the result of a game. reason, clause: public."""

    facts: Required[Facts]
    reason: Required[str]
    """Text of 1 to 500 characters"""
    clause: str
    """Text of 0 to 40 characters"""
    improbable: bool
    """Accept improbable facts. The result is marked as improbable."""


class RulesetToMoveTo(TypedDict, total=False):
    """The new version of the ruleset: either `ruleset`, a shipped pack, or `pack` as JSON. Options do not change."""

    from_round: Required[int]
    """The first round played with this version."""
    reason: Required[str]
    """Text of 1 to 500 characters"""
    ruleset: str
    """The id of a shipped ruleset: GET /rulesets."""
    pack: dict[str, Any]
    """A whole ruleset pack as JSON, instead of `ruleset`."""


class ScoringRecopy(TypedDict, total=False):
    """The copy to replace, and the reason; both are recorded."""

    source: Required[Literal["registration", "pairing"]]
    """One of registration, pairing"""
    tournament: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    reason: str
    """Text of 0 to 500 characters"""


class ScoringRecover(TypedDict, total=False):
    """The peers not to ask (`without`), and the feed position that a subscriber has read up to."""

    without: list[Literal["registration", "pairing"]]
    feed: int
    """A whole number from 0 to 9007199254740992"""


class SetPartAsideBody(TypedDict, total=False):
    """Set the part of a round at a venue aside that cannot be reached. The reason is public."""

    venue: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    reason: Required[str]
    """Text of 1 to 500 characters"""


class SetUpSessionBody(TypedDict, total=False):
    """Set up a session.

    scenario, loyal_faction: empty if the organiser assigned them. goals: the revealed goals; null: the service
    draws them. again: replace a set-up; possible while nothing but the set-up is recorded.
    """

    first_player: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    scenario: str
    """An id of 1 to 64 letters a-z, digits, - and _"""
    loyal_faction: str
    """A name of 1 to 100 characters on one line"""
    goals: list[str] | None
    again: bool
    """True or false"""


class EntryOfPlayer(TypedDict, total=False):
    """An entry of a tournament."""

    tournament: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    entry: Required[str]
    """The id of the player in that tournament."""


class SplitIdentity(TypedDict, total=False):
    """Split entries off a player."""

    player: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    reason: Required[str]
    """Text of 1 to 500 characters"""
    entries: list[EntryOfPlayer]
    """The entries to split off. Default: all that came with `into`."""
    into: str
    """A player who was merged into this one. Default: a new player."""
    name: str
    """The name of a new player."""


class StartRoundBody(TypedDict, total=False):
    """Start the clock of a round, or of its part at one venue."""

    venue: str
    """The venue whose part of the round is meant. Default: all parts that are not done yet."""
    minutes: int | None
    """Default: the ruleset's duration."""
    overtime: int | None
    """Minutes after the end of the round when every game must stop. Default: the ruleset's."""


class EnlistedMember(TypedDict, total=False):
    """A member of a group."""

    rank: Required[str]
    """`green`, `experienced` or `veteran`."""
    name: str
    """A name of 1 to 100 characters on one line"""
    goods: list[str]
    """The goods that the member carries and wears. A key of the ruleset's `rules.goods`, or one of the good's names in
    any case.
    """


class SubmitGroupBody(TypedDict, total=False):
    """Submit a whole group."""

    force: Required[str]
    """A key of the ruleset's `rules.forces`, or the force's name."""
    members: Required[list[EnlistedMember]]
    stash: list[str]
    """Goods that no member carries. A key of the ruleset's `rules.goods`, or one of the good's names in any case."""


class SubmitRosterBody(TypedDict, total=False):
    """Submit a roster."""

    roster: Required[dict[str, Any]]
    """The roster in the ruleset's terms (docs/reference/packs.md). On record, without the fields in `sealed`."""
    override: str
    """The reason for a change by staff after play has begun."""
    on_paper: str
    """Staff only: the reason for accepting a list that they saw on paper. Public. `roster` then has no entries, only
    the totals that results are checked against, and other fields of one value as you like.
    """


class SubscribeWebhook(TypedDict, total=False):
    """Post events to an address.

    form: what is posted: `events` as CloudEvents, `results` (the games of `view=results` in the feed), or text
    messages for `discord` or `slack`. audience: `everybody` receives what the public may see, `staff` also what
    only staff may see; never more than the caller may see.
    """

    name: Required[str]
    """A name of 1 to 100 characters on one line"""
    url: Required[str]
    """The address that receives messages: `https://` and a host with public IP addresses. Stored encrypted; answers
    never contain it.
    """
    secret: str | None
    """The signing secret: `whsec_` and 24 to 64 bytes in base64. null: a new secret is generated and returned."""
    form: Literal["events", "results", "discord", "slack"]
    """One of events, results, discord, slack"""
    audience: Literal["everybody", "staff"]
    """One of everybody, staff"""
    filter: Filter


class TakeBackBody(TypedDict, total=False):
    """Take back a statement of a group's running post-game phase.

    statement: its number, as listed by `GET …/groups/{group}/statements`. reason: public; staff must give one.
    drop: also undo the later statements that no longer hold. Without it, they are listed and nothing is taken back.
    """

    reason: str
    """Text of 0 to 500 characters"""
    drop: bool
    """True or false"""


class TakeBackMoveBody(TypedDict, total=False):
    """Take back the moves of one report, or the end of a session.

    statement: its number, as listed by `GET …/sessions/{session}/statements`. reason: public; staff must give one.
    drop: also undo the later reports that no longer hold. Without it, they are listed and nothing is taken back.
    """

    reason: str
    """Text of 0 to 500 characters"""
    drop: bool
    """True or false"""


class TournamentToClaim(TypedDict, total=False):
    """The tournament whose unclaimed entries are claimed."""

    tournament: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""


class TournamentToGather(TypedDict, total=False):
    """A tournament that the season will count."""

    tournament: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    played_on: str | None
    """The day that orders it among the others. Default: its first day."""
    division: str
    """A name of 1 to 100 characters on one line"""
    tier: str
    """A tier with a weight in the season. Default: the tournament's own, if it has one."""
    weight: int | None
    """In per cent."""


class VoidResultBody(TypedDict, total=False):
    """Void a result, so that the game is open again. The reason is public."""

    reason: Required[str]
    """Text of 1 to 500 characters"""


class WarnPlayerBody(TypedDict, total=False):
    """Warn a player. `reason` and `clause` are public, permanently."""

    reason: Required[str]
    """Text of 1 to 500 characters"""
    clause: str
    """The clause of the ruleset, if there is one."""
    note: str
    """A private note for organiser and head referee, stored with the player's personal data."""


class WithdrawAwardBody(TypedDict, total=False):
    """Withdraw an award. The reason is public."""

    reason: Required[str]
    """Text of 1 to 500 characters"""


class WithdrawPlayerBody(TypedDict, total=False):
    """Withdraw a player before round 1 is paired."""

    reason: str
    """Public."""


class WithdrawRoundBody(TypedDict, total=False):
    """Take back the latest round, or its part at one venue."""

    reason: Required[str]
    """Public."""
    venue: str
    """The venue whose part is taken back. Default: the whole round."""
