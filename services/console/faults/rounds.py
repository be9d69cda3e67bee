"""What is wrong with a pairing, a swap, a game, a round or a call of time."""

from __future__ import annotations

from services.console.language import N_

ROUNDS: tuple[tuple[str, str], ...] = (
    (r"an active player; (?P<player>.+) is waiting", N_("a player who takes part, and %(player)s waits for a seat")),
    (r"an active player; (?P<player>.+) is withdrawn", N_("a player who takes part, and %(player)s withdrew")),
    (r"an active player; (?P<player>.+) is dropped", N_("a player who takes part, and %(player)s has dropped out")),
    (
        r"an active player; (?P<player>.+) is disqualified",
        N_("a player who takes part, and %(player)s is disqualified"),
    ),
    (
        r"a player whose list is accepted; (?P<player>.+) has none",
        N_("a player whose list is accepted, and %(player)s has none"),
    ),
    (
        r"(?P<player>.+) \(\S+\) in a pairing, or in sitting_out",
        N_("%(player)s in a pairing, or among those who sit out"),
    ),
    (
        r"somebody of this round who is in none of the pairings",
        N_("somebody of this round who is in none of the pairings"),
    ),
    (r"somebody who is in no pairing", N_("somebody who is in no pairing")),
    (r"a player of round (?P<round>\d+)", N_("a player of round %(round)s")),
    (r"a player who is to be paired", N_("a player who is to be paired")),
    (r"a player who is still in the bracket", N_("a player who is still in the bracket")),
    (r"a player of the cut", N_("a player of the cut")),
    (r"a player of the standings", N_("a player of the standings")),
    (r"a player", N_("a player")),
    (r"a member of staff who plays", N_("a member of staff who plays")),
    (r"the id of a spare player, organiser or referee", N_("a spare player, an organiser or a referee")),
    (r"player_1 and player_2, the two who meet", N_("the two who meet")),
    (r"players of two games, or of two sides with allies", N_("players of two games")),
    (r"opponents who have not met yet, or allow_rematch", N_("opponents who have not met yet")),
    (r"everybody once", N_("everybody once")),
    (r"nobody: it is a bye", N_("nobody, as it is a bye")),
    (r"nobody: a seat in the bracket is given up instead", N_("nobody, as a seat in the bracket is given up instead")),
    (r"an opponent, or the kind bye", N_("an opponent, or a bye")),
    (r"bye: the ruleset has no other", N_("a bye, as the rules have nothing else")),
    (r"game or bye", N_("a game or a bye")),
    (r"a game", N_("a game")),
    (r"the id of a game of (?:the latest|this) round", N_("a game of this round")),
    (r"the id of a game in a paired round", N_("a game of a round that is paired")),
    (r"a round that is paired", N_("a round that is paired")),
    (r"the id of a call", N_("a call that there is")),
    (r"no call is left", N_("nothing, as no call is left")),
    (
        r"nothing beside pairings by hand, which have the kinds awarded_bye, requested_bye",
        N_("nothing beside pairings by hand, which have byes of their own"),
    ),
    (
        r"nothing: only in rounds of a Swiss are byes given beforehand",
        N_("nothing, as byes are given beforehand only in Swiss rounds"),
    ),
    (r"a free accessible table", N_("a free accessible table")),
    (r"a table of (?:this venue|.+)", N_("a table of this venue")),
    (r"a free table(?:, or wave; .+)?", N_("a free table")),
    (r"no venue(?:: none is open)?|none: no venue is open", N_("nothing, as no venue is open")),
    (r"the id of a venue here", N_("a venue of this event")),
    (r"a time after (?P<now>.+)", N_("a time that is still to come")),
)
"""Pattern of what a service says that it expects -> in words of the console."""
