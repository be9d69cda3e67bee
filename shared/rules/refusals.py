"""What the rules refuse, by name. Each carries every fault found."""

from __future__ import annotations

from shared.refusals import Refusal


class PackRefused(Refusal):
    """A pack, or a ruleset inside an event, is not one that Muster can play by."""

    code = "ruleset-refused"


class UnknownRuleset(Refusal):
    """No shipped pack has this id."""

    code = "unknown-ruleset"


class OptionsRefused(Refusal):
    """An option that the ruleset does not have, or a value that it does not take."""

    code = "ruleset-option-refused"


class ImpossibleResult(Refusal):
    """Facts that cannot have happened under the ruleset, or that leave out what it needs."""

    code = "impossible-result"


class ImprobableResult(Refusal):
    """Facts that may have happened under the ruleset, and more likely were mistyped: whoever tells them says so."""

    code = "improbable-result"


class TooFewPlayers(Refusal):
    """Fewer players to pair than a round needs."""

    code = "too-few-players"


class BracketDecided(Refusal):
    """One player of the elimination stage is left, so that there is nothing to pair."""

    code = "bracket-decided"


class RoundIncomplete(Refusal):
    """A game of the bracket has no result, so that it is not known who goes on."""

    code = "round-incomplete"


class RoundsNotFixed(Refusal):
    """The ruleset has no number of rounds for this many players."""

    code = "rounds-not-fixed"


class NotEnoughTables(Refusal):
    """More games than tables."""

    code = "not-enough-tables"


class ClausesRefused(Refusal):
    """A list of clauses that is not one."""

    code = "clauses-refused"


class DataRefused(Refusal):
    """What an operator entered about a game does not hold together, or is not enough for what is asked."""

    code = "operator-data-refused"
