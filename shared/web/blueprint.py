"""A blueprint whose decorators check at the door and write OpenAPI at the same time.

    @blp.post("/tournaments/<id:tournament>/results")
    @blp.allow(PLAYER, REFEREE)
    @blp.arguments(ReportResult)
    @blp.response(201, ResultShown)
    @blp.may_refuse("round-not-open", "not-your-game")
    def report_result(body, tournament): ...

The order above is the order of the checks: who asks, then the shape of what is asked, then the view. Between the two
first, and whatever the decorators: whether the answer comes in a form that is taken (`shared/web/auth.py`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar, cast

import flask_smorest  # type: ignore[import-untyped]
from marshmallow import Schema as MarshmallowSchema
from msgspec import Struct

from shared.roles import EVERY_TOURNAMENT, ROLES
from shared.web.auth import JSON_ALONE, RequestChecks
from shared.web.body import ArgumentsParser
from shared.web.openapi import callers_text, document_operation, narrowed_text
from shared.web.schema import Deferred, deferred

View = TypeVar("View", bound=Callable[..., Any])
Narrowed = tuple[str, Mapping[str, Sequence[str]], Sequence[str]]
Wanted = type[MarshmallowSchema] | type[Struct] | Deferred
"""A shape: a schema, the struct that one is derived from, or what makes one when it is needed."""


class Blueprint(flask_smorest.Blueprint):  # type: ignore[misc]
    """flask-smorest's blueprint with access, problems and versions as decorators; see the module."""

    ARGUMENTS_PARSER = ArgumentsParser()

    def __init__(
        self,
        name: str,
        *,
        description: str = "",
        url_prefix: str | None = None,
        reads_logs: bool = True,
        may_refuse: Sequence[str] = (),
        any_query: bool = False,
    ) -> None:
        """name: tag of the operations. reads_logs: whether answers follow logs, and so take Muster-Seen.

        may_refuse: problems that every operation here answers with, besides those it names itself.
        any_query: a query is passed over where an operation takes none; elsewhere it is refused.
        """
        super().__init__(name, __name__, url_prefix=url_prefix, description=description)
        self._reads_logs = reads_logs
        self._may_refuse = tuple(may_refuse)
        self._any_query = any_query
        self._prepare_doc_cbks.insert(0, _prepare_schemas)
        self._prepare_doc_cbks.append(self._prepare_edge_doc)

    def get(self, rule: str, **options: Any) -> Callable[[View], View]:
        """Answer GET; the function's name becomes the operationId."""
        return cast(Callable[[View], View], super().get(rule, **options))

    def post(self, rule: str, **options: Any) -> Callable[[View], View]:
        """Answer POST; the function's name becomes the operationId."""
        return cast(Callable[[View], View], super().post(rule, **options))

    def put(self, rule: str, **options: Any) -> Callable[[View], View]:
        """Answer PUT; the function's name becomes the operationId."""
        return cast(Callable[[View], View], super().put(rule, **options))

    def patch(self, rule: str, **options: Any) -> Callable[[View], View]:
        """Answer PATCH; the function's name becomes the operationId."""
        return cast(Callable[[View], View], super().patch(rule, **options))

    def delete(self, rule: str, **options: Any) -> Callable[[View], View]:
        """Answer DELETE; the function's name becomes the operationId."""
        return cast(Callable[[View], View], super().delete(rule, **options))

    def arguments(
        self,
        schema: Wanted,
        *,
        location: str = "json",
        required: bool = True,
        description: str | None = None,
        example: dict[str, Any] | None = None,
        **options: Any,
    ) -> Callable[[View], View]:
        """Load the body (location json) or the address's query (location query) and hand it to the view first.

        required: whether there has to be a body; without one its defaults count.
        The schema is made once, at the first request. Faults end as the problem `invalid-request`, before the view
        runs.
        """
        options |= {"location": location, "required": required, "optional": not required}
        options |= {"description": description, "example": example}
        bind = super().arguments(_later(schema), **options)

        def decorator(view: View) -> View:
            bound = cast(View, bind(view))
            return _noted(bound, query=True) if location == "query" else bound

        return decorator

    def response(
        self,
        status_code: int,
        schema: Wanted | dict[str, Any] | None = None,
        **options: Any,
    ) -> Callable[[View], View]:
        """Answer with a status, dumped through a schema; a view that returns a Response answers with that."""
        made = schema if schema is None or isinstance(schema, dict) else _later(schema)
        return cast(Callable[[View], View], super().response(status_code, made, **options))

    def answers_as(self, *types: str) -> Callable[[View], View]:
        """Say in which media types the answer comes, where that is not JSON; the view makes it so."""

        def decorator(view: View) -> View:
            return _noted(view, types=types)

        return decorator

    def csv_too(self, view: View) -> View:
        """Say that the answer comes as a file, too, for `Accept: text/csv`; the view makes it (`paging.py`)."""
        file = {"schema": {"type": "string"}}
        noted = self.answers_as(*JSON_ALONE, "text/csv")(view)
        return self.doc(responses={200: {"content": {"text/csv": file}}})(noted)

    def alternative(
        self, status_code: int, schema: Wanted | None = None, *, description: str
    ) -> Callable[[View], View]:
        """Document another answer that is no problem."""
        made = _later(schema) if schema else None
        return cast(Callable[[View], View], super().alt_response(status_code, schema=made, description=description))

    def doc(self, **options: Any) -> Callable[[View], View]:
        """Add to what OpenAPI says of an operation, in its own words."""
        return cast(Callable[[View], View], super().doc(**options))

    def allow(self, *roles: str, within: str | None = "tournament") -> Callable[[View], View]:
        """Let only these roles in, and only in the tournament that the address names.

        within: the part of the address that holds the tournament's id (`<id:tournament>`); EVERY_TOURNAMENT: the
        operation belongs to no tournament, and takes a token of all of them; None: a token of any will do.
        Raises ValueError for a role that does not exist, and later for a route without that part.
        """
        unknown = set(roles) - set(ROLES)
        if unknown or not roles:
            raise ValueError(f"unknown roles {sorted(unknown)}; the roles are {', '.join(ROLES)}")
        may = frozenset(roles)

        def decorator(view: View) -> View:
            return _noted(view, roles=sorted(may), within=within)

        return decorator

    def narrowed(self, told: Callable[[], Narrowed]) -> Callable[[View], View]:
        """Document that of the roles let in a ruleset leaves only some to act: those who settle a question.

        told: called when the document is made, for the question, id of a shipped ruleset -> the roles that settle it,
        and those that do under rulesets not named.
        """

        def decorator(view: View) -> View:
            return _noted(view, narrowed=told)

        return decorator

    def hands_out_events(self, view: View) -> View:
        """Let in tokens that are for events of some types or of one venue; the view leaves out the others."""
        return _noted(view, events=True)

    def previewed(self, view: View) -> View:
        """Take `preview=true`: what the command would do is answered instead of done (`shared/service/routes.py`).

        Operations of a `CommandBlueprint.command` do so by themselves.
        """
        return _noted(view, previews=True)

    def located(self, view: View) -> View:
        """Document that answers have the address of what was made in the header Location."""
        return _noted(view, located=True)

    def may_refuse(self, *codes: str, absent: Sequence[str] = (), sent: Sequence[str] = ()) -> Callable[[View], View]:
        """Document the problems that an operation answers with besides those that every such operation has.

        Of those of things that are not there: absent comes though the request named nothing of the kind; sent (one of
        the codes) also comes of something in the body, besides what the address names.
        """

        def decorator(view: View) -> View:
            return _noted(view, codes=list(codes), absent=list(absent), sent=list(sent))

        return decorator

    def resumed(self, view: View) -> View:
        """Document that the answer is a stream, and that Last-Event-ID is taken where a client comes back to it."""
        return _noted(view, resumed=True)

    def versioned(self, view: View) -> View:
        """Document that answers carry an ETag, and that If-None-Match (reading) or If-Match (commands) is taken."""
        return _noted(view, versioned=True)

    def add_url_rule(
        self, rule: str, endpoint: str | None = None, view_func: Any = None, *more: Any, **options: Any
    ) -> None:
        """Register a route. Raises ValueError when its access needs a part of the address that is not there."""
        notes = getattr(view_func, "_apidoc", {}).get("edge", {})
        within = notes.get("within")
        parts = re.findall(r"<(?:[^<>:]+:)?([^<>:]+)>", (self.url_prefix or "") + rule)
        if within not in (None, EVERY_TOURNAMENT, *parts):
            raise ValueError(f"{rule} lets roles in within its {within}, and has no <id:{within}>")
        if view_func is not None:
            bare = not (notes.get("query") or self._any_query)
            door = RequestChecks(
                notes.get("roles"),
                within,
                notes.get("types", JSON_ALONE),
                bare,
                notes.get("events", False),
                bool(notes.get("previews")),
            )
            view_func = door.guard(_noted(view_func, parts=parts))
        super().add_url_rule(rule, endpoint, view_func, *more, **options)

    def _store_endpoint_docs(
        self, endpoint: str, obj: Any, parameters: Sequence[Any] | None, tags: Sequence[str] | None, **options: Any
    ) -> None:
        super()._store_endpoint_docs(endpoint, obj, parameters, tags, **options)
        for method, doc in self._docs[endpoint].items():
            if method != "parameters":
                doc.setdefault("manual_doc", {}).setdefault("operationId", endpoint)

    def _prepare_edge_doc(self, doc: dict[str, Any], doc_info: dict[str, Any], **context: Any) -> dict[str, Any]:
        notes = {"reads_logs": self._reads_logs, **doc_info.get("edge", {})}
        notes["file"] = "requestBody" in doc_info.get("manual_doc", {})
        notes["strict"] = notes.get("query") or not self._any_query
        notes["codes"] = [*notes.get("codes", ()), *self._may_refuse]
        if "narrowed" in notes:
            notes["narrowed"] = notes["narrowed"]()
        told = doc_info.setdefault("docstring", {})
        parts = [told.get("description"), callers_text(notes), narrowed_text(notes) if "narrowed" in notes else None]
        told["description"] = "\n\n".join(filter(None, parts))
        return document_operation(doc, notes, **context)


def _prepare_schemas(doc: dict[str, Any], doc_info: dict[str, Any], **_: object) -> dict[str, Any]:
    """Make the schemas of an operation before flask-smorest documents them."""
    if parameters := doc_info.get("arguments", {}).get("parameters"):
        parameters[:] = map(_now, parameters)
    for answers in doc_info.get("response", {}).get("responses", {}).values():
        answers[:] = map(_now, answers)
    if "manual_doc" in doc_info:
        doc_info["manual_doc"] = _with_schemas(doc_info["manual_doc"])
    return doc


def _with_schemas(noted: Any) -> Any:
    """Return a piece of a document with the schemas in it made."""
    if isinstance(noted, Deferred):
        return noted.schema
    if isinstance(noted, dict):
        return {name: _with_schemas(value) for name, value in noted.items()}
    return [_with_schemas(value) for value in noted] if isinstance(noted, list) else noted


def _later(wanted: Wanted) -> Deferred:
    """The schema of a shape, made when it is first needed."""
    if isinstance(wanted, Deferred):
        return wanted
    if issubclass(wanted, MarshmallowSchema):
        made = wanted  # for mypy, which forgets in a closure what it was told
        return Deferred(lambda: made)
    return deferred(wanted)


def _now(noted: Mapping[str, Any]) -> dict[str, Any]:
    """Notes on a parameter or an answer, with its schema."""
    schema = noted.get("schema")
    return {**noted, "schema": schema.schema} if isinstance(schema, Deferred) else dict(noted)


def _noted(view: View, **notes: Any) -> View:
    """Put notes for OpenAPI on a view, as flask-smorest does with its own."""
    known = dict(getattr(view, "_apidoc", {}))
    known["edge"] = {**known.get("edge", {}), **notes}
    view._apidoc = known  # type: ignore[attr-defined]
    return view
