"""Rulesets and their options in plain words: the questions of the form of a new event, and their answers.

A ruleset or an option without a row here is shown in the words of the ruleset.
"""

from __future__ import annotations

from services.console.language import N_, _

RULES = {
    "star-wars-armada-1.1": N_("Fleets of 300 points, rounds of 120 minutes"),
    "star-wars-armada-400": N_("Fleets of 400 points, rounds of 150 minutes"),
    "dust-warfare-1.0": N_("Armies of 400 points, with a final among the best from 17 players on"),
    "fallout-factions-comp-1.0": N_("Scenarios, rounds of 75 minutes"),
    "round-robin": N_("Any game: everybody meets everybody"),
}
QUESTIONS = {
    "sos": N_("How is strength of schedule computed?"),
    "bye_may_move": N_("Give the bye to another player when that avoids a rematch"),
    "avoid_repeat_byes": N_("Nobody gets a second bye before everybody has had one"),
    "unresolved_ties": N_("What if nothing separates two players?"),
    "dq_opponent_results": N_("What becomes of games against a disqualified player?"),
    "no_show": N_("What does the opponent of an absent player get?"),
    "squadron_limit": N_("Most points of squadrons in a fleet"),
    "round_minutes": N_("Minutes in a round"),
    "late_entry": N_("May players still enter once round 1 is paired?"),
    "overtime_minutes": N_("Minutes that the game round in progress may last after time is called"),
    "ap_limit": N_("Most army points of a list"),
    "extra_minutes": N_("Minutes added to every round"),
    "bye_bp": N_("Break points of a bye: a number, or half (of the army)"),
    "hero_bp": N_("How do a hero and the unit joined count?"),
    "forfeit_bp_rounding": N_("How is half of a forfeited list rounded?"),
    "concession_bp": N_("Break points against a player who concedes"),
    "rematch_move": N_("Which of two sheets that have met moves down?"),
    "dq_listed": N_("Is a disqualified player still listed?"),
    "bracket": N_("How is the elimination stage paired?"),
    "no_show_mp": N_("Match points of an absent player"),
    "time_call": N_("What is still finished when time is called?"),
    "search_token_tiebreak": N_("Do search tokens break ties after wins?"),
    "reuse_draws": N_("Players who were drawn against each other before keep that order"),
    "dropped_in_standings": N_("Dropped players stay in the standings"),
    "legality_delay_days": N_("Days from a release until it is legal"),
    "staff_accept_lists": N_("Lists wait until staff have checked and accepted them"),
    "list_due_days": N_("Days before the first day on which lists are due"),
    "scenario_max": N_("Most points of every scenario, for byes and concessions"),
    "concession": N_("What does the opponent of a player who concedes get?"),
    "interrupted_round": N_("Does the game round that time stopped score?"),
    "escalation_zero_draw": N_("Points of both where nobody claims a token in Escalation"),
    "table_order": N_("Who sits where?"),
    "spare_mode": N_("Whom does the spare player meet?"),
    "legend_outside_budget": N_("Is a Legend paid for beside the Caps of the Chem budget?"),
    "scenario_per": N_("Which scenario is played?"),
    "disqualification_by": N_("Who disqualifies?"),
    "chess_clock": N_("Are there chess clocks?"),
    "chess_clock_at_zero": N_("What becomes of a player whose chess clock has run out?"),
    "cycles": N_("How often does everybody meet everybody?"),
    "numbers": N_("Who gets which number of the table?"),
    "left_games": N_("What becomes of the games of a player who left?"),
    "bye_half_points": N_("What a bye is worth, in half points"),
}
"""Key of an option -> the question that it answers."""
LIMITS = {"fleet_limit": N_("Most points of a fleet")}
"""Key of an option whose question is in the ruleset -> the question for faults that name it."""
CHOICES = {
    "sos sum": N_("Sum of the opponents' points"),
    "sos tome": N_("Mean of the opponents' means"),
    "sos tome_met": N_("Mean of the opponents' means; a bye is left out"),
    "unresolved_ties draw": N_("A draw by lot, which anybody can make again"),
    "unresolved_ties shared": N_("They share the place"),
    "dq_opponent_results keep": N_("They stay as they are"),
    "dq_opponent_results void_games": N_("They count for nothing"),
    "no_show bye": N_("As much as for a bye"),
    "no_show concession": N_("As much as for a concession"),
    "late_entry none": N_("No"),
    "late_entry zero_points": N_("Yes, they begin with no points"),
    "hero_bp joined": N_("Together"),
    "hero_bp separate": N_("Each alone"),
    "forfeit_bp_rounding down": N_("Down"),
    "forfeit_bp_rounding up": N_("Up"),
    "concession_bp table": N_("Those on the table"),
    "concession_bp larger": N_("Those on the table, or half of the list where that is more"),
    "rematch_move lower": N_("The lower one"),
    "rematch_move higher": N_("The higher one"),
    "bracket seeded": N_("By rank: first against last"),
    "bracket random": N_("A draw decides"),
    "bracket reseed": N_("By rank, anew after each round"),
    "time_call stop_now": N_("Nothing: everybody stops at once"),
    "time_call finish": N_("What has begun"),
    "search_token_tiebreak ignore": N_("No"),
    "search_token_tiebreak append": N_("Yes"),
    "concession bye_score": N_("As much as for a bye"),
    "concession table_score": N_("The lead on the table"),
    "interrupted_round score": N_("Yes"),
    "interrupted_round skip": N_("No"),
    "table_order top_first": N_("The top pairing at the first table"),
    "table_order random": N_("A draw decides"),
    "spare_mode last_ranked": N_("The last in the standings"),
    "spare_mode first_drop": N_("Whoever the first to drop would have met"),
    "scenario_per round": N_("One in each round"),
    "scenario_per table": N_("One at each table"),
    "disqualification_by staff": N_("Any member of staff"),
    "disqualification_by organiser": N_("The organiser alone"),
    "chess_clock allowed": N_("Yes, where the players like"),
    "chess_clock required": N_("Yes, at each table"),
    "chess_clock_at_zero no_further_turn": N_("No further turn is taken"),
    "chess_clock none": N_("No"),
    "chess_clock_at_zero referee": N_("A referee decides"),
    "cycles single": N_("Once"),
    "cycles double": N_("Twice"),
    "left_games count": N_("They count"),
    "left_games below_half": N_("Struck out, if fewer than half were played"),
    "left_games struck_out": N_("Struck out"),
    "numbers drawn": N_("A draw decides"),
    "numbers seeded": N_("In the order of entry"),
    "true": N_("Yes"),
    "false": N_("No"),
    "none": N_("No"),
    "half": N_("half"),
}
"""Key and value of an option, or the value alone -> in words."""


def option_question(key: str) -> str:
    """Return the question that an option answers, in quotation marks; its key if there is none."""
    question = {**QUESTIONS, **LIMITS}.get(key)
    return key if question is None else _("“%(question)s”", question=_(question))


def option_text(key: str, value: str) -> str:
    """Return an option that is set to a value: its question and the answer; `key=value` if there is no question."""
    question, choice = option_question(key), CHOICES.get(f"{key} {value}") or CHOICES.get(value)
    return f"{key}={value}" if question == key else f"{question} {_(choice) if choice else value}"
