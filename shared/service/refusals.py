"""Refusals of command handling that every service has, and the problem table for them and for the rules."""

from __future__ import annotations

from types import MappingProxyType

from shared.refusals import Refusal
from shared.web.refusals import Table


class Busy(Refusal):
    """Too many commands for one tournament at once; nothing was appended."""

    code = "busy"


class SignUpsPaused(Refusal):
    """Too many guests signed up within ten minutes; data: `limit`, `used`, `retry_after` in seconds."""

    code = "sign-ups-paused"


class BehindOwnCopies(Refusal):
    """Peers hold events of this service's log that it has lost; data: `retry_after` in seconds.

    Nothing was appended, because new events would take the positions of the lost ones.
    """

    code = "behind-own-copies"


class OwnLogForked(Refusal):
    """This service and its peers hold different events at the same positions; `faults` names each log."""

    code = "own-log-forked"


class PeerAway(Refusal):
    """A peer does not answer what it holds of this service's log; data: `peer`."""

    code = "peer-unavailable"


class PeersDisagree(Refusal):
    """The peers hold different events at the same position of this service's log."""

    code = "peers-disagree"


class FeedBeyond(Refusal):
    """The given feed position is beyond every position that the feed can have had; restored events are kept."""

    code = "feed-beyond"


class OwnerAway(Refusal):
    """The owner of a log does not answer with a signed log; nothing was changed."""

    code = "owner-unavailable"


class EventUnknown(Refusal):
    """There is no such event type, or not in this version; data: `versions`, the existing ones."""

    code = "event-unknown"

    @classmethod
    def of(cls, type: str, version: int, versions: list[int]) -> EventUnknown:
        """Return the refusal for a version of a type. versions: the existing versions of this type."""
        what = f"{type} has the versions {', '.join(map(str, versions))}" if versions else f"no event is called {type}"
        return cls(f"There is no version {version} of {type}: {what}.", type=type, versions=versions)


PROBLEMS: Table = MappingProxyType(
    {
        "event-unknown": (
            404,
            "There is no such event",
            "`/asyncapi.json` names every type and version, and `data.versions` those of this type.",
        ),
        "busy": (
            503,
            "Too many commands at once",
            "Repeat the command with its Idempotency-Key after `Retry-After` seconds.",
        ),
        "sign-ups-paused": (
            429,
            "Too many people are signing up at once",
            "Wait as many seconds as `Retry-After` says; staff can enter players meanwhile.",
        ),
        "own-log-forked": (
            409,
            "The service and its peers hold different events",
            "Keep this database aside, begin with an empty one, and run `muster recover`; `errors` says what differs.",
        ),
        "peer-unavailable": (
            503,
            "A peer does not answer",
            "Start it and repeat the request. If it never comes back, repeat with its name in `without`.",
        ),
        "peers-disagree": (
            409,
            "The peers hold different events",
            "`detail` says where. Repeat the request, and name the peer that is wrong in `without`.",
        ),
        "feed-beyond": (
            422,
            "The feed has never been that long",
            "Repeat the request with the number in the subscriber's cursor; `errors` says what is possible.",
        ),
        "owner-unavailable": (
            503,
            "The owner of the log does not answer",
            "`detail` says what it answered. Repeat the request when it works again.",
        ),
        "tournament-unknown": (404, "No such tournament", "Look up its id in the directory: GET /tournaments."),
        "tournament-over": (
            409,
            "The tournament is over",
            "After the end, staff can only correct results (POST …/correction) and give awards; a cancelled tournament"
            " can only be read.",
        ),
        "other-venue": (
            403,
            "This is about another venue",
            "Staff appointed for one venue act there; staff appointed without a venue act everywhere.",
        ),
        "not-your-decision": (
            403,
            "Someone else decides this",
            "The ruleset says who; `data.roles` names them, `data.clause` the rule.",
        ),
        "wrong-format": (
            409,
            "The tournament is of another format",
            "`data.format` is the tournament's format. Some addresses are for one format only.",
        ),
        "operator-data-refused": (422, "The data of the game are not valid", "`errors` names every fault."),
        "group-refused": (422, "This group may not enter the campaign", "`errors` names every fault with its clause."),
        "dice-refused": (422, "These dice do not fit", "`errors` says which dice are needed, and who has to see them."),
        "game-report-refused": (
            422,
            "The game cannot have gone like this",
            "`errors` names every fault with its clause.",
        ),
        "step-refused": (409, "Another step is open", "GET …/post-game says which step is open, and what it needs."),
        "choice-refused": (
            422,
            "The rules do not allow this",
            "`errors` says why; GET …/post-game lists what is legal.",
        ),
        "balance-too-low": (409, "The group does not have enough", "`data.account` says of what."),
        "event-too-large": (413, "More than one event may hold", "Send the same in several parts."),
        "unknown-ruleset": (404, "No such ruleset", "GET /rulesets of registration lists the shipped ones.", "ruleset"),
        "ruleset-refused": (422, "The pack does not hold together", "`muster ruleset check` tells the same offline."),
        "ruleset-option-refused": (422, "No such option or value", "`errors` lists what may be set, and to what."),
        "impossible-result": (422, "The result is not possible", "`errors` names every fault with its clause."),
        "improbable-result": (
            422,
            "Is this right?",
            "`errors` says what a game brings, and by which clause. If it is right, send it with `improbable`: true.",
        ),
        "too-few-players": (409, "Too few players", "`detail` says how many are needed."),
        "rounds-not-fixed": (409, "The number of rounds is not fixed", "Amend the tournament with `rounds`."),
        "not-enough-tables": (409, "Not enough tables", "Add tables to the venue, or move players."),
    }
)
"""Code -> HTTP status, title, advice; for refusals of command handling and of the rules."""
