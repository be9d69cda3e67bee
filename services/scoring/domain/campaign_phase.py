"""Decisions of the post-game phase: choices of a group, the end of its steps, and recruits for all. FS-PGP-1 to 7."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from services.scoring.domain import phase_commands as ask
from services.scoring.domain.campaign import Telling
from services.scoring.domain.refusals import GroupUnknown, NotYourGroup, StaffOnly
from shared.events.base import Event
from shared.handling.context import By, Context
from shared.refusals import Fault
from shared.rules.campaign import recruits
from shared.rules.campaign.absent import close_for_absent
from shared.rules.campaign.choices import decide
from shared.rules.campaign.choosing import Asking, Rival, bounties, dead_of
from shared.rules.campaign.post_game import close_step
from shared.rules.campaign.recruits import RecruitPool
from shared.rules.campaign.refusals import ChoiceRefused, DiceRefused, StepRefused
from shared.rules.campaign.rolling import Cup, Ones
from shared.rules.campaign.roster import Group
from shared.rules.campaign.steps import in_step, order_of
from shared.rules.campaign.tables import Rules
from shared.rules.campaign.words import Outcome
from shared.state.league import staff_here, waiting
from shared.state.tournament import Tournament

ORGANISERS = ("operator", "organiser")


def choose(state: Tournament, command: ask.Choose, context: Context) -> Sequence[Event]:
    """What a group chooses in its open step; in step 4 by its turn. Raises what the choice refuses, NotYourGroup."""
    telling = Telling(state, context, command.does)
    need_own(context.by, command.group)
    telling.group(command.group)
    if command.does in OF_POOL:
        OF_POOL[command.does](telling, command)
        return telling.ended()
    if command.does == "move_item":
        _need_settled(state, telling.round, command.group)
    present = telling.present_at(command.group)
    cup = telling.cup(present, command.rolls, roller=command.group, drawn=command.service)
    asking = asking_of(telling, command.group, cup)
    organiser = context.by.role in ORGANISERS
    try:
        outcomes = decide(asking, command.does, command.of, organiser=organiser)
    except DiceRefused:
        # Dice are asked for before anything else is looked at; whatever is wrong beside them is said first.
        _try(telling, command, organiser)
        raise
    telling.say(command.group, outcomes)
    for other, beside in asking.beside.items():
        telling.say(other, beside)
    return telling.ended()


def close(state: Tournament, command: ask.CloseStep, context: Context) -> Sequence[Event]:
    """The end of a group's step, by itself or by the staff for a player who is away. Raises StepRefused, ChoiceRefused.

    Source: FS-PGP-1, FS-PGP-5.
    """
    telling = Telling(state, context, "close_step")
    need_own(context.by, command.group)
    group = telling.group(command.group)
    if command.absent and not context.by.staff:
        raise StaffOnly("Staff close a step for a player who is away.")
    phase = group.phase
    if phase is None or phase.step != command.step:
        said = f"step {phase.step}" if phase else "no post-game phase"
        raise StepRefused(f"{said} is open", [Fault("/step", command.step, said, "FS-PGP-1")])
    if command.absent and phase.step == "4":
        _end_turn(telling, ask.Choose(group=command.group, does="end_turn", of={}))
    elif command.absent:
        telling.cause = "close_for_absent"
        cup = telling.cup(())
        asking = asking_of(telling, command.group, cup)
        deaths = dead_of(asking, telling.rules.options.kill) if phase.step == "2" else ()
        outcomes = close_for_absent(telling.rules, group, cup, deaths)
        telling.say(command.group, outcomes)
        if asking.rival is not None:
            rival = asking.rival.group
            telling.say(rival.id, bounties(telling.rules, rival, outcomes))
    else:
        telling.say(command.group, close_step(telling.rules, group, phase.step, context.seed))
    return telling.ended()


def open_recruits(state: Tournament, command: ask.OpenRecruits, context: Context) -> Sequence[Event]:
    """The pool of recruits, once every group has closed step 3; a die for each, told or rolled by the service.

    Raises StepRefused with the groups that are waited for. Source: FS-REC-1, FS-PGP-2.
    """
    telling = Telling(state, context, "open_recruits")
    if state.campaign.pool is not None:
        raise StepRefused("recruits are open", [Fault("/step", "open", "once in a round", "FS-REC-1")])
    if unplayed := faults_of_unplayed(telling.groups, waiting(state, telling.round)):
        raise StepRefused("not every group has closed step 3", unplayed)
    told = _told_by_group(telling, command.rolls)
    groups = {id: telling.groups[id] for id in telling.playing if telling.groups[id].phase is not None}
    _need_recruits_due(groups)
    cup = telling.cup({*telling.playing, *staff_here(state)})
    throws = {
        id: cup.made(told[id][1], "1D12", where=f"/rolls/{told[id][0]}", roller=id)
        if id in told
        else cup.drawn_by_service("1D12")
        for id in sorted(groups)
    }
    outcomes, _ = recruits.open_recruits(telling.rules, groups, throws, context.seed, telling.round)
    telling.say("", outcomes)
    return telling.ended()


def _told_by_group(telling: Telling, rolls: Sequence[ask.RollOfGroup]) -> dict[str, tuple[int, ask.RollOfGroup]]:
    """Group -> its die, with its place among those told. Raises GroupUnknown for one that rolls no die, or two."""
    faults, told = [], {}
    for place, roll in enumerate(rolls):
        if roll.group not in telling.playing or roll.group in told:
            known = ", ".join(telling.playing)
            faults.append(Fault(f"/rolls/{place}/group", roll.group, f"one of {known}, each once", "FS-REC-1"))
        told[roll.group] = (place, roll)
    if faults:
        raise GroupUnknown("A die was told for a group that rolls none.", faults)
    return told


def faults_of_unplayed(groups: Mapping[str, Group], left: Sequence[str]) -> list[Fault]:
    """The groups whose game has no result that binds, of those that the round waits for. FS-PGP-2."""
    return [
        Fault(f"/groups/{id}", "no game reported", "step 3 closed", "FS-PGP-2")
        for id in left
        if groups[id].phase is None
    ]


def _need_recruits_due(groups: Mapping[str, Group]) -> None:
    """Raises StepRefused unless step 4 is the open one of all of them. FS-PGP-2."""
    late = recruits.barrier(groups)
    if late or not groups:
        nobody = [Fault("/groups", "no group is in its post-game phase", "step 4 of every group", "FS-PGP-2")]
        raise StepRefused("not every group has closed step 3", late or nobody)


def need_own(by: By, group: str) -> None:
    """Raises NotYourGroup for a player of another group."""
    if not by.staff and by.player != group:
        raise NotYourGroup(f"{group} is another player's group.")


def asking_of(telling: Telling, group: str, cup: Cup) -> Asking:
    """What a choice of a group is decided on."""
    pot = telling.state.rounds.rounds[telling.round].seed
    return Asking(
        telling.rules,
        telling.groups[group],
        cup,
        telling.context.seed,
        pot,
        rival_of(telling.state, telling.rules, telling.groups, group),
    )


def rival_of(state: Tournament, rules: Rules, groups: Mapping[str, Group], group: str) -> Rival | None:
    """The other group of the game of a group in its post-game phase; nobody after a bye."""
    phase = groups[group].phase
    if phase is None or not phase.played.rival:
        return None
    rival = groups[phase.played.rival]
    order = order_of(rules)
    settled = rival.phase is None or order.index(rival.phase.step) > order.index("1")
    return Rival(rival, tuple(state.campaign.died.get(rival.id, ())), settled)


def _need_settled(state: Tournament, round: int, group: str) -> None:
    """Raises StepRefused while a report waits that says what members carried: what they hold stays until it binds."""
    for seat in state.rounds.rounds[round].seats.values():
        result = state.results.results.get(seat.game)
        if group in seat.players and result is not None and not result.binds:
            fault = Fault("/step", f"{seat.game} is {result.status}", "a result that binds, or none", "FS-PGP-7")
            raise StepRefused("items move between games, not while a report waits", [fault])


def _try(telling: Telling, command: ask.Choose, organiser: bool) -> None:
    """Raises what is wrong with a choice beside its dice."""
    with suppress(DiceRefused):
        decide(asking_of(telling, command.group, Ones()), command.does, command.of, organiser=organiser)


def _pool(telling: Telling) -> RecruitPool:
    pool = telling.state.campaign.pool
    if pool is None:
        wanted = "opened, once every group has closed step 3"
        raise StepRefused("recruits are not open", [Fault("/step", "recruits are not open", wanted, "FS-PGP-2")])
    return pool


def _hire(telling: Telling, command: ask.Choose) -> None:
    group = telling.group(command.group)
    in_step(group, "4")
    recruit = command.of.get("recruit")
    if not isinstance(recruit, str):
        fault = Fault("/of/recruit", "nothing", "somebody in the pool", "FS-REC-2")
        raise ChoiceRefused("this names nobody", [fault])
    outcomes, _ = recruits.hire(telling.rules, group, _pool(telling), recruit)
    telling.say(command.group, outcomes)


def _end_turn(telling: Telling, command: ask.Choose) -> None:
    """The next group acts; after the last one step 4 closes for all. FS-PGP-2."""
    group = telling.group(command.group)
    in_step(group, "4")
    outcomes, pool = recruits.end_turn(group, _pool(telling))
    telling.say(command.group, outcomes)
    if not pool.order:
        closing: dict[str, list[Outcome]] = recruits.close_recruits(
            telling.rules, [known for known in telling.groups.values() if known.phase and known.phase.step == "4"], pool
        )
        for id, said in closing.items():
            telling.say(id, said)


OF_POOL: Mapping[str, Callable[[Telling, ask.Choose], None]] = {"hire": _hire, "end_turn": _end_turn}
"""Choices of step 4, which are about the whole campaign's pool."""
