"""Events of scoring in a co-operative event: what happens at a table, how it ends, and the ranking of tables."""

from __future__ import annotations

from shared.log.event import Event, Part


class SessionEvent(Event, frozen=True, kw_only=True):
    """Something that happened in one session."""

    session: str


class SessionSetUpStarted(SessionEvent, frozen=True, kw_only=True):
    """A table is laid out. data_version: of the operator's data that it is played by."""

    scenario: str
    survivors: list[str]
    host: str
    data_version: int


class LoyalFactionChosen(SessionEvent, frozen=True, kw_only=True):
    """The side of the scenario sheet: whom the survivors are loyal to, and what that side asks for."""

    loyal: str
    opposing: str
    loyal_icon: str
    opposing_icon: str
    required_goals: int
    conditions: list[str] = []


class PowerTokenPlaced(SessionEvent, frozen=True, kw_only=True):
    """The opposing faction's token lies on the topmost space, 0, of a track of so many spaces."""

    faction: str
    spaces: int


class GoalsRevealed(SessionEvent, frozen=True, kw_only=True):
    """Goal cards lie open."""

    goals: list[str]


class CampTokenPlaced(SessionEvent, frozen=True, kw_only=True):
    """A C.A.M.P. token lies in a space of the map: from the supply at set-up, later one that was gained."""

    space: str
    from_supply: bool = False


class MutationsDealt(SessionEvent, frozen=True, kw_only=True):
    """Each survivor has one mutation card, face down and unknown to everybody."""

    cards: int


class FirstPlayerChosen(SessionEvent, frozen=True, kw_only=True):
    """Who is first player now; deck and discard pile lie with them."""

    player: str


class SessionStarted(SessionEvent, frozen=True, kw_only=True):
    """The set-up is complete, and play begins."""


class RoundBegan(SessionEvent, frozen=True, kw_only=True):
    """A round of the session, from 1."""

    round: int


class GoalCompleted(SessionEvent, frozen=True, kw_only=True):
    """A revealed goal is turned face down for good. extra: the goals asked for were complete before."""

    goal: str
    extra: bool = False


class SurvivorKilled(SessionEvent, frozen=True, kw_only=True):
    """A survivor was killed, and plays on. cause: by what, if said."""

    survivor: str
    cause: str = ""


class PowerTokenAdvanced(SessionEvent, frozen=True, kw_only=True):
    """The opposing faction's token moves towards the last space.

    reason: activation_card, survivor_killed, quest_reward or scenario_effect. cause: the card, survivor or quest.
    """

    round: int
    from_space: int
    to_space: int
    reason: str
    cause: str = ""


class PowerTokenRetreated(SessionEvent, frozen=True, kw_only=True):
    """The token moves back; from and to are equal where it lay on the topmost space.

    reason: extra_goal or scenario_effect. cause: the goal, or what the sheet says.
    """

    round: int
    from_space: int
    to_space: int
    reason: str
    cause: str = ""


class LoyalRewardResolved(SessionEvent, frozen=True, kw_only=True):
    """A reward would advance the loyal faction, which is not on the track: its "+" effect is resolved instead."""

    reward: str
    quest: str = ""


class OpposingRewardIgnored(SessionEvent, frozen=True, kw_only=True):
    """A reward would advance the opposing faction, and the ruleset lets it do nothing."""

    quest: str = ""


class WorkshopUpgradeGained(SessionEvent, frozen=True, kw_only=True):
    """The table has one more workshop upgrade."""

    survivor: str
    upgrade: str = ""


class CampTokenGained(SessionEvent, frozen=True, kw_only=True):
    """A survivor has one more C.A.M.P. token: of the supply, or taken from a space of the map."""

    survivor: str
    from_space: str = ""


class MutationRevealed(SessionEvent, frozen=True, kw_only=True):
    """A survivor with five rads turns their mutation face up."""

    survivor: str
    card: str = ""


class MutationTurnedDown(SessionEvent, frozen=True, kw_only=True):
    """A survivor recovered from rads, and by the ruleset their mutation acts no longer."""

    survivor: str


class SurvivorTravelled(SessionEvent, frozen=True, kw_only=True):
    """Fast travel to a space with a C.A.M.P. token."""

    survivor: str
    space: str


class FightAssisted(SessionEvent, frozen=True, kw_only=True):
    """Somebody assisted in a fight: hits of their die, what they gained and what it cost them."""

    survivor: str
    fighter: str
    hits: int = 0
    experience: int = 0
    damage: int = 0


class ModificationKept(SessionEvent, frozen=True, kw_only=True):
    """Of so many modification cards drawn one was kept and put on an asset; replaced: the one that lay there."""

    survivor: str
    card: str
    asset: str
    drawn: int
    replaced: str = ""


class VictoryConditionMet(SessionEvent, frozen=True, kw_only=True):
    """A further condition of the scenario's victory holds."""

    condition: str


class ActivationCardRevealed(SessionEvent, frozen=True, kw_only=True):
    """The card of a round end. enemies_on_map: opposing ones then, if told."""

    round: int
    card: str = ""
    enemies: list[str] = []
    icons: list[str] = []
    enemies_on_map: int | None = None


class ActivationDeckReshuffled(SessionEvent, frozen=True, kw_only=True):
    """No card was left: the discard pile is the deck again. cards: those in it."""

    cards: list[str]


class ActivationSkipped(SessionEvent, frozen=True, kw_only=True):
    """No card is left, and by the ruleset the round ends without one."""

    round: int


class EnemiesActivated(SessionEvent, frozen=True, kw_only=True):
    """The two enemy types of the card have acted, top to bottom."""

    round: int


class OpposingFactionActivated(SessionEvent, frozen=True, kw_only=True):
    """The card shows the opposing icon: that faction's enemies have acted. enemies_on_map: how many there are."""

    round: int
    enemies_on_map: int


class ActivationEffectResolved(SessionEvent, frozen=True, kw_only=True):
    """The scenario's "Activation" effect for so many enemies."""

    round: int
    enemies: int
    text: str


class RoundEnded(SessionEvent, frozen=True, kw_only=True):
    """Every part of the round end is done."""

    round: int


class SessionWon(SessionEvent, frozen=True, kw_only=True):
    """The victory condition holds: all survivors win. cause: what made it hold."""

    round: int
    cause: str


class SessionLost(SessionEvent, frozen=True, kw_only=True):
    """All survivors lose. cause: the reason of the move to the last space, or deck_exhausted."""

    round: int
    cause: str


class SessionLeftUnfinished(SessionEvent, frozen=True, kw_only=True):
    """Time ran out; the organiser ended the session as it stood."""

    reason: str


class SessionAbandoned(SessionEvent, frozen=True, kw_only=True):
    """The table left."""

    reason: str


class SessionTold(Part, frozen=True, kw_only=True):
    """A whole session in numbers: see SessionReported."""

    outcome: str
    rounds: int
    completed: list[str] = []
    kills: int = 0
    cards: int = 0
    others: int = 0
    position: int = 0
    back: int = 0


class SessionReported(SessionEvent, frozen=True, kw_only=True):
    """A table that does not report step by step says how its session went, all at once.

    told: outcome (victory, defeat, unfinished, abandoned), rounds begun, goals completed, kills, activation cards that
    advanced the token, other spaces forward, where the token
    lies, spaces back by the sheet (`back`). survivor: who reports; empty for staff.
    """

    told: SessionTold
    survivor: str = ""


class SessionConfirmed(SessionEvent, frozen=True, kw_only=True):
    """Somebody of the table agrees with how it ended, its host among them, or the organiser rules.

    binds: with this word the result counts. survivor: empty for a host of the staff, and for a ruling.
    """

    survivor: str = ""
    host: bool = False
    ruling: bool = False
    binds: bool = False


class SessionCorrected(SessionEvent, frozen=True, kw_only=True):
    """The result of a session was wrong and is replaced; published rankings follow in the same transaction."""

    told: SessionTold
    reason: str


class TableRanked(Part, frozen=True, kw_only=True):
    """A table in the ranking. share: of the power track, exact, as "p/q". scenario, loyal: of its ranking, if apart."""

    rank: int
    session: str
    outcome: str
    rounds: int
    share: str
    goals: int
    scenario: str = ""
    loyal: str = ""


class SurvivorRanked(Part, frozen=True, kw_only=True):
    """A survivor after all sessions so far. rounds: of the victories."""

    rank: int
    player: str
    points: int
    victories: int
    rounds: int
    goals: int


class CoopRankingPublished(Event, frozen=True, kw_only=True):
    """A page of the tables of a round of sessions in order, and of the survivors by all their sessions up to it.

    Tables first, then survivors; pages are appended together.
    """

    round: int
    page: int = 1
    pages: int = 1
    tables: list[TableRanked]
    survivors: list[SurvivorRanked]


SCORING_EVENTS = (
    SessionSetUpStarted,
    LoyalFactionChosen,
    PowerTokenPlaced,
    GoalsRevealed,
    CampTokenPlaced,
    MutationsDealt,
    FirstPlayerChosen,
    SessionStarted,
    RoundBegan,
    GoalCompleted,
    SurvivorKilled,
    PowerTokenAdvanced,
    PowerTokenRetreated,
    LoyalRewardResolved,
    OpposingRewardIgnored,
    WorkshopUpgradeGained,
    CampTokenGained,
    MutationRevealed,
    MutationTurnedDown,
    SurvivorTravelled,
    FightAssisted,
    ModificationKept,
    VictoryConditionMet,
    ActivationCardRevealed,
    ActivationDeckReshuffled,
    ActivationSkipped,
    EnemiesActivated,
    OpposingFactionActivated,
    ActivationEffectResolved,
    RoundEnded,
    SessionWon,
    SessionLost,
    SessionLeftUnfinished,
    SessionAbandoned,
    SessionReported,
    SessionConfirmed,
    SessionCorrected,
    CoopRankingPublished,
)
