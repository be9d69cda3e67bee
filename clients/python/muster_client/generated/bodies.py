"""What the services are sent: the members of a body, each with what it may be.

Made of clients/openapi.json by `make client`.
"""

from __future__ import annotations

from typing import Any, Literal, Required, TypeAlias, TypedDict


class AcceptRosterBody(TypedDict, total=False):
    """note: what staff found."""

    note: str
    """Text of 0 to 500 characters"""


class AcceptRosters(TypedDict, total=False):
    """Rosters of several players: all of them are accepted, or none. note: what staff found, of each of them."""

    players: Required[list[str]]
    note: str
    """Text of 0 to 500 characters"""


class ByHand(TypedDict, total=False):
    """A pairing by hand. Without `player_2` it is a bye; with a member of staff, a game against the spare player.

    table: left out, any free one of the venue; a bye has none, whatever is written. sides: in a campaign, of a game
    of three or more groups, in place of `player_1` and `player_2`.
    """

    player_1: str
    """Needed where there are no `sides`."""
    player_2: str | None
    """An id of 1 to 64 letters a-z, digits, - and _"""
    kind: Literal["game", "bye", "spare", "awarded_bye", "requested_bye"]
    """One of game, bye, spare, awarded_bye, requested_bye"""
    venue: str
    """Needed only where it does not follow."""
    table: int | str | None
    """As people read it on the table."""
    wave: int
    """With a table: 2 for the second game of the round there, 3 for the third."""
    sides: list[list[str]]
    """Every side with its groups: two sides or more, three groups or more."""


class AmendPairingsBody(TypedDict, total=False):
    """Two players change places (`swap`), or games as they are to be from now on (`pairings`)."""

    reason: Required[str]
    """Text of 1 to 500 characters"""
    swap: list[str] | None
    pairings: list[ByHand]
    sitting_out: list[str]
    allow_rematch: bool
    """True or false"""


class AmendPlayerBody(TypedDict, total=False):
    """What changes; the rest stays."""

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
    """What changes; the rest stays. The number of rounds, and options, only until round 1 is paired and published."""

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
    """open: anybody signs up for themselves while registration is open; invite_only: staff and integrations do. One
    of: open, invite_only.
    """
    on_purpose: list[Literal["rounds", "cut", "standings"]]
    """What staff alone see until they publish it; empty: everything is shown at once."""
    options: dict[str, Any]
    """Options of the ruleset that may change until round 1 (`until` of each)."""


class CatalogueItem(TypedDict, total=False):
    """Something a roster may hold. in_list: the list it stands in; fields: what its entry states besides."""

    in_list: Required[str]
    name: Required[str]
    points: int
    """A whole number from 0 to 1000000"""
    factions: list[str]
    fields: dict[str, Any]
    released: str
    """The day it came out, YYYY-MM-DD."""
    release: str
    """Its kind, as the ruleset's `legality.weekdays` names it."""
    legal_from: str
    """The day from which it is legal here, whatever the delay after its release says."""


class Catalogue(TypedDict, total=False):
    """What there is to choose from, for the ruleset with this id. document: where names and prices come from."""

    ruleset: Required[str]
    document: Required[str]
    items: Required[list[CatalogueItem]]


class Announcement(TypedDict, total=False):
    """A new tournament. `ruleset` names a shipped pack, or `pack` brings one of your own as JSON."""

    name: Required[str]
    """A name of 1 to 100 characters on one line"""
    options: dict[str, Any]
    """What the ruleset lets an organiser set."""
    tier: str
    """One of the ruleset's tiers; empty: its first."""
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
    visibility: Literal["public", "private"]
    """One of public, private"""
    check_in: bool
    """Whether round 1 pairs only players who are checked in."""
    sign_up: Literal["open", "invite_only"]
    """open: anybody signs up for themselves while registration is open; invite_only: staff and integrations do. One
    of: open, invite_only.
    """
    rehearsal: bool
    """Nothing counts, and made-up operator's data are accepted."""
    on_purpose: list[Literal["rounds", "cut", "standings"]]
    """What staff alone see until they publish it; empty: everything is shown at once."""
    operator_data: dict[str, Any] | None
    """Co-operative games: what the sheets and cards say (docs/reference/packs.md)."""
    format: Literal["swiss", "campaign", "coop", "season"]
    """That of the ruleset, if it is said. One of: swiss, campaign, coop, season."""
    ruleset: str
    """Id of a shipped ruleset: GET /rulesets."""
    pack: dict[str, Any]
    """A whole ruleset pack as JSON, instead of `ruleset`."""
    catalogues: list[Catalogue]
    """What rosters may hold and what it costs."""


class AnswerCallBody(TypedDict, total=False):
    """answer: what the judge said at the table; whoever called reads it, and staff."""

    answer: Required[str]
    """Text of 1 to 500 characters"""


class AppealRulingBody(TypedDict, total=False):
    """Why; it stands in the public log."""

    reason: Required[str]
    """Text of 1 to 500 characters"""


class AppointStaff(TypedDict, total=False):
    """A member of staff; the answer carries their token. venue: they act there only; empty: everywhere.

    player: the id of the player whom they play as, if they do. override: why, where the tier lets no judge play.
    """

    name: Required[str]
    """A name of 1 to 100 characters on one line"""
    role: Required[Literal["organiser", "head_referee", "referee", "spare", "integration"]]
    """One of organiser, head_referee, referee, spare, integration"""
    venue: str
    player: str
    override: str
    """Text of 0 to 500 characters"""


class CallJudge(TypedDict, total=False):
    """game: at whose table; a player calls to their own alone. text: what it is about, for staff."""

    game: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    reason: Literal["rules", "time", "dispute", "other"]
    """One of rules, time, dispute, other"""
    text: str
    """Text of 0 to 200 characters"""


class CallTimeBody(TypedDict, total=False):
    """call: start, halfway, ten_minutes, end, hard_stop: those that the ruleset has."""

    call: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""


class CancelTournament(TypedDict, total=False):
    """Why; it stands in the public log."""

    reason: Required[str]
    """Text of 1 to 500 characters"""


class Table(TypedDict, total=False):
    """A table of a venue."""

    table: Required[int | str]
    """As people read it on the table."""
    accessible: bool
    """True or false"""


class ChangeTablesBody(TypedDict, total=False):
    """All tables of the venue from now on: how many, or one by one."""

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
    """What is left out stays as it is. With another address, that has to say again that it wants this."""

    name: str | None
    """A name of 1 to 100 characters on one line"""
    url: str | None
    """Where messages are posted: https:// and a host with public addresses. It is kept sealed and not shown again."""
    audience: Literal["everybody", "staff", None]
    """One of everybody, staff"""
    filter: Filter | None


class CheckInBody(TypedDict, total=False):
    """venue: needed only where several are open and the player has none."""

    venue: str


class CheckInPlayers(TypedDict, total=False):
    """Players who are there: all of them are checked in, or none. venue: where those play who have none that is open;
    needed only where several are.
    """

    players: Required[list[str]]
    venue: str


class CheckOutPlayers(TypedDict, total=False):
    """Check-ins of several players are taken back: all of them, or none."""

    players: Required[list[str]]


class Nothing(TypedDict, total=False):
    """The choice says it all."""


class Die(TypedDict, total=False):
    """A die as it was rolled.

    sides: number of sides, 12 or 6. natural: the face rolled.
    """

    sides: Required[int]
    """A whole number"""
    natural: Required[int]
    """The face of the die."""


class ScoringRollTold(TypedDict, total=False):
    """Dice rolled at the table. Without dice, the service rolls. The player rolled unless another roller is named."""

    dice: list[Die]
    rolled_by: str
    """The id of a player or a member of staff."""
    witnessed_by: str
    """Somebody else who was there."""


class ChooseAwardExperience(TypedDict, total=False):
    """"""

    does: Required[Literal["award_experience"]]
    """One of: award_experience."""
    of: Nothing
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""


class Building(TypedDict, total=False):
    """Who builds, from which set of parts."""

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


class OfGood(TypedDict, total=False):
    """A good, by its key in the tables."""

    good: Required[str]


class ChooseBuyFromList(TypedDict, total=False):
    """"""

    does: Required[Literal["buy_from_list"]]
    """One of: buy_from_list."""
    of: Required[OfGood]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""


class OfMember(TypedDict, total=False):
    """A member, by id."""

    member: Required[str]


class ChooseCheckJail(TypedDict, total=False):
    """"""

    does: Required[Literal["check_jail"]]
    """One of: check_jail."""
    of: Required[OfMember]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""


class Raise(TypedDict, total=False):
    """An attribute of a member that grows instead of one at its maximum."""

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


class Home(TypedDict, total=False):
    """What the vault gives; member: who has the shot."""

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


class Perk(TypedDict, total=False):
    """A perk for a member."""

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


class Reward(TypedDict, total=False):
    """What the owner chooses with a reward. objective, reward: which it is, said for the reader alone."""

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


class ChooseClaimTurf(TypedDict, total=False):
    """"""

    does: Required[Literal["claim_turf"]]
    """One of: claim_turf."""
    of: Nothing
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""


class Offer(TypedDict, total=False):
    """The price that waits. line, price: which it is, said for the reader alone."""

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


class Dismissal(TypedDict, total=False):
    """A blind member, and how it goes."""

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


class ChooseDrawEncounter(TypedDict, total=False):
    """"""

    does: Required[Literal["draw_encounter"]]
    """One of: draw_encounter."""
    of: Required[OfMember]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""


class ChooseDrawFighters(TypedDict, total=False):
    """"""

    does: Required[Literal["draw_fighters"]]
    """One of: draw_fighters."""
    of: Nothing
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""


class ChooseEatBlind(TypedDict, total=False):
    """"""

    does: Required[Literal["eat_blind"]]
    """One of: eat_blind."""
    of: Required[OfMember]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""


class Fight(TypedDict, total=False):
    """Who won the fight for the pot."""

    winner: Required[str]


class ChooseEatOwn(TypedDict, total=False):
    """"""

    does: Required[Literal["eat_own"]]
    """One of: eat_own."""
    of: Required[Fight]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""


class OfItem(TypedDict, total=False):
    """An item of the group, by id."""

    item: Required[str]


class ChooseEmergencySale(TypedDict, total=False):
    """"""

    does: Required[Literal["emergency_sale"]]
    """One of: emergency_sale."""
    of: Required[OfItem]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""


class Turn(TypedDict, total=False):
    """group: whose turn ends, said for the reader alone."""

    group: str


class ChooseEndTurn(TypedDict, total=False):
    """"""

    does: Required[Literal["end_turn"]]
    """One of: end_turn."""
    of: Turn
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""


class ChooseFeast(TypedDict, total=False):
    """"""

    does: Required[Literal["feast"]]
    """One of: feast."""
    of: Nothing
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""


class ChooseForgoReward(TypedDict, total=False):
    """"""

    does: Required[Literal["forgo_reward"]]
    """One of: forgo_reward."""
    of: Nothing
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""


class Hiring(TypedDict, total=False):
    """Somebody in the pool. group, rank: who hires whom, said for the reader alone."""

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


class Moving(TypedDict, total=False):
    """An item goes to a member; to the stash where it says nobody."""

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


class OrganiserEntry(TypedDict, total=False):
    """Caps and goods by the organiser's own rules."""

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


class Line(TypedDict, total=False):
    """A line of the merchant's goods."""

    line: Required[str]


class ChooseQuotePrice(TypedDict, total=False):
    """"""

    does: Required[Literal["quote_price"]]
    """One of: quote_price."""
    of: Required[Line]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""


class Sale(TypedDict, total=False):
    """An item to sell. seller: the leader where it says nobody."""

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


class OfInjury(TypedDict, total=False):
    """A member whose injury waits. injury: which it is, said for the reader alone."""

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


class Meeting(TypedDict, total=False):
    """How an encounter while scavenging went, as the table played it.

    met: which card; not asked where nothing was wounded. number: of creatures. wounds, kills: caused to them by who
    was beaten or escaped; who killed them all has killed each. searches: of a place; none said, as many as are
    allowed. lost: slaves that exploded or were shot before anybody came to their collar; down: whether one that
    exploded took the member to 0 wounds.
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


class ChooseRollAdvancement(TypedDict, total=False):
    """"""

    does: Required[Literal["roll_advancement"]]
    """One of: roll_advancement."""
    of: Required[OfMember]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""


class ChooseRollInjury(TypedDict, total=False):
    """"""

    does: Required[Literal["roll_injury"]]
    """One of: roll_injury."""
    of: Required[OfMember]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""


class Scavenging(TypedDict, total=False):
    """Who scavenges. good: which pistol. free: the roll that a reward gives."""

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


class Searching(TypedDict, total=False):
    """Who searches a building."""

    searchers: Required[list[str]]


class ChooseSearchBuilding(TypedDict, total=False):
    """"""

    does: Required[Literal["search_building"]]
    """One of: search_building."""
    of: Required[Searching]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""


class Treating(TypedDict, total=False):
    """Who is treated, how, and of which injury."""

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


class Merchants(TypedDict, total=False):
    """A merchant, and who goes with the leader."""

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


class FoodSold(TypedDict, total=False):
    """Surplus food."""

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


class Upkeep(TypedDict, total=False):
    """How a group eats; said with nothing: in the easiest way.

    guests: members fed by a mart, the vault or flesh. radiated: member -> units of radiated food. Everybody else
    eats clean food, bought where it is missing. hungry, neglected: left unfed, unmaintained. centaurs_radiated:
    units of radiated food that Centaurs eat. centaurs_hungry: Centaurs left unfed, which counts for nothing
    afterwards.
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


class Shift(TypedDict, total=False):
    """An Explorer whose die is known, and by how much it moves; 0 leaves it as it lies. FS-SCV-2."""

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


class Spending(TypedDict, total=False):
    """An item that was kept at a turf, and what becomes of it."""

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


class ChooseTakeDrug(TypedDict, total=False):
    """"""

    does: Required[Literal["take_drug"]]
    """One of: take_drug."""
    of: Required[OfItem]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""


class ChooseTakeInjury(TypedDict, total=False):
    """"""

    does: Required[Literal["take_injury"]]
    """One of: take_injury."""
    of: Required[OfInjury]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""


class ChooseTakeOffer(TypedDict, total=False):
    """"""

    does: Required[Literal["take_offer"]]
    """One of: take_offer."""
    of: Offer
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""


class OfTurf(TypedDict, total=False):
    """A turf, by id; of a rival as GROUP/TURF where several groups were rivals."""

    turf: Required[str]


class ChooseTakeTurf(TypedDict, total=False):
    """"""

    does: Required[Literal["take_turf"]]
    """One of: take_turf."""
    of: Required[OfTurf]
    rolls: list[ScoringRollTold]
    service: bool
    """True or false"""


class Bag(TypedDict, total=False):
    """A Doctor's Bag, for an injury of a member."""

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


class Radaway(TypedDict, total=False):
    """A dose of RadAway, for a member."""

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


class Visiting(TypedDict, total=False):
    """Who visits which turf. choice, good: declared before rolling."""

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
"""A choice of the open step, as `GET …/groups/{group}/post-game` lists it: its name, what it is about, its dice.

rolls: in the order in which they are asked for; with `service` the service rolls what is not told.
"""


class CloseStepBody(TypedDict, total=False):
    """absent: by the staff, for a player who is away: what must be rolled is rolled, nothing else is done."""

    absent: bool
    """True or false"""


class CloseVenueBody(TypedDict, total=False):
    """Why; it stands in the public log."""

    reason: Required[str]
    """Text of 1 to 500 characters"""


class Guest(TypedDict, total=False):
    """Somebody who signs up, under the name they choose to be public.

    email; legal_name, where the organiser has to know it: personal data, kept apart from the log.
    """

    name: Required[str]
    """A name of 1 to 100 characters on one line"""
    faction: str
    """A name of 1 to 100 characters on one line"""
    club: str
    """A name of 1 to 100 characters on one line"""
    venue: str
    email: str
    legal_name: str
    """A name of 1 to 100 characters on one line"""


class Company(TypedDict, total=False):
    """A company that sits together: all of them sign up, or none."""

    players: Required[list[Guest]]


class Conclude(TypedDict, total=False):
    """reason: why the tournament ends before its last planned round, a season before its last tournament.

    named: of a season, whom staff name of those who share a place at a line between divisions.
    """

    reason: str
    """Text of 0 to 500 characters"""
    named: list[str]


class ConfirmDice(TypedDict, total=False):
    """rolls: by id; a player may leave them out, who then confirms all that wait for that player."""

    rolls: list[str]


class Encounter(TypedDict, total=False):
    """A random encounter that was played: which card of the ruleset's deck, and how many appeared."""

    met: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    number: int
    """A whole number from 1 to 1000"""


class RollOfReport(TypedDict, total=False):
    """A roll of a report. id: empty, as the facts of a game show it, since it is given when the result binds."""

    dice: list[Die]
    rolled_by: str
    """The id of a player or a member of staff."""
    witnessed_by: str
    """Somebody else who was there."""
    id: Literal[""]
    """One of: ."""


class Dose(TypedDict, total=False):
    """A dose of a drug that was taken in the game, and the die of its addiction check."""

    item: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    roll: Required[RollOfReport]


class Deeds(TypedDict, total=False):
    """What a fielded member did and suffered; what is left out did not happen.

    down: why it was at 0 wounds; by: which rival did it, and melee: how. removed: killed without an injury roll.
    models: how many different opponents it wounded. took: rivals that it took to 0 wounds. Where several groups are
    rivals, `by` and `took` say which: `p3/m-2`. used: items used up. evil, mutated: enemies of that kind that it
    took out. high_tech: laser and plasma weapons obtained and held.
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
    """Where injuries are rolled at the table: 2D12."""


class Freed(TypedDict, total=False):
    """A slave whose collar a member took off, and the 1D12 that did it; the slave joins after the game."""

    member: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    roll: Required[ScoringRollTold]


class Search(TypedDict, total=False):
    """A search of a Dead Scavenger or an Enclave Outpost: who, and its 1D12, to which Luck is added.

    amount: 1D3, where the row that this hits asks for it. after: once after the game, by its winner, where nobody
    searched during it.
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
    """What one group tells. lines: that it controls, in its side's numbering; vp: their sum. objective, evil, evil_to
    (which of several rivals judged it so): known already, and may be said again as they were rolled.

    searches, freed: by its members, in encounters. loot: goods obtained otherwise, by a scenario of the
    organiser's. missed: laser and plasma weapons not obtained. left: mutated models still on the table.
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


class Terrain(TypedDict, total=False):
    """What stood on the table that gives experience."""

    computers: int
    """A whole number from 0 to 1000"""
    locks: int
    """A whole number from 0 to 1000"""


class GameReport(TypedDict, total=False):
    """A whole game. sides: one for each group that played. last_turn: in which it ended. end_roll: the 1D12 that ended
    it; none where concessions did.

    present: what was there that forbids some forces to concede. encounters: random encounters that were played,
    without which there is nobody to search, to free, or to fight beside the rival. terrain: where somebody counted
    it.
    """

    sides: Required[list[SideReport]]
    last_turn: Required[int]
    """A whole number from 0 to 1000"""
    end_roll: RollOfReport | None
    present: list[Literal["high_tech_in_play", "mutated_present"]]
    encounters: list[Encounter]
    terrain: Terrain | None


class Facts(TypedDict, total=False):
    """What happened, in the words of the ruleset's result form; what the form does not name is refused."""

    kind: Literal["game", "spare", "forfeit", "no_show", "double_no_show", "double_forfeit"]
    """One of game, spare, forfeit, no_show, double_no_show, double_forfeit"""
    points_1: int
    """Score of player 1 in the game's own unit."""
    points_2: int
    """A whole number from 0 to 1000000"""
    winner: int | str
    """1, 2 or draw, where points do not decide; draw also as the ruleset's own word (`words`)."""
    end: Literal["rounds", "time", "defeated_1", "defeated_2", "mutual", "simultaneous", "concession"]
    """One of rounds, time, defeated_1, defeated_2, mutual, simultaneous, concession"""
    second_player: int
    """The side without the initiative."""
    conceded_by: int
    """The side that conceded, forfeits or did not come: 1 or 2; in a campaign the place of its group in the pairing."""
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
    """What stood on the table at the end, where the ruleset makes a score of it."""
    report: GameReport
    """Campaigns: what happened in the game, side by side."""


class CorrectResultBody(TypedDict, total=False):
    """The right facts, and why the recorded ones were wrong."""

    facts: Required[Facts]
    reason: Required[str]
    """Text of 1 to 500 characters"""
    improbable: bool
    """The facts are right, however improbable; they are accepted and marked."""


class Summary(TypedDict, total=False):
    """A whole session in numbers. rounds: begun. kills, cards: kills and activation cards that advanced the token.

    others: spaces it moved forward otherwise; back: spaces that the sheet moved it back. position: where the token
    lies, 0 at the top.
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
    """The right numbers, and why the recorded ones were wrong."""

    told: Required[Summary]
    reason: Required[str]
    """Text of 1 to 500 characters"""


class DeclineInvitationBody(TypedDict, total=False):
    """named: whom staff name in a tie for the place that becomes free."""

    reason: str
    """Text of 0 to 500 characters"""
    named: list[str]


class DisableWebhookBody(TypedDict, total=False):
    """Post nothing more until it is enabled."""

    reason: str
    """Text of 0 to 500 characters"""


class DisbandPartyBody(TypedDict, total=False):
    """Why, if anybody should know; it stands in the public log."""

    reason: str
    """Text of 0 to 500 characters"""


class DismissStaffBody(TypedDict, total=False):
    """revoke_links: players' links that they asked for, or got by entering the player, end too."""

    reason: str
    """Text of 0 to 500 characters"""
    revoke_links: bool
    """True or false"""


class DisputeDice(TypedDict, total=False):
    """rolls: by id. reason: what is wrong with them."""

    rolls: Required[list[str]]
    reason: Required[str]
    """Text of 1 to 500 characters"""


class DisputeResultBody(TypedDict, total=False):
    """Why the player does not agree, and what they say happened."""

    reason: Required[str]
    """Text of 1 to 500 characters"""
    facts: Facts | None
    improbable: bool
    """The facts are right, however improbable; they are accepted and marked."""


class DisqualifyPlayerBody(TypedDict, total=False):
    """barred: later events that the player is kept from, as in "this club's events until 2027"; in the public log.

    reason, clause, note: as of a warning.
    """

    reason: Required[str]
    """Text of 1 to 500 characters"""
    clause: str
    """Text of 0 to 40 characters"""
    note: str
    """Text of 0 to 2000 characters"""
    barred: str
    """Text of 0 to 200 characters"""


class DropPlayerBody(TypedDict, total=False):
    """Why, if anybody should know; it stands in the public log."""

    reason: str
    """Text of 0 to 500 characters"""


class EarlierSeason(TypedDict, total=False):
    """season: one that is concluded, whose players come into this one."""

    season: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""


class EndSessionBody(TypedDict, total=False):
    """outcome: unfinished where time ran out, abandoned where the table left."""

    outcome: Required[Literal["unfinished", "abandoned"]]
    """One of unfinished, abandoned"""
    reason: Required[str]
    """Text of 1 to 500 characters"""


class EnterCoinBody(TypedDict, total=False):
    """The players of a tied group in the order that a coin gave after a closed round, best first."""

    order: Required[list[str]]
    reason: str
    """Text of 0 to 500 characters"""


class EnterDivision(TypedDict, total=False):
    """Players who play in this division from now on."""

    division: Required[str]
    """A name of 1 to 100 characters on one line"""
    players: Required[list[str]]
    reason: str
    """Text of 0 to 500 characters"""


class LedgerEntry(TypedDict, total=False):
    """One entry of a ruling: what comes or, below 0, goes; each has its reason and the clause behind it.

    caps and food have an amount; food is clean or radiated; item_gained names a good, item_lost an item of the
    group. experience names a member and its deeds, which say how much it is: `{"wound": 2, "kill": 1}`.
    experience_unearned has an amount, below 0, of what should never have been entered: its levels and advancements
    go with it.
    """

    entry: Required[Literal["caps", "food", "item_gained", "item_lost", "experience", "experience_unearned"]]
    """One of caps, food, item_gained, item_lost, experience, experience_unearned"""
    reason: Required[str]
    """Text of 1 to 500 characters"""
    clause: Required[str]
    """A clause of the ruleset, such as FS-REP-5"""
    amount: int
    """A whole number from -1000 to 1000"""
    food: Literal["clean", "radiated"]
    """One of clean, radiated"""
    good: str
    """By key or by name."""
    item: str
    """An id of 1 to 64 letters a-z, digits, - and _"""
    member: str
    """An id of 1 to 64 letters a-z, digits, - and _"""
    deeds: dict[str, int]


class EnterLedgerBody(TypedDict, total=False):
    """All entries, or none."""

    entries: Required[list[LedgerEntry]]


class EnterStaffBody(TypedDict, total=False):
    """player: the id of the player whom they play as. override: why, where the tier lets no judge play."""

    player: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    override: str
    """Text of 0 to 500 characters"""


class ClaimOfEntry(TypedDict, total=False):
    """An entry of a gathered tournament. player: of the season; left out: a new one, called `name` or as there."""

    tournament: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    entry: Required[str]
    """The id of the player in that tournament."""
    player: str
    """An id of 1 to 64 letters a-z, digits, - and _"""
    name: str
    """A name of 1 to 100 characters on one line"""


class EntriesToClaim(TypedDict, total=False):
    """All of them, or none and every fault."""

    claims: Required[list[ClaimOfEntry]]


class ExtendClockBody(TypedDict, total=False):
    """game: left out, the whole round."""

    minutes: Required[int]
    """A whole number from 1 to 600"""
    reason: Required[str]
    """Text of 1 to 500 characters"""
    game: str
    """An id of 1 to 64 letters a-z, digits, - and _"""


class FormParty(TypedDict, total=False):
    """players: two or more who are here already and sit together, as many as fit at a table."""

    players: Required[list[str]]


class GiveAward(TypedDict, total=False):
    """An award beside the standings."""

    name: Required[str]
    """A name of 1 to 100 characters on one line"""
    player: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    reason: str
    """Text of 0 to 500 characters"""


class GiveSeatBody(TypedDict, total=False):
    """A seat for a waiting player, whoever is first. reason: why, for those who are passed over; it stands in the log.

    more: add a seat where none is free.
    """

    reason: Required[str]
    """Text of 1 to 500 characters"""
    more: bool
    """True or false"""


class GiveUpSeat(TypedDict, total=False):
    """player: who gives the seat up."""

    player: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""


class Invitation(TypedDict, total=False):
    """invitation: the code that somebody who comes as well has told."""

    invitation: Required[str]
    """Text of 1 to 100 characters"""


class InvitedGuest(TypedDict, total=False):
    """Somebody who signs up. invitation: of a survivor of a co-operative event, to sit at every table with them."""

    name: Required[str]
    """A name of 1 to 100 characters on one line"""
    faction: str
    """A name of 1 to 100 characters on one line"""
    club: str
    """A name of 1 to 100 characters on one line"""
    venue: str
    email: str
    legal_name: str
    """A name of 1 to 100 characters on one line"""
    invitation: str
    """Text of 0 to 100 characters"""


class IssueLinkBody(TypedDict, total=False):
    """A new link. reason: stands in the public log. revoke_older: every other link of the player ends."""

    reason: str
    """Text of 0 to 500 characters"""
    revoke_older: bool
    """True or false"""


class IssueOrganiserToken(TypedDict, total=False):
    """organiser: the name that the log records, and by which it is known whose tournaments are whose."""

    organiser: Required[str]
    """A name of 1 to 100 characters on one line"""
    days: int
    """How long the token is good."""


class Contact(TypedDict, total=False):
    """Personal data: kept apart from the log, encrypted, and erased on request."""

    email: str
    phone: str
    """Text of 0 to 40 characters"""
    legal_name: str
    """A name of 1 to 100 characters on one line"""
    needs: str
    """Accessibility needs; never published."""


class Entry(TypedDict, total=False):
    """Somebody who wants to play, under the name they choose to be public.

    external_id: who they are in your files and systems, public too; of one player each.
    """

    name: Required[str]
    """A name of 1 to 100 characters on one line"""
    faction: str
    """A name of 1 to 100 characters on one line"""
    club: str
    """A name of 1 to 100 characters on one line"""
    venue: str
    external_id: str
    """A name of 1 to 100 characters on one line"""
    contact: Contact


class JoinParty(TypedDict, total=False):
    """Players who come together and want to sit together; all of them join, or none. late: as of others."""

    players: Required[list[Entry]]
    late: bool
    """True or false"""
    pass_over: bool
    """True or false"""


class JoinPlayer(TypedDict, total=False):
    """One player. late: staff take them in after round 1 was paired, where the ruleset allows it."""

    name: Required[str]
    """A name of 1 to 100 characters on one line"""
    faction: str
    """A name of 1 to 100 characters on one line"""
    club: str
    """A name of 1 to 100 characters on one line"""
    venue: str
    external_id: str
    """A name of 1 to 100 characters on one line"""
    contact: Contact
    late: bool
    """True or false"""


class JoinPlayers(TypedDict, total=False):
    """A list of players: all of them join, or none. late: staff take them in after round 1 was paired, where the
    ruleset allows it. pass_over: players who are there as the list says are passed over, not refused.
    """

    players: Required[list[Entry]]
    late: bool
    """True or false"""
    pass_over: bool
    """True or false"""


class JudgeEvilBody(TypedDict, total=False):
    """rival: whom the roll judges; left out, the first that is still to be judged."""

    group: str
    """An id of 1 to 64 letters a-z, digits, - and _"""
    rival: str
    """An id of 1 to 64 letters a-z, digits, - and _"""
    roll: ScoringRollTold | None


class KeepApart(TypedDict, total=False):
    """groups: ids of players who should not meet in round 1; all groups from now on, none to take them back."""

    groups: Required[list[list[str]]]


class LeavePartyBody(TypedDict, total=False):
    """Why, if anybody should know; it stands in the public log."""

    reason: str
    """Text of 0 to 500 characters"""


class MakeCut(TypedDict, total=False):
    """places: left out, what the ruleset says for so many players."""

    places: int | None
    """A whole number from 2 to 1024"""


class MakeFinalCut(TypedDict, total=False):
    """named: whom staff name of those who share the last place."""

    named: list[str]


class MergeIdentities(TypedDict, total=False):
    """`player` is `into`, and why that is known."""

    player: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    into: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    reason: Required[str]
    """Text of 1 to 500 characters"""


class MovePlayerBody(TypedDict, total=False):
    """venue: where the player plays from the next pairing on. reason: stands in the public log."""

    venue: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    reason: str
    """Text of 0 to 500 characters"""


class MoveTableBody(TypedDict, total=False):
    """Where the game goes on. venue: left out, the same. The reason stands in the public log: nothing private in it."""

    table: Required[int | str]
    """As people read it on the table."""
    venue: str
    """An id of 1 to 64 letters a-z, digits, - and _"""
    reason: str
    """Text of 0 to 500 characters"""


class MusterGroupBody(TypedDict, total=False):
    """The members who play; the others stay at home."""

    fielded: Required[list[str]]
    group: str
    """An id of 1 to 64 letters a-z, digits, - and _"""


class OfferSpare(TypedDict, total=False):
    """staff: the id of a spare player, organiser or referee."""

    staff: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""


class RollOfGroup(TypedDict, total=False):
    """The die of one group."""

    group: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    dice: list[Die]
    rolled_by: str
    """The id of a player or a member of staff."""
    witnessed_by: str
    """Somebody else who was there."""


class OpenRecruits(TypedDict, total=False):
    """rolls: each with its group; the service rolls for every other group."""

    rolls: list[RollOfGroup]


class TableByHand(TypedDict, total=False):
    """A table by hand. host: who confirms what it reports; left out, the first survivor.

    scenario, loyal_faction: assigned to this table; left out, those of the round.
    """

    survivors: Required[list[str]]
    host: str
    """An id of 1 to 64 letters a-z, digits, - and _"""
    scenario: str
    """An id of 1 to 64 letters a-z, digits, - and _"""
    loyal_faction: str
    """A name of 1 to 100 characters on one line"""


class OpenSessionRound(TypedDict, total=False):
    """All members may be left out: then everybody is seated, parties together and company new where it can be.

    round: the one that is meant, so that a request that comes twice seats once. scenario, loyal_faction: assigned
    to every table; left out, each table chooses.
    """

    round: int | None
    """A whole number from 1 to 1000"""
    tables: list[TableByHand] | None
    scenario: str
    """An id of 1 to 64 letters a-z, digits, - and _"""
    loyal_faction: str
    """A name of 1 to 100 characters on one line"""
    reason: str
    """Why it is seated by hand; the log keeps it."""


class OpenVenue(TypedDict, total=False):
    """A venue with its tables: how many, or one by one."""

    name: Required[str]
    """A name of 1 to 100 characters on one line"""
    tables: int | list[Table]
    """A whole number from 0 to 10000, or a list"""


class OverrideRulingBody(TypedDict, total=False):
    """What an organiser puts in the place of a ruling that stands, and why."""

    facts: Required[Facts]
    reason: Required[str]
    """Text of 1 to 500 characters"""
    improbable: bool
    """The facts are right, however improbable; they are accepted and marked."""


class OwnClaim(TypedDict, total=False):
    """season_token: of the player of the season that one is already; left out: a new one, called `name` or as there."""

    season_token: str
    name: str
    """A name of 1 to 100 characters on one line"""


class ByeGiven(TypedDict, total=False):
    """A bye that does not come from the pairing. kind: `awarded` before the start, or `requested` by the player."""

    player: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    kind: Required[Literal["awarded", "requested"]]
    """One of awarded, requested"""


class PairRound(TypedDict, total=False):
    """All members may be left out: then the next round is paired by the ruleset.

    round: the one that is meant, so that a request that comes twice pairs once. pairings: the whole round by hand;
    every active player is in one of them or in `sitting_out`. byes: given before the pairing, where the ruleset
    says what they are worth; the others are paired.
    """

    round: int | None
    """A whole number from 1 to 1000"""
    scenario: str
    """The scenario of the whole round; needed if rounds have one."""
    pairings: list[ByHand] | None
    sitting_out: list[str]
    byes: list[ByeGiven]
    allow_rematch: bool
    """True or false"""
    reason: str
    """Why it is paired by hand; the log keeps it."""


class PairingRecopy(TypedDict, total=False):
    """Which copy, and why: both are recorded."""

    source: Required[Literal["registration", "scoring"]]
    """One of registration, scoring"""
    tournament: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    reason: str
    """Text of 0 to 500 characters"""


class PairingRecover(TypedDict, total=False):
    """Whom not to ask, and how far a subscriber has read."""

    without: list[Literal["registration", "scoring"]]
    feed: int
    """A whole number from 0 to 9007199254740992"""


class PinOperatorData(TypedDict, total=False):
    """data: scenarios with their two sides, cards, how many sit at a table (docs/reference/packs.md)."""

    data: Required[dict[str, Any]]


class PinPlayerBody(TypedDict, total=False):
    """reason: private; it is kept with the player's personal data, not in the log."""

    venue: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    table: Required[int | str]
    """As people read it on the table."""
    reason: str
    """Text of 0 to 500 characters"""


class Assisted(TypedDict, total=False):
    """A survivor assisted another in a fight: the hits and damage icons of their die, the enemy and whether it died."""

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
    """A survivor gained a C.A.M.P. token. from_space: of the map, where the supply is empty and the ruleset lets."""

    move: Required[Literal["camp_gained"]]
    """One of: camp_gained."""
    survivor: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    from_space: str
    """Text of 0 to 100 characters"""


class CampPlaced(TypedDict, total=False):
    """A gained C.A.M.P. token was placed in a named space."""

    move: Required[Literal["camp_placed"]]
    """One of: camp_placed."""
    space: Required[str]
    """Text of 0 to 100 characters"""


class CardRevealed(TypedDict, total=False):
    """All survivors had their turn, and the first player reveals a card.

    card: where cards are tracked; nothing to have the service draw one. enemies and icons: where they are not.
    enemies_on_map: opposing ones, where they count at this moment.
    """

    move: Required[Literal["card_revealed"]]
    """One of: card_revealed."""
    card: str
    """An id of 1 to 64 letters a-z, digits, - and _"""
    enemies: list[str]
    icons: list[Literal["A", "B"]]
    enemies_on_map: int
    """Opposing ones."""


class ConditionMet(TypedDict, total=False):
    """A further condition of the scenario's victory holds."""

    move: Required[Literal["condition_met"]]
    """One of: condition_met."""
    condition: Required[str]
    """Text of 0 to 200 characters"""


class EnemiesActivated(TypedDict, total=False):
    """The two enemy types of the card have acted."""

    move: Required[Literal["enemies_activated"]]
    """One of: enemies_activated."""


class FirstPlayerChosen(TypedDict, total=False):
    """The first player stays, or names another: the round is over, and the next begins."""

    move: Required[Literal["first_player_chosen"]]
    """One of: first_player_chosen."""
    player: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""


class GoalCompleted(TypedDict, total=False):
    """A goal's condition holds, and it is turned face down. replaced_by: the card revealed instead, where goals are."""

    move: Required[Literal["goal_completed"]]
    """One of: goal_completed."""
    goal: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    replaced_by: str
    """An id of 1 to 64 letters a-z, digits, - and _"""


class ModificationKept(TypedDict, total=False):
    """While shopping a survivor drew so many modification cards, one a shop action, and kept one for an asset."""

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
    """A survivor has so many rads, and reveals their mutation."""

    move: Required[Literal["mutation_revealed"]]
    """One of: mutation_revealed."""
    survivor: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    card: str
    """An id of 1 to 64 letters a-z, digits, - and _"""
    rads: int
    """A whole number from 0 to 100"""


class OpposingActivated(TypedDict, total=False):
    """The opposing faction's enemies have acted; so many of them are on the map now."""

    move: Required[Literal["opposing_activated"]]
    """One of: opposing_activated."""
    enemies_on_map: int
    """Opposing ones."""


class QuestReward(TypedDict, total=False):
    """A quest's reward advances a faction, by so many spaces. reward: the "+" effect chosen, for the loyal one.

    token_for: the survivor who gains the C.A.M.P. token that the reward brings; from_space: as of `camp_gained`.
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
    """A survivor has fewer rads again."""

    move: Required[Literal["rads_recovered"]]
    """One of: rads_recovered."""
    survivor: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""


class ScenarioEffect(TypedDict, total=False):
    """Something printed on the scenario sheet moves the token: forward, or with spaces below 0 back."""

    move: Required[Literal["scenario_effect"]]
    """One of: scenario_effect."""
    spaces: Required[int]
    """A whole number from -1000 to 1000"""
    text: str
    """Text of 0 to 200 characters"""


class SurvivorKilled(TypedDict, total=False):
    """A survivor was killed; cause: by what."""

    move: Required[Literal["survivor_killed"]]
    """One of: survivor_killed."""
    survivor: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    cause: str
    """Text of 0 to 100 characters"""


class Travelled(TypedDict, total=False):
    """A survivor travelled fast to a space with a C.A.M.P. token."""

    move: Required[Literal["travelled"]]
    """One of: travelled."""
    survivor: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    space: Required[str]
    """Text of 0 to 100 characters"""


class UpgradeGained(TypedDict, total=False):
    """A survivor gained a workshop upgrade; it counts for the table."""

    move: Required[Literal["upgrade_gained"]]
    """One of: upgrade_gained."""
    survivor: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    upgrade: str
    """Text of 0 to 100 characters"""


class PlayMovesBody(TypedDict, total=False):
    """moves: what happened at one moment, in order: all of them, or none and the fault of the first that cannot be."""

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
    """When everybody sees a draft: from now on, or from the time `at`."""

    at: str | None
    """Left out: now."""


class PublishStandings(TypedDict, total=False):
    """The standings of every closed round, which everybody sees from now on; or `at` a time set."""

    at: str | None
    """Left out: now."""


class RegistrationRecopy(TypedDict, total=False):
    """Which copy, and why: both are recorded."""

    source: Required[Literal["pairing", "scoring"]]
    """One of pairing, scoring"""
    tournament: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    reason: str
    """Text of 0 to 500 characters"""


class RegistrationRecover(TypedDict, total=False):
    """Whom not to ask, and how far a subscriber has read."""

    without: list[Literal["pairing", "scoring"]]
    feed: int
    """A whole number from 0 to 9007199254740992"""


class RejectAppealBody(TypedDict, total=False):
    """Why; it stands in the public log."""

    reason: Required[str]
    """Text of 1 to 500 characters"""


class RejectRosterBody(TypedDict, total=False):
    """note: what staff found; the player reads it."""

    note: Required[str]
    """Text of 1 to 500 characters"""


class ReleaseTournamentBody(TypedDict, total=False):
    """Why; it stands in the public log."""

    reason: Required[str]
    """Text of 1 to 500 characters"""


class ReopenRoundBody(TypedDict, total=False):
    """Why; it stands in the public log."""

    reason: Required[str]
    """Text of 1 to 500 characters"""


class Repairing(TypedDict, total=False):
    """Why the round is paired again, and how: as for pairing it."""

    reason: Required[str]
    """Text of 1 to 500 characters"""
    round: int | None
    """As in the address."""
    scenario: str
    """The scenario of the whole round; needed if rounds have one."""
    pairings: list[ByHand] | None
    sitting_out: list[str]
    byes: list[ByeGiven]
    allow_rematch: bool
    """True or false"""


class ReplayWebhookBody(TypedDict, total=False):
    """Post everything once more from a place of the feed on. after: a cursor; empty: the beginning."""

    after: str
    """`feedcursor` of an event that it was sent; empty: the beginning."""


class ReportResultBody(TypedDict, total=False):
    """A result. Players' reports wait for the opponent; staff's bind at once."""

    facts: Required[Facts]
    improbable: bool
    """The facts are right, however improbable; they are accepted and marked."""


class ReportResult(TypedDict, total=False):
    """A result. Players' reports wait for the opponent; staff's bind at once."""

    game: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    facts: Required[Facts]
    improbable: bool
    """The facts are right, however improbable; they are accepted and marked."""


class ReportResults(TypedDict, total=False):
    """Results that staff enter from paper: all of them, or none and every fault."""

    results: Required[list[ReportResult]]


class ReportSessionBody(TypedDict, total=False):
    """A session as its table saw it."""

    told: Required[Summary]


class ReseatTableBody(TypedDict, total=False):
    """survivors: all who sit there from now on; none where the table is not played. host: left out, who it was, where
    they are still there.
    """

    survivors: Required[list[str]]
    reason: Required[str]
    """Text of 1 to 500 characters"""
    host: str
    """An id of 1 to 64 letters a-z, digits, - and _"""


class RevokeDisqualificationBody(TypedDict, total=False):
    """Why; it stands in the public log."""

    reason: Required[str]
    """Text of 1 to 500 characters"""


class RevokeInstallationToken(TypedDict, total=False):
    """token_id: of a token that is of no one tournament, or of a service, as it came with it (its claim `jti`)."""

    token_id: Required[str]
    reason: str
    """Text of 0 to 500 characters"""


class RevokeToken(TypedDict, total=False):
    """token_id: as it came with the token (its claim `jti`), for example `t-abc.p17.1772359200123`."""

    token_id: Required[str]
    reason: str
    """Text of 0 to 500 characters"""


class RollJamsBody(TypedDict, total=False):
    """item: the weapon that the roll is for; left out, the service rolls for each that is still due."""

    group: str
    """An id of 1 to 64 letters a-z, digits, - and _"""
    item: str
    """An id of 1 to 64 letters a-z, digits, - and _"""
    roll: ScoringRollTold | None


class RollObjectiveBody(TypedDict, total=False):
    """roll: at the table; left out, the service rolls."""

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
    """rolls: one for each starting turf, in their order; up to as many as are missing."""

    rolls: Required[list[RegistrationRollTold]]


class RotateWebhookSecretBody(TypedDict, total=False):
    """A new secret. Until the overlap is over, the one before signs too: each message carries two signatures."""

    secret: str | None
    """One of your own: whsec_ and 24 to 64 bytes in base64. null: one is made, and stands in the answer."""
    overlap_hours: int
    """A whole number from 0 to 168"""


class RuleDice(TypedDict, total=False):
    """stands: whether the rolls count as they were told."""

    rolls: Required[list[str]]
    reason: Required[str]
    """Text of 1 to 500 characters"""
    stands: Required[bool]
    """True or false"""


class RuleResultBody(TypedDict, total=False):
    """What the result is, and why."""

    facts: Required[Facts]
    reason: Required[str]
    """Text of 1 to 500 characters"""
    clause: str
    """Text of 0 to 40 characters"""
    improbable: bool
    """The facts are right, however improbable; they are accepted and marked."""


class RulesetToMoveTo(TypedDict, total=False):
    """`ruleset` names a shipped pack, or `pack` brings one as JSON; options stay as they were announced."""

    from_round: Required[int]
    """The first round played by it."""
    reason: Required[str]
    """Text of 1 to 500 characters"""
    ruleset: str
    """Id of a shipped ruleset: GET /rulesets."""
    pack: dict[str, Any]
    """A whole ruleset pack as JSON, instead of `ruleset`."""


class ScoringRecopy(TypedDict, total=False):
    """Which copy, and why: both are recorded."""

    source: Required[Literal["registration", "pairing"]]
    """One of registration, pairing"""
    tournament: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    reason: str
    """Text of 0 to 500 characters"""


class ScoringRecover(TypedDict, total=False):
    """Whom not to ask, and how far a subscriber has read."""

    without: list[Literal["registration", "pairing"]]
    feed: int
    """A whole number from 0 to 9007199254740992"""


class SetUpSessionBody(TypedDict, total=False):
    """How a table is laid out. scenario, loyal_faction: left out where the organiser assigned them.

    goals: the four that were revealed; left out, the service draws them.
    """

    first_player: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    scenario: str
    """An id of 1 to 64 letters a-z, digits, - and _"""
    loyal_faction: str
    """A name of 1 to 100 characters on one line"""
    goals: list[str] | None


class EntryOfPlayer(TypedDict, total=False):
    """An entry, by tournament and the id of the player there."""

    tournament: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    entry: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""


class SplitIdentity(TypedDict, total=False):
    """Entries that are not this player's; left out: all that came with `into`.

    into: a player who was merged with this one; left out: a new one, called `name`.
    """

    player: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    reason: Required[str]
    """Text of 1 to 500 characters"""
    entries: list[EntryOfPlayer]
    into: str
    """An id of 1 to 64 letters a-z, digits, - and _"""
    name: str
    """A name of 1 to 100 characters on one line"""


class StartRoundBody(TypedDict, total=False):
    """minutes: left out, the ruleset's. overtime: minutes after the end until every game ends; left out, the same."""

    minutes: int | None
    """A whole number from 1 to 1440"""
    overtime: int | None
    """A whole number from 0 to 120"""


class EnlistedMember(TypedDict, total=False):
    """A character of a group. goods: what it carries and wears."""

    rank: Required[str]
    """green, experienced or veteran."""
    name: str
    """A name of 1 to 100 characters on one line"""
    goods: list[str]
    """A good by its key, as the ruleset's `rules.goods` has it, or by one of its names, in any case."""


class SubmitGroupBody(TypedDict, total=False):
    """A whole group. force: by key, as the ruleset's `rules.forces` has it, or by name. stash: what nobody carries."""

    force: Required[str]
    members: Required[list[EnlistedMember]]
    stash: list[str]
    """A good by its key, as the ruleset's `rules.goods` has it, or by one of its names, in any case."""


class SubmitRosterBody(TypedDict, total=False):
    """roster: as the ruleset words it (docs/reference/packs.md). override: why staff change it after play began.

    sealed: on record, the digests of the fields that are not open yet; `roster` has the others then.
    """

    roster: Required[dict[str, Any]]
    override: str
    """Text of 0 to 500 characters"""


class SubscribeWebhook(TypedDict, total=False):
    """Post what happens to an address. form: the events themselves, the games that they are about as the feed has them
    with `view=results`, or a line for people in the form of a chat.

    audience: it sees what `everybody` may see, or what `staff` see earlier, as far as the caller does.
    """

    name: Required[str]
    """A name of 1 to 100 characters on one line"""
    url: Required[str]
    """Where messages are posted: https:// and a host with public addresses. It is kept sealed and not shown again."""
    secret: str | None
    """One of your own: whsec_ and 24 to 64 bytes in base64. null: one is made, and stands in the answer."""
    form: Literal["events", "results", "discord", "slack"]
    """One of events, results, discord, slack"""
    audience: Literal["everybody", "staff"]
    """One of everybody, staff"""
    filter: Filter


class TournamentToClaim(TypedDict, total=False):
    """The unclaimed entries of this tournament: of players with the same external id or name, or of new players."""

    tournament: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""


class TournamentToGather(TypedDict, total=False):
    """A tournament that the season is to count.

    played_on: by which day it has its place among the others; left out: the day it starts on. tier: one that the
    season weighs; left out: the tournament's own, where that is one. weight: in per cent.
    """

    tournament: Required[str]
    """An id of 1 to 64 letters a-z, digits, - and _"""
    played_on: str | None
    """A day as YYYY-MM-DD, from 1900 to 2999, for example 2026-03-31"""
    division: str
    """A name of 1 to 100 characters on one line"""
    tier: str
    """A name of 1 to 100 characters on one line"""
    weight: int | None
    """A whole number from 1 to 10000"""


class VoidResultBody(TypedDict, total=False):
    """Why; it stands in the public log."""

    reason: Required[str]
    """Text of 1 to 500 characters"""


class WarnPlayerBody(TypedDict, total=False):
    """reason: what happened; clause: of the ruleset, where one says so. Both stand in the public log, for ever.

    note: what is not for everybody; kept with the player's personal data, for organiser and head referee.
    """

    reason: Required[str]
    """Text of 1 to 500 characters"""
    clause: str
    """Text of 0 to 40 characters"""
    note: str
    """Text of 0 to 2000 characters"""


class WithdrawAwardBody(TypedDict, total=False):
    """Why; it stands in the public log."""

    reason: Required[str]
    """Text of 1 to 500 characters"""


class WithdrawPlayerBody(TypedDict, total=False):
    """Why, if anybody should know; it stands in the public log."""

    reason: str
    """Text of 0 to 500 characters"""


class WithdrawRoundBody(TypedDict, total=False):
    """Why; it stands in the public log."""

    reason: Required[str]
    """Text of 1 to 500 characters"""
