"""How the edge says what registration refuses: code -> HTTP status, title, advice."""

from __future__ import annotations

from types import MappingProxyType

from shared.web.kinds import Table

# fmt: off
PROBLEMS: Table = MappingProxyType({
    "tournament-exists": (409, "The id is taken", "Announce it again with another Idempotency-Key, or without one."),
    "format-not-played": (422, "The ruleset is of another format", "`errors` names it; or leave `format` out."),
    "dates-out-of-order": (422, "It would end before it starts", "`ends_on` is the day of `starts_on`, or later."),
    "not-on-purpose": (422, "Nothing to keep back", "`errors` names what the format can publish on purpose."),
    "too-late-to-change": (409, "Too late to change", "`detail` says what has happened since."),
    "registration-closed": (409, "Nobody joins any more",
        "`detail` says what staff may do: reopen registration, take a late entry, or raise the capacity."),
    "invite-only": (403, "By invitation only",
        "Ask the organiser; a token of staff or of an integration of this tournament signs players up."),
    "kept-apart-not-offered": (409, "Not at this tier",
        "The ruleset lets players ask for this at other tiers, or not at all."),
    "party-refused": (422, "The party cannot be", "`errors` names every fault; nobody was entered."),
    "invitation-unknown": (404, "No such invitation",
        "The code is the one that GET /tournaments/{id}/players/{player}/invitation gives to that survivor.",
        "invitation"),
    "party-unknown": (404, "No such party", "GET /tournaments/{id}/parties lists them.", "party"),
    "name-taken": (409, "The name is taken",
        "Two players or venues of one tournament carry names that differ in more than capitals, and look different."),
    "external-id-taken": (409, "The id is taken", "`errors` says whose it is; ids elsewhere are of one player each."),
    "player-unknown": (404, "No such player", "GET /tournaments/{id}/players lists them.", "player"),
    "venue-unknown": (404, "No such venue", "`errors` names the open venues.", "venue"),
    "table-unknown": (404, "No such table", "GET /tournaments/{id} lists the tables of every venue.", "table"),
    "staff-unknown": (404, "No such member of staff", "GET /tournaments/{id} lists the staff.", "staff"),
    "judge-may-not-play": (409, "No judge plays at this tier",
        "Appoint somebody who does not play, or say in `override` why it is right."),
    "player-not-active": (409, "The player has no seat", "`data.status` says why, `detail` what to do first."),
    "capacity-too-small": (409, "Too few seats", "`errors` says how many are needed; amend the tournament."),
    "roster-illegal": (422, "The roster is not legal", "`errors` names every fault with its clause."),
    "roster-too-large": (413, "The roster is too large", "`data.limit` is the most that is taken, in bytes of JSON."),
    "roster-locked": (409, "The roster is locked", "Play has begun; staff may still amend it, with a reason."),
    "roster-missing": (409, "There is no roster", "The player submits one first."),
    "group-locked": (409, "The group stands", "`detail` says since when, and who may still hand one in."),
    "group-missing": (404, "No group yet", "POST /tournaments/{id}/players/{player}/group hands one in."),
    "ruleset-move-refused": (422, "The campaign cannot be played on by this", "`errors` names every fault."),
    "rounds-by-option": (422, "An option says how many rounds", "Leave `rounds` out, or set the option to the same."),
    "not-yours": (403, "For oneself only", "A player acts for themselves; staff act for others."),
    "still-in-use": (409, "Still in use", "Wait until the round is closed or move its games; unpin players."),
    "tournament-gathered": (409, "Gathered already", "GET …/season/tournaments lists what the season counts."),
    "tournament-not-for-season": (422, "No season counts it", "`errors` says why, and what would be right."),
    "tournament-not-gathered": (404, "Not of this season",
        "GET …/season/tournaments lists what the season counts.", "gathered"),
    "entry-unknown": (404, "No such entry", "GET …/season/tournaments/{gathered}/entries lists them.", "entry"),
    "entry-claimed": (409, "Somebody's already", "`data.player` says whose; two players who are one are merged."),
    "identity-merged": (409, "Merged with another", "`data.into` says who the player is by now."),
    "identities-met": (409, "They have met", "Two who sat down with each other are not one; `data.tournaments`."),
    "identity-not-merged": (409, "Nothing to take apart", "`errors` says what would be."),
    "division-unknown": (422, "No such division", "`errors` names the divisions of the season."),
    "season-not-over": (409, "No season that has ended", "Conclude it first: POST …/conclusion of scoring."),
    "csv-refused": (422, "The file cannot be taken", "`errors` names every row and column; nobody was entered."),
})
# fmt: on
