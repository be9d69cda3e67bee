"""What is wrong with an event, its options, venues, players or staff, or with a file of players."""

from __future__ import annotations

from services.console.language import N_

EVENT: tuple[tuple[str, str], ...] = (
    (r"the id of a player of this tournament", N_("a player of this event")),
    (r"the id of a player in this list", N_("a player of this list")),
    (r"the id of a player who takes part or waits", N_("a player who takes part or waits for a seat")),
    (
        r"a name of their own, for example with the club: another player has it",
        N_("a name of their own, for example with the club, as another player has it"),
    ),
    (
        r"a name of their own, for example with the club: it stands here twice",
        N_("a name of their own, for example with the club, as it stands here twice"),
    ),
    (r"another name|a name of their own", N_("a name that nobody else has")),
    (r"an id of their own.*", N_("an id that nobody else has")),
    (r"the code of somebody who has signed up, such as .+", N_("the code of somebody who has signed up")),
    (r"a venue for (?P<player>.+): (?P<known>.+)", N_("a venue for %(player)s that is open")),
    (
        r"another venue, unless (?P<player>\S+) is unpinned or pinned to a table there",
        N_("another venue, unless the player is no longer pinned to a table elsewhere"),
    ),
    (r"nobody who judges", N_("nobody who judges")),
    (
        r"(?P<player>[^;]+) waits for a seat: one becomes free when somebody leaves, or when the capacity is raised",
        N_("%(player)s waits for a seat"),
    ),
    (r"(?P<player>[^;]+) has withdrawn: enter them again", N_("%(player)s has withdrawn: enter them again")),
    (r"(?P<player>[^;]+) has dropped: reinstate them first", N_("%(player)s has dropped out: bring them back first")),
    (
        r"(?P<player>[^;]+) is disqualified: an organiser may revoke that before the next pairing",
        N_("%(player)s is disqualified: an organiser may revoke that before the next pairing"),
    ),
    (r"(?P<player>[^;]+) has not submitted a roster", N_("%(player)s has handed in no list")),
    (r"nothing: there are no venues", N_("nothing, as there are no venues")),
    (r"nothing, to begin again: the order has changed", N_("nothing, as the order has changed: begin again")),
    (r"a player whose roster is there", N_("a player who handed in a list")),
    (r"a player who takes part", N_("a player who takes part")),
    (
        r"table (?P<table>\d+) too, or (?P<game>\S+) moved, or round (?P<round>\d+) closed",
        N_("table %(table)s too, or its game moved, or round %(round)s closed"),
    ),
    (
        r"table (?P<table>\d+) too, or (?P<player>.+) \(\S+\) unpinned",
        N_("table %(table)s too, or %(player)s no longer pinned to it"),
    ),
    (
        r"(?P<game>\S+) moved, or round (?P<round>\d+) closed(?:, at table (?P<table>\d+))?",
        N_("its games moved, or round %(round)s closed"),
    ),
    (
        r"(?P<player>.+) \(\S+\) unpinned(?:, at table (?P<table>\d+))?",
        N_("%(player)s no longer pinned to a table there"),
    ),
    (r"(?P<rounds>\d+|nothing), as round 1 was paired", N_("as it was when round 1 was paired")),
    (r"(?P<kept>.+), in the format (?P<format>\S+)", N_("only what this format can keep back")),
    (r"nothing: the format (?P<format>\S+) has no rosters", N_("nothing, as there are no lists in this format")),
    (r"a ruleset of the format (?P<format>\S+)", N_("a ruleset of this format")),
    (r"a ruleset", N_("a ruleset")),
    (
        r"an option that may change until round 1, before that is paired and published",
        N_("an option that may change until round 1, before that is paired and published"),
    ),
    (r"the key of an option", N_("an option of these rules")),
    (r"to be set with (?P<options>.+)", N_("to be set together with %(options)s")),
    (r"(?:in the order wanted, )?some of (?P<choices>.+)", N_("some of these: %(choices)s")),
    (r"each word once", N_("each of them once")),
    (r"a whole number, (?P<least>-?\d+) to (?P<most>\d+)", N_("a whole number from %(least)s to %(most)s")),
    (
        r"a whole number, (?P<least>-?\d+) to (?P<most>\d+), or (?P<words>.+)",
        N_("a whole number from %(least)s to %(most)s, or %(words)s"),
    ),
    (
        r"a whole number, (?P<least>-?\d+) or more, or (?P<words>.+)",
        N_("a whole number, %(least)s or more, or %(words)s"),
    ),
    (
        r"words with points like victory:3,unfinished:1, commas between",
        N_("words with points such as victory:3,unfinished:1, with commas between"),
    ),
    (r"an object with a whole number, 0 or more, for each word", N_("a whole number, 0 or more, for each word")),
    (r"no pool", N_("no pool")),
    (r"a first row of columns: (?P<columns>.+)", N_("a first row of columns: %(columns)s")),
    (r"the row of columns once, at the top", N_("the row of columns once, at the top")),
    (r"a name at the top of this column", N_("a name at the top of this column")),
    (r"the column (?P<column>\S+)", N_("the column %(column)s")),
    (r"a column `name` or `player`", N_("a column “name” or “player”")),
    (r"at most (?P<most>\d+) players in one file", N_("at most %(most)s players in one file")),
    (r"CSV with quotes in pairs \(.+\)", N_("CSV with quotes in pairs")),
    (r"(?P<count>\d+) values, one for each column", N_("%(count)s values, one for each column")),
    (r"one of these columns: (?P<columns>.+)", N_("one of these columns: %(columns)s")),
    (r"a file in UTF-8: save it as CSV UTF-8", N_("a file in UTF-8: save it as “CSV UTF-8”")),
    (r"a line for each player", N_("a line for each player")),
    (r"each player once", N_("each player once")),
    (r"each column once", N_("each column once")),
    (r"the id of a webhook that there is", N_("a webhook that there is")),
    (r"the id of a delivery that the list shows", N_("a delivery that the list shows")),
    (r"an event", N_("an event")),
    (r"nothing: the webhook is about one tournament already", N_("nothing, as the webhook is about one event already")),
)
"""Pattern of what a service says that it expects -> in words of the console."""
