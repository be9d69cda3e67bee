"""Plain descriptions of rulesets, and the questions and answers about their options in the form for a new event.

A ruleset or an option that is missing here is shown with the ruleset's own text.
"""

from __future__ import annotations

from services.console.language import N_, _

RULES = {
    "star-wars-armada-1.1": N_("Fleets of 300 points, rounds of 120 minutes"),
    "star-wars-armada-400": N_("Fleets of 400 points, rounds of 150 minutes"),
    "dust-warfare-1.0": N_("Armies of 400 points; from 17 players on, the top players play a final"),
    "fallout-factions-comp-1.0": N_("Scenarios, rounds of 75 minutes"),
    "round-robin": N_("Any game: everyone plays everyone"),
}
QUESTIONS = {
    "sos": N_("How is strength of schedule calculated?"),
    "bye_may_move": N_("Give the bye to another player if that avoids a rematch"),
    "avoid_repeat_byes": N_("No second bye before everyone has had one"),
    "unresolved_ties": N_("What if two players are still tied?"),
    "dq_opponent_results": N_("What happens to games against a disqualified player?"),
    "no_show": N_("What does the opponent of an absent player get?"),
    "squadron_limit": N_("Squadron points per fleet, at most"),
    "round_minutes": N_("Minutes per round"),
    "late_entry": N_("Late entries after round 1 is paired?"),
    "overtime_minutes": N_("Minutes to finish the current game round after time is called"),
    "ap_limit": N_("Army points per list, at most"),
    "extra_minutes": N_("Extra minutes per round"),
    "bye_bp": N_("Break points for a bye: a number, or half (of the army)"),
    "hero_bp": N_("How do a hero and the joined unit count?"),
    "forfeit_bp_rounding": N_("How is half the value of a forfeited list rounded?"),
    "concession_bp": N_("Break points against a player who concedes"),
    "rematch_move": N_("Two players have already met: whose score sheet moves down?"),
    "dq_listed": N_("Are disqualified players still listed?"),
    "bracket": N_("How is the bracket paired?"),
    "no_show_mp": N_("Match points for an absent player"),
    "time_call": N_("What may be finished after time is called?"),
    "search_token_tiebreak": N_("Do search tokens break ties after wins?"),
    "reuse_draws": N_("Players who were drawn against each other keep that order"),
    "dropped_in_standings": N_("Dropped players stay in the standings"),
    "legality_delay_days": N_("Days until a new release is legal"),
    "staff_accept_lists": N_("Staff must check and accept lists"),
    "list_due_days": N_("Lists are due this many days before the first day"),
    "scenario_max": N_("Maximum points of each scenario, for byes and concessions"),
    "concession": N_("What does the opponent get when a player concedes?"),
    "interrupted_round": N_("Does a game round count if time runs out during it?"),
    "escalation_zero_draw": N_("Points for both if no one claims a token in Escalation"),
    "table_order": N_("Who sits where?"),
    "spare_mode": N_("Who plays the spare player?"),
    "legend_outside_budget": N_("Are Legends paid for on top of the Caps of the Chem budget?"),
    "scenario_per": N_("Which scenario is played?"),
    "disqualification_by": N_("Who may disqualify players?"),
    "chess_clock": N_("Chess clocks?"),
    "chess_clock_at_zero": N_("What happens to a player whose chess clock has run out?"),
    "cycles": N_("How often does everyone play everyone?"),
    "numbers": N_("How are the numbers of the pairing table given out?"),
    "left_games": N_("What happens to the games of a player who left?"),
    "bye_half_points": N_("Value of a bye, in half points"),
}
"""Key of an option -> the question that it answers."""
LIMITS = {"fleet_limit": N_("Fleet points, at most")}
"""Key of an option whose question is in the ruleset -> the question for faults that name it."""
CHOICES = {
    "sos sum": N_("Sum of the opponents' points"),
    "sos tome": N_("Average of the opponents' averages"),
    "sos tome_met": N_("Average of the opponents' averages, without byes"),
    "unresolved_ties draw": N_("A random draw that anyone can verify"),
    "unresolved_ties shared": N_("They share the rank"),
    "dq_opponent_results keep": N_("They stay as they are"),
    "dq_opponent_results void_games": N_("They do not count"),
    "no_show bye": N_("Same as a bye"),
    "no_show concession": N_("Same as a concession"),
    "late_entry none": N_("No"),
    "late_entry zero_points": N_("Yes, starting with no points"),
    "hero_bp joined": N_("Together"),
    "hero_bp separate": N_("Separately"),
    "forfeit_bp_rounding down": N_("Down"),
    "forfeit_bp_rounding up": N_("Up"),
    "concession_bp table": N_("Those on the table"),
    "concession_bp larger": N_("Those on the table, or half of the list if that is more"),
    "rematch_move lower": N_("The lower one"),
    "rematch_move higher": N_("The higher one"),
    "bracket seeded": N_("By rank: first against last"),
    "bracket random": N_("Random draw"),
    "bracket reseed": N_("By rank, reseeded after each round"),
    "time_call stop_now": N_("Nothing: everyone stops at once"),
    "time_call finish": N_("Whatever has started"),
    "search_token_tiebreak ignore": N_("No"),
    "search_token_tiebreak append": N_("Yes"),
    "concession bye_score": N_("Same as a bye"),
    "concession table_score": N_("The lead on the table"),
    "interrupted_round score": N_("Yes"),
    "interrupted_round skip": N_("No"),
    "table_order top_first": N_("Top pairing at the first table"),
    "table_order random": N_("Random draw"),
    "spare_mode last_ranked": N_("The last player in the standings"),
    "spare_mode first_drop": N_("The opponent of the first player to drop"),
    "scenario_per round": N_("One per round"),
    "scenario_per table": N_("One per table"),
    "disqualification_by staff": N_("Any member of staff"),
    "disqualification_by organiser": N_("Only the organiser"),
    "chess_clock allowed": N_("Optional"),
    "chess_clock required": N_("Required at every table"),
    "chess_clock_at_zero no_further_turn": N_("They take no further turns"),
    "chess_clock none": N_("No"),
    "chess_clock_at_zero referee": N_("A referee decides"),
    "cycles single": N_("Once"),
    "cycles double": N_("Twice"),
    "left_games count": N_("They count"),
    "left_games below_half": N_("Void if fewer than half were played"),
    "left_games struck_out": N_("Void"),
    "numbers drawn": N_("Random draw"),
    "numbers seeded": N_("In order of entry"),
    "true": N_("Yes"),
    "false": N_("No"),
    "none": N_("No"),
    "half": N_("half"),
}
"""Key and value of an option, or only the value -> in words."""


def option_question(key: str) -> str:
    """Return the question that an option answers, in quotation marks; its key if there is none."""
    question = {**QUESTIONS, **LIMITS}.get(key)
    return key if question is None else _("“%(question)s”", question=_(question))


def option_text(key: str, value: str) -> str:
    """Return an option that is set to a value: its question and the answer; `key=value` if there is no question."""
    question, choice = option_question(key), CHOICES.get(f"{key} {value}") or CHOICES.get(value)
    return f"{key}={value}" if question == key else f"{question} {_(choice) if choice else value}"
