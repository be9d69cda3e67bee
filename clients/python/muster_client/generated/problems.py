"""Every problem that the services name, as an exception of its own; `Problem` is any of them.

Made of clients/openapi.json by `make client`.
"""

from __future__ import annotations

from muster_client.errors import Problem


class AccountUnknown(Problem):
    """No such account (404 `account-unknown`).

    The accounts are caps, clean food and radiated food.
    """


class AllRoundsPlayed(Problem):
    """All rounds have been played (409 `all-rounds-played`).

    Conclude the tournament in scoring.
    """


class AlreadyOver(Problem):
    """The tournament would be over already (422 `already-over`).

    Tokens of players and staff end some days after the last day. `errors` names the earliest possible one.
    """


class AlreadyRolled(Problem):
    """The dice have been rolled (409 `already-rolled`).

    They stand; `data.result` says what they gave.
    """


class AppealOpen(Problem):
    """An appeal is open (409 `appeal-open`).

    The head referee rules, or rejects it: POST …/appeal/rejection.
    """


class AwardUnknown(Problem):
    """No such award (404 `award-unknown`).

    GET /tournaments/{id}/awards lists them.
    """


class BadRequest(Problem):
    """The request cannot be read (400 `bad-request`).

    The HTTP request itself is broken. `detail` says where.
    """


class BalanceTooLow(Problem):
    """The group does not have enough (409 `balance-too-low`).

    `data.account` says of what.
    """


class BeaconAwaited(Problem):
    """The draw waits for the public beacon (409 `beacon-awaited`).

    Repeat the command after `Retry-After` seconds.
    """


class BehindOwnCopies(Problem):
    """The service has lost events that its peers hold (503 `behind-own-copies`).

    Nothing was appended. An operator has to run `muster recover`; then repeat the request with the same
    Idempotency-Key.
    """


class BracketMovedOn(Problem):
    """The bracket leads another player there (409 `bracket-moved-on`).

    `data.games` are paired again as soon as pairing has read the result; by hand POST
    /tournaments/{id}/rounds/{n}/repairing, or …/withdrawal once the round has started.
    """


class BracketPlayedOn(Problem):
    """The bracket was played on (409 `bracket-played-on`).

    `detail` says how to take the later games back: void their results (POST …/games/{game}/voiding), in a closed
    round after opening it again (POST …/rounds/{n}/reopening). Then correct the result.
    """


class BracketStands(Problem):
    """The bracket decides who plays (409 `bracket-stands`).

    POST /tournaments/{id}/cut/given-up; the opponent goes on, and the other games stay.
    """


class Busy(Problem):
    """Too many commands at once (503 `busy`).

    Repeat the command with its Idempotency-Key after `Retry-After` seconds.
    """


class ByeHasNoResult(Problem):
    """A bye has no result (409 `bye-has-no-result`).

    The ruleset says what it is worth.
    """


class CallOutOfOrder(Problem):
    """This call is not the next one (409 `call-out-of-order`).

    `data.open` lists the calls that can be made.
    """


class CallOver(Problem):
    """The call is over (409 `call-over`).

    `data` says how it ended. Call again if someone is needed.
    """


class CallTaken(Problem):
    """Someone else has taken this call (409 `call-taken`).

    `data.name` is on the way; a head referee can answer it.
    """


class CallUnknown(Problem):
    """No such call (404 `call-unknown`).

    GET /tournaments/{id}/calls lists those that you are shown.
    """


class CapacityTooSmall(Problem):
    """Too few seats (409 `capacity-too-small`).

    `errors` says how many are needed; amend the tournament.
    """


class ChoiceRefused(Problem):
    """The rules do not allow this (422 `choice-refused`).

    `errors` says why; GET …/post-game lists what is legal.
    """


class CoinNotOffered(Problem):
    """Ties are drawn from a seed (409 `coin-not-offered`).

    The recorded draw decides.
    """


class CsvRefused(Problem):
    """The file cannot be imported (422 `csv-refused`).

    `errors` names every row and column; nobody was entered.
    """


class CutAlreadyPublished(Problem):
    """The cut has been published (409 `cut-already-published`).

    Make it again, until its first round is paired.
    """


class CutDue(Problem):
    """The cut comes first (409 `cut-due`).

    POST /tournaments/{id}/cut, then pair the first elimination round.
    """


class CutMade(Problem):
    """The cut has been made (409 `cut-made`).

    A player has answered. Players who cannot come decline: POST …/decline.
    """


class CutMissing(Problem):
    """Nobody has been invited yet (409 `cut-missing`).

    Make the cut first: POST …/season/cut.
    """


class CutNotPublished(Problem):
    """The cut is a draft (409 `cut-not-published`).

    POST /tournaments/{id}/cut/publication.
    """


class CutStands(Problem):
    """The cut can no longer change (409 `cut-stands`).

    Elimination has begun; give up single seats instead.
    """


class DatesOutOfOrder(Problem):
    """The tournament would end before it starts (422 `dates-out-of-order`).

    `ends_on` is the day of `starts_on`, or later.
    """


class DeliveryUnknown(Problem):
    """No such delivery (404 `delivery-unknown`).

    GET …/deliveries lists those that are kept: the latest, of the last days.
    """


class DiceRefused(Problem):
    """These dice do not fit (422 `dice-refused`).

    `errors` says which dice are needed, and who has to see them.
    """


class DivisionUnknown(Problem):
    """No such division (422 `division-unknown`).

    `errors` names the divisions of the season.
    """


class DraftOutdated(Problem):
    """The draft is outdated (409 `draft-outdated`).

    POST /tournaments/{id}/rounds/{n}/repairing.
    """


class DuplicateMember(Problem):
    """A member occurs twice in one object (400 `duplicate-member`).

    `errors` points at the member. Send it once.
    """


class EntryClaimed(Problem):
    """The entry already belongs to a player (409 `entry-claimed`).

    `data.player` says to whom. If two players are the same person, merge them.
    """


class EntryUnknown(Problem):
    """No such entry (404 `entry-unknown`).

    GET …/season/tournaments/{gathered}/entries lists them.
    """


class EventTooLarge(Problem):
    """More than one event may hold (413 `event-too-large`).

    Send the same in several parts.
    """


class EventUnknown(Problem):
    """There is no such event (404 `event-unknown`).

    `/asyncapi.json` names every type and version, and `data.versions` those of this type.
    """


class ExternalIdTaken(Problem):
    """The external id is taken (409 `external-id-taken`).

    `errors` says whose it is; each external id belongs to one player.
    """


class FeedBeyond(Problem):
    """The feed has never been that long (422 `feed-beyond`).

    Repeat the request with the number in the subscriber's cursor; `errors` says what is possible.
    """


class FeedCursorOfAnother(Problem):
    """The cursor belongs to another reader (403 `feed-cursor-of-another`).

    A cursor is valid for readers who see the same events. Begin without `after`.
    """


class FeedCursorUnknown(Problem):
    """The feed does not have this place (410 `feed-cursor-unknown`).

    The cursor is from another installation, or scoring's database was restored or repaired since. Begin without
    `after`, and skip events whose `id` you know.
    """


class Forbidden(Problem):
    """This role may not do this (403 `forbidden`).

    `data.roles` lists the roles that may. Ask someone who has one of them.
    """


class FormUnknown(Problem):
    """No such form (404 `form-unknown`).

    GET /tournaments/{id}/forms of scoring lists them.
    """


class FormatNotPlayed(Problem):
    """The ruleset is for another format (422 `format-not-played`).

    `errors` names the right format; you can also leave `format` out.
    """


class GameHasResult(Problem):
    """The game has a result (409 `game-has-result`).

    `data.games` names them; void a mistaken result first.
    """


class GameHeld(Problem):
    """The game is waiting for a list (409 `game-held`).

    `data.players` says whose and why. Registration accepts the list, or staff record that the game was not played.
    """


class GameNotReady(Problem):
    """The game cannot have begun (409 `game-not-ready`).

    `errors` names what has to be recorded before the game.
    """


class GameReportRefused(Problem):
    """The game cannot have gone like this (422 `game-report-refused`).

    `errors` names every fault with its clause.
    """


class GameUnknown(Problem):
    """No such game (404 `game-unknown`).

    GET /tournaments/{id}/rounds/{n} lists the games of a round.
    """


class GamesOpen(Problem):
    """Some games are still open (409 `games-open`).

    `detail` and `data.games` name them, with their tables and what each waits for.
    """


class GroupLocked(Problem):
    """The group can no longer change (409 `group-locked`).

    `detail` says since when, and who may still hand one in.
    """


class GroupMissing(Problem):
    """The player has no group yet (404 `group-missing`).

    POST /tournaments/{id}/players/{player}/group hands one in.
    """


class GroupRefused(Problem):
    """This group may not enter the campaign (422 `group-refused`).

    `errors` names every fault with its clause.
    """


class GroupUnknown(Problem):
    """No such group (404 `group-unknown`).

    GET /tournaments/{id}/groups lists them.
    """


class GroupsWaiting(Problem):
    """The round is waiting for groups (409 `groups-waiting`).

    `data.groups` names them. The round closes automatically after the last of them.
    """


class IdempotencyKeyReused(Problem):
    """The Idempotency-Key was used for another request (422 `idempotency-key-reused`).

    A key identifies one request. Repeat that request unchanged, or choose a new key.
    """


class IdentitiesMet(Problem):
    """The two have played each other (409 `identities-met`).

    Two people who sat at one table cannot be the same person; `data.tournaments` says where they met.
    """


class IdentityMerged(Problem):
    """The player was merged with another (409 `identity-merged`).

    `data.into` says who the player is now.
    """


class IdentityNotMerged(Problem):
    """There is nothing to take apart (409 `identity-not-merged`).

    `errors` says what can be taken apart.
    """


class ImplausibleSeen(Problem):
    """Muster-Seen names events that no log has (400 `implausible-seen`).

    `errors` says how many events each log can have. Send the header of an answer about this tournament, or leave it
    out.
    """


class ImpossibleMove(Problem):
    """This cannot have happened (422 `impossible-move`).

    `errors` names every fault with its clause.
    """


class ImpossibleResult(Problem):
    """The result is not possible (422 `impossible-result`).

    `errors` names every fault with its clause.
    """


class ImprobableResult(Problem):
    """Is this right? (422 `improbable-result`).

    `errors` says what a game brings, and by which clause. If it is right, send it with `improbable`: true.
    """


class IncompleteBody(Problem):
    """The body ended too early (400 `incomplete-body`).

    Fewer bytes arrived than the request announced, and nothing was done. Send it again, with the same Idempotency-
    Key.
    """


class InternalError(Problem):
    """Something went wrong on our side (500 `internal-error`).

    Tell the operator the `request_id`. You can repeat a command with its Idempotency-Key: it takes effect at most
    once.
    """


class InvalidCursor(Problem):
    """The cursor is not one of this list (400 `invalid-cursor`).

    Take `after` unchanged from `next` of the previous page, or leave it out to begin at the start.
    """


class InvalidIdempotencyKey(Problem):
    """The Idempotency-Key cannot be used (400 `invalid-idempotency-key`).

    Give 1 to 128 visible ASCII characters, for example a UUID, and a new one for each new command.
    """


class InvalidRequest(Problem):
    """The request is not valid (422 `invalid-request`).

    `errors` lists every fault: `where` as a JSON pointer, what was said, and what is expected, as a `code` with its
    `data` and as a sentence.
    """


class InvitationUnknown(Problem):
    """No such invitation (404 `invitation-unknown`).

    The right code is the one that GET /tournaments/{id}/players/{player}/invitation gives to that survivor.
    """


class InviteOnly(Problem):
    """By invitation only (403 `invite-only`).

    Ask the organiser. A token of staff or of an integration of this tournament can sign players up.
    """


class JudgeAlreadyCalled(Problem):
    """A judge has been called to this table (409 `judge-already-called`).

    `data.call` is open; a judge comes.
    """


class JudgeMayNotPlay(Problem):
    """No judge plays at this tier (409 `judge-may-not-play`).

    Appoint someone who does not play, or give the reason in `override`.
    """


class KeptApartNotOffered(Problem):
    """Not offered at this tier (409 `kept-apart-not-offered`).

    The ruleset lets players ask for this at other tiers only, or not at all.
    """


class LaterRoundPaired(Problem):
    """A later round has been paired (409 `later-round-paired`).

    Correct the result instead.
    """


class LeavesOpen(Problem):
    """Something is left that this would lose (409 `leaves-open`).

    `data.left_open` lists it. Use it first, or send `leave` to give it up.
    """


class LogUnreadable(Problem):
    """A log of this tournament cannot be read (503 `log-unreadable`).

    `data.event` names the event. An operator's GET /readyz says what repairs it: an upgrade, or `muster recopy`.
    """


class MalformedJson(Problem):
    """The body is not JSON (400 `malformed-json`).

    `data.line` and `data.column` (both from 1) say where reading stopped. JSON is UTF-8 without a BOM.
    """


class MalformedSeen(Problem):
    """The Muster-Seen header cannot be read (400 `malformed-seen`).

    Send back the Muster-Seen header of an earlier answer unchanged: `registration=12, pairing=4`.
    """


class MethodNotAllowed(Problem):
    """This address does not accept this method (405 `method-not-allowed`).

    The header `Allow` lists the methods that it accepts.
    """


class MoveOutOfOrder(Problem):
    """Something else comes first (409 `move-out-of-order`).

    `errors` says which move is next.
    """


class NameNotFree(Problem):
    """This name reads like another player's (422 `name-not-free`).

    Use the organiser's own name or that of their club.
    """


class NameTaken(Problem):
    """The name is taken (409 `name-taken`).

    The names of two players or venues of a tournament must differ in more than capitals and spaces.
    """


class NoCut(Problem):
    """There is no cut (409 `no-cut`).

    `detail` and `data.clause` say why.
    """


class NoFinal(Problem):
    """There is no final (409 `no-final`).

    The ruleset's option `season.final` says how many are invited.
    """


class NoGame(Problem):
    """The player has no game (404 `no-game`).

    The latest round has no pairing with this player.
    """


class NoHeadReferee(Problem):
    """There is no head referee (409 `no-head-referee`).

    Without one a ruling is final.
    """


class NoSpare(Problem):
    """The ruleset has no spare player (409 `no-spare`).

    The player left over gets a bye.
    """


class NoTableToCallTo(Problem):
    """Nobody sits at a table (409 `no-table-to-call-to`).

    A bye has none; ask a member of the staff.
    """


class NoTimetable(Problem):
    """There is no timetable yet (404 `no-timetable`).

    Amend the tournament: `starts_on` says on which day it is.
    """


class NotAcceptable(Problem):
    """Not available in the form asked for (406 `not-acceptable`).

    `data.types` lists the media types of this answer. A problem is always `application/problem+json`.
    """


class NotAppealed(Problem):
    """No appeal is open (409 `not-appealed`).

    There is nothing to reject.
    """


class NotEnoughTables(Problem):
    """Not enough tables (409 `not-enough-tables`).

    Add tables to the venue, or move players.
    """


class NotFound(Problem):
    """There is nothing at this address (404 `not-found`).

    Every address of this service is listed under /docs.
    """


class NotInCut(Problem):
    """The player is not in the cut (404 `not-in-cut`).

    GET /tournaments/{id}/cut lists the seats.
    """


class NotInvited(Problem):
    """The player is not invited (409 `not-invited`).

    GET …/season/final lists who is.
    """


class NotMustered(Problem):
    """The group has not mustered (409 `not-mustered`).

    Say first who plays: POST …/games/{game}/muster.
    """


class NotOnPurpose(Problem):
    """There is nothing to keep back (422 `not-on-purpose`).

    `errors` names what the format can publish on purpose.
    """


class NotTied(Problem):
    """These players are not the tied ones (409 `not-tied`).

    `errors` names the groups that are tied.
    """


class NotYetSeen(Problem):
    """The service has not read that far yet (503 `not-yet-seen`).

    You know something from another service that has not reached this one. Repeat the request after `Retry-After`
    seconds.
    """


class NotYourDecision(Problem):
    """Someone else decides this (403 `not-your-decision`).

    The ruleset says who; `data.roles` names them, `data.clause` the rule.
    """


class NotYourDice(Problem):
    """These are not your dice (403 `not-your-dice`).

    The witness of a die, not the person who entered it, confirms or disputes it, or staff do: GET …/dice says who.
    """


class NotYourGame(Problem):
    """This is not your game (403 `not-your-game`).

    Players speak only of their own games; ask a referee.
    """


class NotYourGroup(Problem):
    """This is not your group (403 `not-your-group`).

    Players decide for their own group only; staff decide for any.
    """


class NotYourInvitation(Problem):
    """You can do this only for yourself (403 `not-your-invitation`).

    Players answer for themselves; staff answer for everybody.
    """


class NotYourTable(Problem):
    """You do not sit at this table (403 `not-your-table`).

    Call a judge to your own game.
    """


class NotYourTournament(Problem):
    """Another organiser leads this tournament (403 `not-your-tournament`).

    With a token for all tournaments an organiser leads those that they announced. Ask its organiser, or an
    operator, to appoint you; the appointment comes with a token for this tournament.
    """


class NotYourWebhook(Problem):
    """The webhook belongs to someone else (403 `not-your-webhook`).

    An organiser manages all of them.
    """


class NotYours(Problem):
    """You can do this only for yourself (403 `not-yours`).

    Players act for themselves; staff act for others.
    """


class OperatorDataRefused(Problem):
    """The data of the game are not valid (422 `operator-data-refused`).

    `errors` names every fault.
    """


class OrganiserDecides(Problem):
    """An organiser decides this (403 `organiser-decides`).

    Ask an organiser.
    """


class OtherDetail(Problem):
    """This event reports in another way (409 `other-detail`).

    `play.detail` of the ruleset says in which; GET /tournaments/{id} shows it.
    """


class OtherVenue(Problem):
    """This is about another venue (403 `other-venue`).

    Staff appointed for one venue act there; staff appointed without a venue act everywhere.
    """


class OthersRelyOnIt(Problem):
    """Others rely on this (409 `others-rely-on-it`).

    `errors` names what rests on it. Enter a correction in the ledger once step 2 is closed: POST …/ledger.
    """


class OwnGame(Problem):
    """This is your own game (403 `own-game`).

    Another member of the staff changes it before it is published.
    """


class OwnLogForked(Problem):
    """The service and its peers hold different events (409 `own-log-forked`).

    Keep this database aside, begin with an empty one, and run `muster recover`; `errors` says what differs.
    """


class OwnReport(Problem):
    """The opponent has to confirm (409 `own-report`).

    The player who reported the result cannot confirm it; the opponent or staff can.
    """


class OwnerUnavailable(Problem):
    """The owner of the log does not answer (503 `owner-unavailable`).

    `detail` says what it answered. Repeat the request when it works again.
    """


class PairedTogether(Problem):
    """The round was paired for all venues together (409 `paired-together`).

    Leave `venue` out.
    """


class PairingsRefused(Problem):
    """These pairings are not possible (422 `pairings-refused`).

    `errors` names every fault; nothing was paired.
    """


class PartNotAside(Problem):
    """The part was not set aside (409 `part-not-aside`).

    Set it aside first: POST …/rounds/{n}/aside. Otherwise every game needs a result.
    """


class PartStays(Problem):
    """The part cannot be set aside (409 `part-stays`).

    `detail` says why. Close it when its games have results.
    """


class PartUnknown(Problem):
    """The round has no games at this venue (422 `part-unknown`).

    `errors` names the venues with games.
    """


class PartyRefused(Problem):
    """This party is not possible (422 `party-refused`).

    `errors` names every fault; nobody was entered.
    """


class PartyUnknown(Problem):
    """No such party (404 `party-unknown`).

    GET /tournaments/{id}/parties lists them.
    """


class PeerUnavailable(Problem):
    """A peer does not answer (503 `peer-unavailable`).

    Start it and repeat the request. If it never comes back, repeat with its name in `without`.
    """


class PeersDisagree(Problem):
    """The peers hold different events (409 `peers-disagree`).

    `detail` says where. Repeat the request, and name the peer that is wrong in `without`.
    """


class PlayerNotActive(Problem):
    """The player is not taking part (409 `player-not-active`).

    `data.status` says why, `detail` what to do first.
    """


class PlayerUnknown(Problem):
    """No such player (404 `player-unknown`).

    GET /tournaments/{id}/players lists them.
    """


class PlayersWithoutVenue(Problem):
    """Some players have no venue (409 `players-without-venue`).

    Check the players in `data.players` in at an open venue.
    """


class PreconditionFailed(Problem):
    """It has changed since you read it (412 `precondition-failed`).

    Read the resource again, look at what changed, and repeat the command with the new ETag (`data.etag`).
    """


class PublicationPast(Problem):
    """That time is over (422 `publication-past`).

    Set a later one, or leave `at` out to publish it now.
    """


class QuotaReached(Problem):
    """The quota is used up (409 `quota-reached`).

    `data` says what is counted and for whom, the maximum (`limit`) and how much there is (`used`). Staff have
    larger quotas than players and guests: ask them.
    """


class ReasonNeeded(Problem):
    """A reason is needed (422 `reason-needed`).

    Say in `reason` why; the public record shows it.
    """


class RegistrationClosed(Problem):
    """Registration is closed (409 `registration-closed`).

    `detail` says what staff may do: reopen registration, take a late entry, or raise the capacity.
    """


class ReportChanged(Problem):
    """The report was changed (409 `report-changed`).

    `data.facts` is the report as it is now. Confirm it with `data.report`, or dispute it.
    """


class ResultExists(Problem):
    """Another result has been reported (409 `result-exists`).

    `detail` says what to do with the one in `data.facts`.
    """


class ResultMissing(Problem):
    """No result has been reported (404 `result-missing`).

    Report the result first.
    """


class ResultNotBinding(Problem):
    """The result does not count yet (409 `result-not-binding`).

    Confirm it, or rule on it: POST …/ruling.
    """


class ResultSettled(Problem):
    """The result is past this step (409 `result-settled`).

    `data.status` says what it is now, `detail` what to do.
    """


class RosterIllegal(Problem):
    """The roster is not legal (422 `roster-illegal`).

    `errors` names every fault with its clause.
    """


class RosterLocked(Problem):
    """The roster is locked (409 `roster-locked`).

    Play has begun; only staff may amend the roster now, with a reason.
    """


class RosterMissing(Problem):
    """The player has no roster (409 `roster-missing`).

    The player hands one in first.
    """


class RosterTooLarge(Problem):
    """The roster is too large (413 `roster-too-large`).

    `data.limit` is the largest roster that is accepted, in bytes of JSON.
    """


class RostersHidden(Problem):
    """Rosters are not open yet (403 `rosters-hidden`).

    Until the first round has begun, ask with a token of the tournament; `data.roles` lists the roles that may see
    them.
    """


class RoundAlreadyPaired(Problem):
    """Another round is next (409 `round-already-paired`).

    `data.next` is the round to pair.
    """


class RoundAlreadyPublished(Problem):
    """The round has been published (409 `round-already-published`).

    Amend it, or withdraw it, as any other round.
    """


class RoundAlreadyStarted(Problem):
    """The round has begun (409 `round-already-started`).

    `detail` says what is still possible.
    """


class RoundClosed(Problem):
    """The round is closed (409 `round-closed`).

    Reopen it in scoring, as long as no round was paired from it.
    """


class RoundHasAbsentPlayers(Problem):
    """Some players of the round cannot play (409 `round-has-absent-players`).

    `data.players` says who and why. If a list is missing, have it handed in and accepted. If a player has left a
    Swiss round, amend the pairing (the opponent gets a bye), or pair the round again; in the bracket give up their
    seat: POST /tournaments/{id}/cut/given-up.
    """


class RoundHasResults(Problem):
    """Results have been reported (409 `round-has-results`).

    `data.games` have results. Void each in scoring (POST /tournaments/{id}/games/{game}/voiding), then take the
    round back. In a campaign what was played stays.
    """


class RoundNotBegun(Problem):
    """The round has not started (409 `round-not-begun`).

    Results are accepted once it has.
    """


class RoundNotClosed(Problem):
    """The previous round is not over (409 `round-not-closed`).

    `data.games` are still open; close the round in scoring.
    """


class RoundNotLatest(Problem):
    """A later round has been paired (409 `round-not-latest`).

    Only the latest round can change. Correct the results of an earlier one.
    """


class RoundNotPublished(Problem):
    """The round is a draft (409 `round-not-published`).

    POST /tournaments/{id}/rounds/{n}/publication.
    """


class RoundNotStarted(Problem):
    """The round has not begun (409 `round-not-started`).

    POST /tournaments/{id}/rounds/{n}/start.
    """


class RoundUnknown(Problem):
    """No such round (404 `round-unknown`).

    GET /tournaments/{id}/rounds lists those that are paired.
    """


class RoundsByOption(Problem):
    """An option sets the number of rounds (422 `rounds-by-option`).

    Leave `rounds` out, or set the option to the same number.
    """


class RoundsByTable(Problem):
    """The ruleset asks for another number of rounds (409 `rounds-by-table`).

    Amend the tournament: set `rounds` to `data.rounds`.
    """


class RoundsNotFixed(Problem):
    """The number of rounds is not fixed (409 `rounds-not-fixed`).

    Amend the tournament with `rounds`.
    """


class RoundsRemain(Problem):
    """There are rounds left to play (409 `rounds-remain`).

    Play them, or say in `reason` why the tournament ends here.
    """


class RulesetMoveRefused(Problem):
    """The campaign cannot move to this ruleset (422 `ruleset-move-refused`).

    `errors` names every fault.
    """


class RulesetOptionRefused(Problem):
    """No such option or value (422 `ruleset-option-refused`).

    `errors` lists what may be set, and to what.
    """


class RulesetRefused(Problem):
    """The pack does not hold together (422 `ruleset-refused`).

    `muster ruleset check` tells the same offline.
    """


class RulingFinal(Problem):
    """The head referee has ruled (409 `ruling-final`).

    Only the head referee can change this, or an organiser, who overrides it with a reason: POST …/override.
    """


class RulingNotFinal(Problem):
    """There is no final ruling (409 `ruling-not-final`).

    Rule on the result, or correct it.
    """


class RulingStands(Problem):
    """The ruling is final (409 `ruling-stands`).

    The person who ruled can correct it, a player can appeal, or an organiser can override it with a reason: POST
    …/override.
    """


class ScenarioMissing(Problem):
    """The round needs a scenario (422 `scenario-missing`).

    Pair it with `scenario`; `errors` names them.
    """


class SchemaOutdated(Problem):
    """The database has not been upgraded yet (503 `schema-outdated`).

    The operator runs `python -m deploy.migrate`; nothing needs a restart. Repeat the request after `Retry-After`
    seconds; repeat a command with its Idempotency-Key.
    """


class SeasonNotOver(Problem):
    """The season has not ended (409 `season-not-over`).

    Conclude it first: POST …/conclusion of scoring.
    """


class SeasonWithoutResults(Problem):
    """No tournament has results yet (409 `season-without-results`).

    Gather tournaments that are concluded.
    """


class SeatNotGiven(Problem):
    """This seat is not taken back (409 `seat-not-given`).

    `detail` says why; who does not play withdraws: POST …/withdrawal.
    """


class SeatingRefused(Problem):
    """This seating is not possible (422 `seating-refused`).

    `errors` names every fault; nobody was seated.
    """


class SessionEnded(Problem):
    """The session is over (409 `session-ended`).

    `data` says what ended it. If something about it is wrong, the organiser corrects it: POST …/correction.
    """


class SessionHasBegun(Problem):
    """The table has been set up (409 `session-has-begun`).

    `data.sessions` names the tables; nobody can change places there any more.
    """


class SessionNotBegun(Problem):
    """The session has not begun (409 `session-not-begun`).

    Set the table up first: POST …/setup.
    """


class SessionNotEnded(Problem):
    """The session is still being played (409 `session-not-ended`).

    Play it to its end, or have the organiser end it.
    """


class SessionSetUp(Problem):
    """The table has been set up already (409 `session-set-up`).

    `data.status` says how far the session is.
    """


class SessionSettled(Problem):
    """The result counts already (409 `session-settled`).

    The organiser corrects it: POST …/correction.
    """


class SessionUnknown(Problem):
    """No such session (404 `session-unknown`).

    GET /tournaments/{id}/session-rounds lists the tables.
    """


class SessionsOpen(Problem):
    """Some sessions are still open (409 `sessions-open`).

    `data.sessions` names them.
    """


class SetUpRefused(Problem):
    """The table cannot be set up like this (422 `set-up-refused`).

    `errors` names every fault with its clause.
    """


class SignUpsPaused(Problem):
    """Too many people are signing up at once (429 `sign-ups-paused`).

    Wait as many seconds as `Retry-After` says; staff can enter players meanwhile.
    """


class SpareTaken(Problem):
    """There is a spare player already (409 `spare-taken`).

    `data.staff` is standing by; recall them first.
    """


class StaffOnly(Problem):
    """Only staff record this (403 `staff-only`).

    Call a referee.
    """


class StaffUnknown(Problem):
    """No such member of staff (404 `staff-unknown`).

    GET /tournaments/{id} lists the staff.
    """


class StandingsAlreadyPublished(Problem):
    """The standings have been published (409 `standings-already-published`).

    Close a round; its standings are kept back until they are published.
    """


class StandingsNotPublished(Problem):
    """The standings are held back (409 `standings-not-published`).

    Publish them at scoring: POST /tournaments/{id}/standings/publication.
    """


class StandingsUnknown(Problem):
    """No such standings (404 `standings-unknown`).

    Standings are numbered from 1; leave `number` out for the latest.
    """


class StatementUnknown(Problem):
    """No such statement (404 `statement-unknown`).

    GET /tournaments/{id}/groups/{group}/statements lists what can be taken back.
    """


class StatementsFall(Problem):
    """Later statements would no longer hold (409 `statements-fall`).

    `errors` names them and why. Send `"drop": true` to undo them as well.
    """


class StepRefused(Problem):
    """Another step is open (409 `step-refused`).

    GET …/post-game says which step is open, and what it needs.
    """


class StillInUse(Problem):
    """Still in use (409 `still-in-use`).

    Wait until the round is closed, or move its games and unpin its players.
    """


class StreamsFull(Problem):
    """This process holds no more streams (503 `streams-full`).

    Come back after `Retry-After` seconds, or ask GET /feed with `wait`.
    """


class TableTaken(Problem):
    """The table is taken (409 `table-taken`).

    `data.game` is still being played there; GET /tournaments/{id}/tables lists the tables.
    """


class TableUnknown(Problem):
    """No such table (404 `table-unknown`).

    GET /tournaments/{id} lists the tables of every venue.
    """


class TieUndecided(Problem):
    """Staff have to name who goes (409 `tie-undecided`).

    `data.ties` says who shares which place; send those who go in `named`.
    """


class TimeIsUp(Problem):
    """The end of the round was called (409 `time-is-up`).

    Give extra time to single games, with `game`.
    """


class TimeRemains(Problem):
    """The session has time left (409 `time-remains`).

    `data` says how much. The outcome of a table that left is `abandoned`.
    """


class TokenExpired(Problem):
    """The token has expired (401 `token-expired`).

    Ask an organiser of the tournament for a new one.
    """


class TokenNarrowed(Problem):
    """The token does not allow this (403 `token-narrowed`).

    `data` says what it allows: reading only, or events of some types, which GET /log and the log of a tournament
    hand out.
    """


class TokenNotYetValid(Problem):
    """The token is not valid yet (401 `token-not-yet-valid`).

    `data.good_from` says when it becomes valid, in seconds since 1970. If that moment has passed, a clock is wrong.
    """


class TokenRevoked(Problem):
    """The token was revoked (401 `token-revoked`).

    An organiser or the operator revoked this token. Ask for a new one.
    """


class TooEarly(Problem):
    """The announced time has not come (409 `too-early`).

    `data.now` is the time of the service.
    """


class TooFewPlayers(Problem):
    """Too few players (409 `too-few-players`).

    `detail` says how many are needed.
    """


class TooLarge(Problem):
    """The body is too large (413 `too-large`).

    `data.limit` is the largest body that is accepted here, in bytes. Send a long list in several parts.
    """


class TooLateToChange(Problem):
    """Too late to change (409 `too-late-to-change`).

    `detail` says what has happened since.
    """


class TooManyRequests(Problem):
    """Too many requests (429 `too-many-requests`).

    Wait as many seconds as `Retry-After` says.
    """


class TooManyStreams(Problem):
    """You hold too many streams (429 `too-many-streams`).

    `data.limit` is how many one caller may hold. Follow several tournaments in one stream, or close some.
    """


class TournamentExists(Problem):
    """The id is taken (409 `tournament-exists`).

    Announce it again with another Idempotency-Key, or without one.
    """


class TournamentGathered(Problem):
    """The season counts this tournament already (409 `tournament-gathered`).

    GET …/season/tournaments lists what the season counts.
    """


class TournamentNotForSeason(Problem):
    """A season cannot count this tournament (422 `tournament-not-for-season`).

    `errors` says why, and what would be right.
    """


class TournamentNotGathered(Problem):
    """The season does not count this tournament (404 `tournament-not-gathered`).

    GET …/season/tournaments lists what the season counts.
    """


class TournamentOver(Problem):
    """The tournament is over (409 `tournament-over`).

    After the end, staff can only correct results (POST …/correction) and give awards; a cancelled tournament can
    only be read.
    """


class TournamentUnknown(Problem):
    """No such tournament (404 `tournament-unknown`).

    Look up its id in the directory: GET /tournaments.
    """


class TournamentsOpen(Problem):
    """Some tournaments are still open (409 `tournaments-open`).

    `data.tournaments` names them. Or say in `reason` why the season ends without their results.
    """


class Unauthenticated(Problem):
    """The request carries no valid token (401 `unauthenticated`).

    Send `Authorization: Bearer <token>`. A player's own link carries its token as `?token=`, for reading only.
    """


class Unavailable(Problem):
    """Not available at the moment (503 `unavailable`).

    Something that this service needs does not answer. Repeat the request after `Retry-After` seconds; repeat a
    command with its Idempotency-Key.
    """


class UnknownRuleset(Problem):
    """No such ruleset (404 `unknown-ruleset`).

    GET /rulesets of registration lists the shipped ones.
    """


class UnsupportedMediaType(Problem):
    """The body has the wrong media type (415 `unsupported-media-type`).

    Send `Content-Type: application/json`, or `text/csv` for a file of players, and everything in UTF-8.
    """


class VenueUnknown(Problem):
    """No such venue (404 `venue-unknown`).

    `errors` names the open venues.
    """


class VenuesApart(Problem):
    """The venue would be too far ahead (409 `venues-apart`).

    Wait for the venues in `data.venues`, or allow more with `rounds_apart` of the tournament.
    """


class WebhookDisabled(Problem):
    """The webhook is disabled (409 `webhook-disabled`).

    Enable it: POST …/enable. `data.cause` says why it is.
    """


class WebhookTargetLost(Problem):
    """Muster no longer knows where the webhook leads (409 `webhook-target-lost`).

    The database that held the address was lost. Give it again (PATCH), and rotate the secret.
    """


class WebhookTargetRefused(Problem):
    """Webhooks do not go there (422 `webhook-target-refused`).

    `errors` says which part of the address is why. An operator may allow networks of their own.
    """


class WebhookUnknown(Problem):
    """No such webhook (404 `webhook-unknown`).

    GET /tournaments/{id}/webhooks lists them.
    """


class WrongFormat(Problem):
    """The tournament is of another format (409 `wrong-format`).

    `data.format` is the tournament's format. Some addresses are for one format only.
    """


class WrongTournament(Problem):
    """The token is for another tournament (403 `wrong-tournament`).

    A token is valid in one tournament. Use the one that you were given for this tournament.
    """


BY_CODE: dict[str, type[Problem]] = {
    "account-unknown": AccountUnknown,
    "all-rounds-played": AllRoundsPlayed,
    "already-over": AlreadyOver,
    "already-rolled": AlreadyRolled,
    "appeal-open": AppealOpen,
    "award-unknown": AwardUnknown,
    "bad-request": BadRequest,
    "balance-too-low": BalanceTooLow,
    "beacon-awaited": BeaconAwaited,
    "behind-own-copies": BehindOwnCopies,
    "bracket-moved-on": BracketMovedOn,
    "bracket-played-on": BracketPlayedOn,
    "bracket-stands": BracketStands,
    "busy": Busy,
    "bye-has-no-result": ByeHasNoResult,
    "call-out-of-order": CallOutOfOrder,
    "call-over": CallOver,
    "call-taken": CallTaken,
    "call-unknown": CallUnknown,
    "capacity-too-small": CapacityTooSmall,
    "choice-refused": ChoiceRefused,
    "coin-not-offered": CoinNotOffered,
    "csv-refused": CsvRefused,
    "cut-already-published": CutAlreadyPublished,
    "cut-due": CutDue,
    "cut-made": CutMade,
    "cut-missing": CutMissing,
    "cut-not-published": CutNotPublished,
    "cut-stands": CutStands,
    "dates-out-of-order": DatesOutOfOrder,
    "delivery-unknown": DeliveryUnknown,
    "dice-refused": DiceRefused,
    "division-unknown": DivisionUnknown,
    "draft-outdated": DraftOutdated,
    "duplicate-member": DuplicateMember,
    "entry-claimed": EntryClaimed,
    "entry-unknown": EntryUnknown,
    "event-too-large": EventTooLarge,
    "event-unknown": EventUnknown,
    "external-id-taken": ExternalIdTaken,
    "feed-beyond": FeedBeyond,
    "feed-cursor-of-another": FeedCursorOfAnother,
    "feed-cursor-unknown": FeedCursorUnknown,
    "forbidden": Forbidden,
    "form-unknown": FormUnknown,
    "format-not-played": FormatNotPlayed,
    "game-has-result": GameHasResult,
    "game-held": GameHeld,
    "game-not-ready": GameNotReady,
    "game-report-refused": GameReportRefused,
    "game-unknown": GameUnknown,
    "games-open": GamesOpen,
    "group-locked": GroupLocked,
    "group-missing": GroupMissing,
    "group-refused": GroupRefused,
    "group-unknown": GroupUnknown,
    "groups-waiting": GroupsWaiting,
    "idempotency-key-reused": IdempotencyKeyReused,
    "identities-met": IdentitiesMet,
    "identity-merged": IdentityMerged,
    "identity-not-merged": IdentityNotMerged,
    "implausible-seen": ImplausibleSeen,
    "impossible-move": ImpossibleMove,
    "impossible-result": ImpossibleResult,
    "improbable-result": ImprobableResult,
    "incomplete-body": IncompleteBody,
    "internal-error": InternalError,
    "invalid-cursor": InvalidCursor,
    "invalid-idempotency-key": InvalidIdempotencyKey,
    "invalid-request": InvalidRequest,
    "invitation-unknown": InvitationUnknown,
    "invite-only": InviteOnly,
    "judge-already-called": JudgeAlreadyCalled,
    "judge-may-not-play": JudgeMayNotPlay,
    "kept-apart-not-offered": KeptApartNotOffered,
    "later-round-paired": LaterRoundPaired,
    "leaves-open": LeavesOpen,
    "log-unreadable": LogUnreadable,
    "malformed-json": MalformedJson,
    "malformed-seen": MalformedSeen,
    "method-not-allowed": MethodNotAllowed,
    "move-out-of-order": MoveOutOfOrder,
    "name-not-free": NameNotFree,
    "name-taken": NameTaken,
    "no-cut": NoCut,
    "no-final": NoFinal,
    "no-game": NoGame,
    "no-head-referee": NoHeadReferee,
    "no-spare": NoSpare,
    "no-table-to-call-to": NoTableToCallTo,
    "no-timetable": NoTimetable,
    "not-acceptable": NotAcceptable,
    "not-appealed": NotAppealed,
    "not-enough-tables": NotEnoughTables,
    "not-found": NotFound,
    "not-in-cut": NotInCut,
    "not-invited": NotInvited,
    "not-mustered": NotMustered,
    "not-on-purpose": NotOnPurpose,
    "not-tied": NotTied,
    "not-yet-seen": NotYetSeen,
    "not-your-decision": NotYourDecision,
    "not-your-dice": NotYourDice,
    "not-your-game": NotYourGame,
    "not-your-group": NotYourGroup,
    "not-your-invitation": NotYourInvitation,
    "not-your-table": NotYourTable,
    "not-your-tournament": NotYourTournament,
    "not-your-webhook": NotYourWebhook,
    "not-yours": NotYours,
    "operator-data-refused": OperatorDataRefused,
    "organiser-decides": OrganiserDecides,
    "other-detail": OtherDetail,
    "other-venue": OtherVenue,
    "others-rely-on-it": OthersRelyOnIt,
    "own-game": OwnGame,
    "own-log-forked": OwnLogForked,
    "own-report": OwnReport,
    "owner-unavailable": OwnerUnavailable,
    "paired-together": PairedTogether,
    "pairings-refused": PairingsRefused,
    "part-not-aside": PartNotAside,
    "part-stays": PartStays,
    "part-unknown": PartUnknown,
    "party-refused": PartyRefused,
    "party-unknown": PartyUnknown,
    "peer-unavailable": PeerUnavailable,
    "peers-disagree": PeersDisagree,
    "player-not-active": PlayerNotActive,
    "player-unknown": PlayerUnknown,
    "players-without-venue": PlayersWithoutVenue,
    "precondition-failed": PreconditionFailed,
    "publication-past": PublicationPast,
    "quota-reached": QuotaReached,
    "reason-needed": ReasonNeeded,
    "registration-closed": RegistrationClosed,
    "report-changed": ReportChanged,
    "result-exists": ResultExists,
    "result-missing": ResultMissing,
    "result-not-binding": ResultNotBinding,
    "result-settled": ResultSettled,
    "roster-illegal": RosterIllegal,
    "roster-locked": RosterLocked,
    "roster-missing": RosterMissing,
    "roster-too-large": RosterTooLarge,
    "rosters-hidden": RostersHidden,
    "round-already-paired": RoundAlreadyPaired,
    "round-already-published": RoundAlreadyPublished,
    "round-already-started": RoundAlreadyStarted,
    "round-closed": RoundClosed,
    "round-has-absent-players": RoundHasAbsentPlayers,
    "round-has-results": RoundHasResults,
    "round-not-begun": RoundNotBegun,
    "round-not-closed": RoundNotClosed,
    "round-not-latest": RoundNotLatest,
    "round-not-published": RoundNotPublished,
    "round-not-started": RoundNotStarted,
    "round-unknown": RoundUnknown,
    "rounds-by-option": RoundsByOption,
    "rounds-by-table": RoundsByTable,
    "rounds-not-fixed": RoundsNotFixed,
    "rounds-remain": RoundsRemain,
    "ruleset-move-refused": RulesetMoveRefused,
    "ruleset-option-refused": RulesetOptionRefused,
    "ruleset-refused": RulesetRefused,
    "ruling-final": RulingFinal,
    "ruling-not-final": RulingNotFinal,
    "ruling-stands": RulingStands,
    "scenario-missing": ScenarioMissing,
    "schema-outdated": SchemaOutdated,
    "season-not-over": SeasonNotOver,
    "season-without-results": SeasonWithoutResults,
    "seat-not-given": SeatNotGiven,
    "seating-refused": SeatingRefused,
    "session-ended": SessionEnded,
    "session-has-begun": SessionHasBegun,
    "session-not-begun": SessionNotBegun,
    "session-not-ended": SessionNotEnded,
    "session-set-up": SessionSetUp,
    "session-settled": SessionSettled,
    "session-unknown": SessionUnknown,
    "sessions-open": SessionsOpen,
    "set-up-refused": SetUpRefused,
    "sign-ups-paused": SignUpsPaused,
    "spare-taken": SpareTaken,
    "staff-only": StaffOnly,
    "staff-unknown": StaffUnknown,
    "standings-already-published": StandingsAlreadyPublished,
    "standings-not-published": StandingsNotPublished,
    "standings-unknown": StandingsUnknown,
    "statement-unknown": StatementUnknown,
    "statements-fall": StatementsFall,
    "step-refused": StepRefused,
    "still-in-use": StillInUse,
    "streams-full": StreamsFull,
    "table-taken": TableTaken,
    "table-unknown": TableUnknown,
    "tie-undecided": TieUndecided,
    "time-is-up": TimeIsUp,
    "time-remains": TimeRemains,
    "token-expired": TokenExpired,
    "token-narrowed": TokenNarrowed,
    "token-not-yet-valid": TokenNotYetValid,
    "token-revoked": TokenRevoked,
    "too-early": TooEarly,
    "too-few-players": TooFewPlayers,
    "too-large": TooLarge,
    "too-late-to-change": TooLateToChange,
    "too-many-requests": TooManyRequests,
    "too-many-streams": TooManyStreams,
    "tournament-exists": TournamentExists,
    "tournament-gathered": TournamentGathered,
    "tournament-not-for-season": TournamentNotForSeason,
    "tournament-not-gathered": TournamentNotGathered,
    "tournament-over": TournamentOver,
    "tournament-unknown": TournamentUnknown,
    "tournaments-open": TournamentsOpen,
    "unauthenticated": Unauthenticated,
    "unavailable": Unavailable,
    "unknown-ruleset": UnknownRuleset,
    "unsupported-media-type": UnsupportedMediaType,
    "venue-unknown": VenueUnknown,
    "venues-apart": VenuesApart,
    "webhook-disabled": WebhookDisabled,
    "webhook-target-lost": WebhookTargetLost,
    "webhook-target-refused": WebhookTargetRefused,
    "webhook-unknown": WebhookUnknown,
    "wrong-format": WrongFormat,
    "wrong-tournament": WrongTournament,
}
