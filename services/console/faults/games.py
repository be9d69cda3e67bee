"""What is wrong with a result, a pairing, a swap, a game, a round or a call of time."""

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


RESULTS: tuple[tuple[str, str], ...] = (
    (r"0 to (?P<most>\d+) for destroyed units", N_("0 to %(most)s for destroyed units")),
    (
        r"0 to (?P<most>\d+) for destroyed units, and the (?P<more>\d+) of objectives",
        N_("0 to %(most)s for destroyed units, and the %(more)s of objectives"),
    ),
    (r"(?P<whole>\d+) for a whole fleet", N_("%(whole)s for a whole fleet")),
    (
        r"(?P<whole>\d+) for a whole fleet, and the (?P<more>\d+) of objectives",
        N_("%(whole)s for a whole fleet, and the %(more)s of objectives"),
    ),
    (
        r"0 to (?P<most>\d+) for destroyed units, or (?P<whole>\d+) for a whole fleet",
        N_("0 to %(most)s for destroyed units, or %(whole)s for a whole fleet"),
    ),
    (
        r"0 to (?P<most>\d+) for destroyed units, or (?P<whole>\d+) for a whole fleet"
        r", and the (?P<more>\d+) of objectives",
        N_("0 to %(most)s for destroyed units, or %(whole)s for a whole fleet, and the %(more)s of objectives"),
    ),
    (r"a whole number, 0 or more, or both of its parts", N_("a whole number, 0 or more, or both of its parts")),
    (r"1 to (?P<most>\d+), the points of a fleet", N_("1 to %(most)s, the points of a fleet")),
    (r"at most (?P<most>\d+) for objectives", N_("at most %(most)s for objectives")),
    (
        r"at most (?P<most>\d+): (?P<fleet>\d+) for the other fleet and (?P<objectives>\d+) for objectives",
        N_("at most %(most)s: %(fleet)s for the other fleet and %(objectives)s for objectives"),
    ),
    (r"(?P<sum>\d+), the sum of its parts", N_("%(sum)s, the sum of its parts")),
    (r"at least the (?P<least>\d+) destroyed", N_("at least the %(least)s that were destroyed")),
    (r"at least (?P<least>\d+) for a whole fleet", N_("at least %(least)s for a whole fleet")),
    (
        r"whoever survives has at least (?P<least>\d+) for a whole fleet",
        N_("whoever survives has at least %(least)s for a whole fleet"),
    ),
    (
        r"(?P<winner>[12]), who has the higher score: (?P<more>-?\d+) against (?P<fewer>-?\d+)",
        N_("side %(winner)s, who has the higher score, %(more)s against %(fewer)s"),
    ),
    (
        r"an end or a winner, as the side with the lower score may have survived",
        N_("an end or a winner, as the side with the lower score may have survived"),
    ),
    (r"1 or 2: the second player wins", N_("who was the second player, as they win")),
    (r"1 or 2: the second player wins at equal scores", N_("who was the second player, as they win at equal scores")),
    (
        r"(?P<winner>[12]), or the end of the game that makes it so",
        N_("side %(winner)s, or the end of the game that makes it so"),
    ),
    (r"nothing: the game ended by '(?P<end>.+)'", N_("nothing, as the game did not end by a concession")),
    (r"nothing, or 'concession'", N_("nothing, or that a side conceded")),
    (r"(?P<winner>[12]), to whom the other side conceded", N_("side %(winner)s, to whom the other side conceded")),
    (r"one of (?P<choices>.+), the pool of this event", N_("one of these, the pool of this event: %(choices)s")),
    (
        r"a split that (?P<scenario>.+) can end with; the nearest are (?P<near>.+)",
        N_("a split that %(scenario)s can end with, such as %(near)s"),
    ),
    (r"(?P<points>-?\d+), by the board facts", N_("%(points)s, by what lay on the table")),
    (r"(?P<points>-?\d+), by the units eliminated", N_("%(points)s, by the units eliminated")),
    (
        r"the score on the table when the other side conceded, a whole number, 0 or more",
        N_("the score on the table when the other side conceded, a whole number, 0 or more"),
    ),
    (
        r"the total of that side's list, half of which is awarded, as list_[12]=TOTAL",
        N_("the total of that side's list, half of which is awarded"),
    ),
    (
        r"the total of that side's list, half of which is awarded, as list_[12]=TOTAL, or that half as points_[12]",
        N_("the total of that side's list, half of which is awarded, or that half as points of the other side"),
    ),
    (r"(?P<half>\d+), half of the list, rounded up", N_("%(half)s, half of the list, rounded up")),
    (r"(?P<half>\d+), half of the list, rounded down", N_("%(half)s, half of the list, rounded down")),
    (r"0 to (?P<most>\d+), the limit of lists", N_("0 to %(most)s, the limit of lists")),
    (r"at most (?P<most>\d+), the limit of lists", N_("at most %(most)s, the limit of lists")),
    (r"at most (?P<most>\d+), the opponent's list", N_("at most %(most)s, the list of the opponent")),
    (
        r"at most (?P<most>\d+): the best of (?P<games>\d+) is decided then",
        N_("at most %(most)s, as the best of %(games)s is decided then"),
    ),
    (r"at most (?P<most>\d+), drawn ones too", N_("at most %(most)s, drawn ones too")),
    (r"at most (?P<most>\d+), the games of a match", N_("at most %(most)s, the games of a match")),
    (r"the same on both sides, or told once", N_("the same on both sides, or told once")),
    (
        r"(?P<sum>\d+) together with the (?P<other>\d+) of player 1",
        N_("%(sum)s together with the %(other)s of player 1"),
    ),
    (r"at most (?P<most>\d+), the crew", N_("at most %(most)s, the crew")),
    (r"(?P<crew>\d+), the whole crew", N_("%(crew)s, the whole crew")),
    (r"less than (?P<crew>\d+), or whole_crew_[12] 1", N_("less than %(crew)s, or that it was the whole crew")),
    (r"nothing: never begun", N_("nothing, as that game round was never begun")),
    (r"0 or 1", N_("0 or 1")),
    (r"1 or 2, the side that forfeits", N_("the side that forfeits")),
    (r"1 or 2, the side that did not come", N_("the side that did not come")),
    (r"1 or 2, the side that conceded", N_("the side that conceded")),
    (r"(?P<winner>[12]), the side that was there", N_("side %(winner)s, which was there")),
    (r"the side that was there", N_("the side that was there")),
    (r"nothing, or the (?P<points>-?\d+) awarded", N_("nothing, or the %(points)s awarded")),
    (
        r"a bye of the pairing: (?P<ruleset>\S+) gives no worth to other ones",
        N_("a bye of the pairing, as other ones are worth nothing here"),
    ),
    (r"none: (?P<ruleset>\S+) has only byes of the pairing", N_("none, as there are only byes of the pairing here")),
    (r"(?P<most>\d+) of a player at most, who had (?P<had>\d+)", N_("at most %(most)s for a player, who had %(had)s")),
    (
        r"nothing: (?P<ruleset>\S+) has no '(?P<fact>.+)' in a (?P<kind>\w+)",
        N_("nothing, as these rules do not ask for it here"),
    ),
    (r"(?P<total>\d+), or nothing", N_("%(total)s, or nothing")),
    (r"(?P<scenario>.+), or nothing: that of the round", N_("%(scenario)s, the scenario of the round, or nothing")),
    (
        r"(?P<sides>[12](?: and [12])?): conceded by the disqualified player",
        N_("that the disqualified player conceded"),
    ),
    (
        r"(?P<sides>[12](?: and [12])?): a forfeit by the disqualified player",
        N_("a forfeit by the disqualified player"),
    ),
    (r"the facts of this ruleset's result form", N_("what the form of these rules asks for")),
    (r"(?P<number>\d+) different areas", N_("%(number)s different areas")),
    (r"a list of areas, each once", N_("a list of areas, each once")),
    (r"the units of this side that suffered", N_("the units of this side that suffered")),
    (
        r"units inside at the end of each game turn, 1 to (?P<turns>\d+) numbers",
        N_("units inside at the end of each game turn, 1 to %(turns)s numbers"),
    ),
    (r"the same game turns for both sides", N_("the same game turns for both sides")),
    (r"the points of the target", N_("the points of the target")),
    (r"a list of units", N_("a list of units")),
    (r"a list of letters, such as .+", N_("a list of letters: O, D or C")),
    (r"O, D or C", N_("O, D or C")),
    (r"(?P<points>\d+) points, (?P<each>\d+) of each player", N_("%(points)s points, %(each)s of each player")),
    (r"at most (?P<most>\d+) points on (?P<letter>[ODC])", N_("at most %(most)s points on %(letter)s")),
    (r"(?P<objective>.+), by the points spent", N_("%(objective)s, by the points that were spent")),
    (r"1, 2 or (?:draw|tie)", N_("one of the two, or a draw")),
    (r"1 or 2: every game has a winner", N_("one of the two: every game has a winner")),
    (r"1 or 2, by the margin", N_("one of the two, by the points")),
    (r"(?P<winner>[12]), by the (?:points|margin)", N_("side %(winner)s, by the points")),
    (r"(?:draw|tie), by the (?:points|margin)", N_("a draw, by the points")),
    (r"(?P<winner>[12]), by (?P<objective>.+)", N_("side %(winner)s, by %(objective)s")),
    (r"(?:draw|tie), by (?P<objective>.+)", N_("a draw, by %(objective)s")),
)
"""Pattern of what a service says that it expects -> in words of the console."""
SAID: tuple[tuple[str, str], ...] = (
    (r"(?P<one>-?\d+) and (?P<two>-?\d+), (?P<sum>-?\d+) together", N_("%(one)s and %(two)s, %(sum)s together")),
    (r"(?P<one>-?\d+) and (?P<two>-?\d+) game turns", N_("%(one)s and %(two)s game turns")),
    (r"(?P<one>-?\d+) and (?P<two>-?\d+)", N_("%(one)s and %(two)s")),
    (r"(?P<one>-?\d+) to (?P<two>-?\d+)", N_("%(one)s against %(two)s")),
)
"""Pattern of what a service says that it found, where that is more than one value -> in words of the console."""
