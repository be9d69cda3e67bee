"""Events of scoring in a co-op event: what happens at a table, how a session ends, and the ranking."""

from __future__ import annotations

from shared.log.event import Event, Part


class SessionEvent(Event, frozen=True, kw_only=True):
    """Base class of events about one session.

    - `session`: id of the session.
    """

    session: str


class SessionSetUpStarted(SessionEvent, frozen=True, kw_only=True):
    """The set-up of a table began.

    - `scenario`: id of the scenario.
    - `survivors`: ids of the survivors.
    - `host`: id of the host, a survivor or a member of staff.
    - `data_version`: version of the operator's data that the table uses.
    """

    scenario: str
    survivors: list[str]
    host: str
    data_version: int


class LoyalFactionChosen(SessionEvent, frozen=True, kw_only=True):
    """The table chose a side of the scenario sheet: its loyal faction, and what that side requires.

    - `loyal`: the faction that the survivors are loyal to.
    - `opposing`: the opposing faction.
    - `loyal_icon`: icon of the loyal faction.
    - `opposing_icon`: icon of the opposing faction.
    - `required_goals`: number of goals needed for victory.
    - `conditions`: further victory conditions.
    """

    loyal: str
    opposing: str
    loyal_icon: str
    opposing_icon: str
    required_goals: int
    conditions: list[str] = []


class PowerTokenPlaced(SessionEvent, frozen=True, kw_only=True):
    """The opposing faction's token was placed on space 0, the top of its track.

    - `faction`: the opposing faction.
    - `spaces`: number of spaces of the track.
    """

    faction: str
    spaces: int


class GoalsRevealed(SessionEvent, frozen=True, kw_only=True):
    """Goal cards were revealed.

    - `goals`: ids of the goal cards.
    """

    goals: list[str]


class CampTokenPlaced(SessionEvent, frozen=True, kw_only=True):
    """A C.A.M.P. token was placed on the map.

    - `space`: name of the space.
    - `from_supply`: true if it came from the supply, during set-up; otherwise a survivor had gained it.
    """

    space: str
    from_supply: bool = False


class MutationsDealt(SessionEvent, frozen=True, kw_only=True):
    """Each survivor was dealt one mutation card, face down.

    - `cards`: number of cards dealt.
    """

    cards: int


class FirstPlayerChosen(SessionEvent, frozen=True, kw_only=True):
    """A survivor became first player and holds deck and discard pile.

    - `player`: id of the survivor.
    """

    player: str


class MoveTakenBack(SessionEvent, frozen=True, kw_only=True):
    """Moves of one report, or the end of the session, were taken back, and their effects were undone.

    Later reports of the table follow as MoveDecidedAgain. Those in `fallen` no longer held and are undone too.

    - `statement`: position of the first event of the report.
    - `does`: the moves, or the type of the command.
    - `reason`: why they were taken back; empty if a survivor of the table took them back at once.
    - `fallen`: positions of the later reports that no longer held.
    """

    statement: int
    does: list[str]
    reason: str = ""
    fallen: list[int] = []


class MoveDecidedAgain(SessionEvent, frozen=True, kw_only=True):
    """A later report of the table was decided again after one before it was taken back.

    - `statement`: position of the first event of the report.
    - `stands`: true if its events stand as recorded; otherwise the events that follow replace them.
    """

    statement: int
    stands: bool = True


class SessionStarted(SessionEvent, frozen=True, kw_only=True):
    """The set-up was completed, and play began."""


class RoundBegan(SessionEvent, frozen=True, kw_only=True):
    """A round of the session began.

    - `round`: number of the round, from 1.
    """

    round: int


class GoalCompleted(SessionEvent, frozen=True, kw_only=True):
    """A revealed goal was completed and turned face down.

    - `goal`: id of the goal card.
    - `extra`: true if the required goals were complete before.
    """

    goal: str
    extra: bool = False


class SurvivorKilled(SessionEvent, frozen=True, kw_only=True):
    """A survivor was killed and plays on.

    - `survivor`: id of the survivor.
    - `cause`: what killed the survivor; empty if not reported.
    """

    survivor: str
    cause: str = ""


class PowerTokenAdvanced(SessionEvent, frozen=True, kw_only=True):
    """The opposing faction's token moved towards the last space.

    - `round`: number of the round.
    - `from_space`: space that it left.
    - `to_space`: space that it reached.
    - `reason`: `activation_card`, `survivor_killed`, `quest_reward` or `scenario_effect`.
    - `cause`: the card, survivor or quest.
    """

    round: int
    from_space: int
    to_space: int
    reason: str
    cause: str = ""


class PowerTokenRetreated(SessionEvent, frozen=True, kw_only=True):
    """The opposing faction's token moved back.

    - `round`: number of the round.
    - `from_space`: space that it left.
    - `to_space`: space that it reached; equal to `from_space` if it was on the top space.
    - `reason`: `extra_goal` or `scenario_effect`.
    - `cause`: the goal, or the text of the sheet.
    """

    round: int
    from_space: int
    to_space: int
    reason: str
    cause: str = ""


class LoyalRewardResolved(SessionEvent, frozen=True, kw_only=True):
    """A reward for the loyal faction, which is not on the track, had its "+" effect instead of an advance.

    - `reward`: the effect chosen.
    - `quest`: the quest that gave it.
    """

    reward: str
    quest: str = ""


class OpposingRewardIgnored(SessionEvent, frozen=True, kw_only=True):
    """A reward for the opposing faction had no effect, by the ruleset.

    - `quest`: the quest that gave it.
    """

    quest: str = ""


class WorkshopUpgradeGained(SessionEvent, frozen=True, kw_only=True):
    """The table gained a workshop upgrade.

    - `survivor`: id of the survivor who gained it.
    - `upgrade`: name of the upgrade; empty if not reported.
    """

    survivor: str
    upgrade: str = ""


class CampTokenGained(SessionEvent, frozen=True, kw_only=True):
    """A survivor gained a C.A.M.P. token.

    - `survivor`: id of the survivor.
    - `from_space`: space of the map that it was taken from; empty if it came from the supply.
    """

    survivor: str
    from_space: str = ""


class MutationRevealed(SessionEvent, frozen=True, kw_only=True):
    """A survivor with enough rads revealed a mutation.

    - `survivor`: id of the survivor.
    - `card`: id of the mutation card; empty if not reported.
    """

    survivor: str
    card: str = ""


class MutationTurnedDown(SessionEvent, frozen=True, kw_only=True):
    """A survivor recovered from rads, and the mutation stopped, by the ruleset.

    - `survivor`: id of the survivor.
    """

    survivor: str


class SurvivorTravelled(SessionEvent, frozen=True, kw_only=True):
    """A survivor used fast travel to a space with a C.A.M.P. token.

    - `survivor`: id of the survivor.
    - `space`: name of the space.
    """

    survivor: str
    space: str


class FightAssisted(SessionEvent, frozen=True, kw_only=True):
    """A survivor assisted another in a fight.

    - `survivor`: id of the survivor who assisted.
    - `fighter`: id of the survivor who fought.
    - `hits`: hits rolled by the assistant.
    - `experience`: experience gained by the assistant.
    - `damage`: damage taken by the assistant.
    """

    survivor: str
    fighter: str
    hits: int = 0
    experience: int = 0
    damage: int = 0


class ModificationKept(SessionEvent, frozen=True, kw_only=True):
    """A survivor drew modification cards and kept one.

    - `survivor`: id of the survivor.
    - `card`: id of the card kept.
    - `asset`: name of the asset that it was put on.
    - `drawn`: number of cards drawn.
    - `replaced`: id of the card that it replaced; empty if there was none.
    """

    survivor: str
    card: str
    asset: str
    drawn: int
    replaced: str = ""


class VictoryConditionMet(SessionEvent, frozen=True, kw_only=True):
    """A further victory condition of the scenario was met.

    - `condition`: text of the condition.
    """

    condition: str


class ActivationCardRevealed(SessionEvent, frozen=True, kw_only=True):
    """The activation card of a round end was revealed.

    - `round`: number of the round.
    - `card`: id of the card; empty if cards are not tracked.
    - `enemies`: ids of the enemy types, in the order in which they act.
    - `icons`: faction icons on the card.
    - `enemies_on_map`: number of opposing enemies on the map; absent if not reported.
    """

    round: int
    card: str = ""
    enemies: list[str] = []
    icons: list[str] = []
    enemies_on_map: int | None = None


class ActivationDeckReshuffled(SessionEvent, frozen=True, kw_only=True):
    """The activation deck was empty, and the discard pile became the new deck.

    - `cards`: ids of its cards.
    """

    cards: list[str]


class ActivationSkipped(SessionEvent, frozen=True, kw_only=True):
    """The activation deck was empty, and the round ended without a card, by the ruleset.

    - `round`: number of the round.
    """

    round: int


class EnemiesActivated(SessionEvent, frozen=True, kw_only=True):
    """The enemy types of the card acted.

    - `round`: number of the round.
    """

    round: int


class OpposingFactionActivated(SessionEvent, frozen=True, kw_only=True):
    """The card showed the opposing icon, and the enemies of that faction acted.

    - `round`: number of the round.
    - `enemies_on_map`: number of opposing enemies on the map.
    """

    round: int
    enemies_on_map: int


class ActivationEffectResolved(SessionEvent, frozen=True, kw_only=True):
    """The scenario's "Activation" effect was resolved.

    - `round`: number of the round.
    - `enemies`: number of opposing enemies that it was resolved for.
    - `text`: text of the effect.
    """

    round: int
    enemies: int
    text: str


class RoundEnded(SessionEvent, frozen=True, kw_only=True):
    """A round ended.

    - `round`: number of the round.
    """

    round: int


class SessionWon(SessionEvent, frozen=True, kw_only=True):
    """The victory condition was met, and all survivors won.

    - `round`: number of the round.
    - `cause`: what met the condition.
    """

    round: int
    cause: str


class SessionLost(SessionEvent, frozen=True, kw_only=True):
    """All survivors lost.

    - `round`: number of the round.
    - `cause`: the reason of the token's move to the last space, or `deck_exhausted`.
    """

    round: int
    cause: str


class SessionLeftUnfinished(SessionEvent, frozen=True, kw_only=True):
    """The organiser ended a session when time ran out.

    - `reason`: why it was ended.
    """

    reason: str


class SessionAbandoned(SessionEvent, frozen=True, kw_only=True):
    """The table left the session.

    - `reason`: why it left.
    """

    reason: str


class SessionTold(Part, frozen=True, kw_only=True):
    """The totals of a session.

    - `outcome`: `victory`, `defeat`, `unfinished` or `abandoned`.
    - `rounds`: rounds begun.
    - `completed`: ids of the goals completed.
    - `kills`: survivors killed that advanced the token.
    - `cards`: activation cards that advanced the token.
    - `others`: spaces that the token moved forward for other reasons.
    - `position`: space of the token; 0 is the top.
    - `back`: spaces that the scenario sheet moved the token back.
    """

    outcome: str
    rounds: int
    completed: list[str] = []
    kills: int = 0
    cards: int = 0
    others: int = 0
    position: int = 0
    back: int = 0


class SessionReported(SessionEvent, frozen=True, kw_only=True):
    """A table that does not report step by step reported its whole session.

    - `told`: the totals of the session.
    - `survivor`: id of the survivor who reported; empty for staff.
    """

    told: SessionTold
    survivor: str = ""


class SessionConfirmed(SessionEvent, frozen=True, kw_only=True):
    """A survivor, the host or staff confirmed the result of a session.

    - `survivor`: id of the survivor; empty if the host is staff, and for a ruling.
    - `host`: true if the table's host confirmed.
    - `ruling`: true if the organiser ruled.
    - `binds`: true if the result counts from now on.
    """

    survivor: str = ""
    host: bool = False
    ruling: bool = False
    binds: bool = False


class SessionCorrected(SessionEvent, frozen=True, kw_only=True):
    """Staff replaced the result of a session. Published rankings are updated in the same transaction.

    - `told`: the totals of the session.
    - `reason`: why it was corrected.
    """

    told: SessionTold
    reason: str


class TableRanked(Part, frozen=True, kw_only=True):
    """A table in the ranking.

    - `rank`: from 1; equal tables share it.
    - `session`: id of the session.
    - `outcome`: outcome of the session.
    - `rounds`: rounds that count.
    - `share`: share of the power track covered by the token, exact, as "p/q".
    - `goals`: goals completed.
    - `scenario`: scenario of its ranking, if scenario sides are ranked apart; empty otherwise.
    - `loyal`: loyal faction of its ranking, if scenario sides are ranked apart; empty otherwise.
    """

    rank: int
    session: str
    outcome: str
    rounds: int
    share: str
    goals: int
    scenario: str = ""
    loyal: str = ""


class SurvivorRanked(Part, frozen=True, kw_only=True):
    """A survivor in the ranking over all sessions so far.

    - `rank`: from 1; equal survivors share it.
    - `player`: id of the survivor.
    - `points`: session points.
    - `victories`: number of victories.
    - `rounds`: rounds that count in the victories.
    - `goals`: goals completed at the survivor's tables.
    """

    rank: int
    player: str
    points: int
    victories: int
    rounds: int
    goals: int


class CoopRankingPublished(Event, frozen=True, kw_only=True):
    """The ranking after a round of sessions was published. One event is one page; pages are appended together.

    - `round`: number of the round.
    - `page`: number of the page, from 1.
    - `pages`: number of pages.
    - `tables`: tables of the round in order; they come before survivors.
    - `survivors`: survivors in order, by all their sessions so far.
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
    MoveTakenBack,
    MoveDecidedAgain,
    CoopRankingPublished,
)
