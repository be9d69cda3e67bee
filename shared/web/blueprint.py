"""A blueprint whose decorators add checks to an operation and document them in OpenAPI.

    @blp.post("/tournaments/<id:tournament>/results")
    @blp.allow(PLAYER, REFEREE)
    @blp.arguments(ReportResult)
    @blp.response(201, ResultShown)
    @blp.may_refuse("round-not-open", "not-your-game")
    def report_result(body, tournament): ...

The checks run in the order above: the caller, the body or query, then the view. The media type of the answer is always
checked after the caller (`shared/web/auth.py`).
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
SchemaSource = type[MarshmallowSchema] | type[Struct] | Deferred
"""A schema, the struct that a schema is derived from, or a deferred schema."""


class Blueprint(flask_smorest.Blueprint):  # type: ignore[misc]
    """flask-smorest's blueprint with decorators for access, problems and versions."""

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
        """name: the tag of the operations. reads_logs: answers depend on logs, so operations take Muster-Seen.

        may_refuse: problems of every operation, in addition to its own. any_query: operations without query parameters
        ignore a query instead of refusing it.
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
        schema: SchemaSource,
        *,
        location: str = "json",
        required: bool = True,
        description: str | None = None,
        example: dict[str, Any] | None = None,
        **options: Any,
    ) -> Callable[[View], View]:
        """Validate the body (location json) or the query (location query), and pass it to the view as first argument.

        required: False lets the body be missing; its defaults are used then. The schema is created at the first
        request. Faults are answered with the problem `invalid-request`, before the view runs.
        """
        options |= {"location": location, "required": required, "optional": not required}
        options |= {"description": description, "example": example}
        bind = super().arguments(_deferred(schema), **options)

        def decorator(view: View) -> View:
            bound = cast(View, bind(view))
            return _with_notes(bound, query=True) if location == "query" else bound

        return decorator

    def response(
        self,
        status_code: int,
        schema: SchemaSource | dict[str, Any] | None = None,
        **options: Any,
    ) -> Callable[[View], View]:
        """Set status and schema of the answer. A view may also return a Response, which is used unchanged."""
        made = schema if schema is None or isinstance(schema, dict) else _deferred(schema)
        return cast(Callable[[View], View], super().response(status_code, made, **options))

    def answers_as(self, *types: str) -> Callable[[View], View]:
        """Set the media types of the answer, if it is not JSON. The view returns the matching answer."""

        def decorator(view: View) -> View:
            return _with_notes(view, types=types)

        return decorator

    def csv_too(self, view: View) -> View:
        """Offer the answer as CSV, too, for `Accept: text/csv`. The view returns it (`paging.py`)."""
        file = {"schema": {"type": "string"}}
        noted = self.answers_as(*JSON_ALONE, "text/csv")(view)
        return self.doc(responses={200: {"content": {"text/csv": file}}})(noted)

    def alternative(
        self, status_code: int, schema: SchemaSource | None = None, *, description: str
    ) -> Callable[[View], View]:
        """Document another answer that is not a problem."""
        made = _deferred(schema) if schema else None
        return cast(Callable[[View], View], super().alt_response(status_code, schema=made, description=description))

    def doc(self, **options: Any) -> Callable[[View], View]:
        """Add to the OpenAPI documentation of an operation."""
        return cast(Callable[[View], View], super().doc(**options))

    def allow(self, *roles: str, within: str | None = "tournament") -> Callable[[View], View]:
        """Allow only these roles, and only in the tournament that the address names.

        within: the part of the address with the tournament's id (`<id:tournament>`); EVERY_TOURNAMENT: a token for all
        tournaments is needed; None: a token for any tournament is enough.
        Raises ValueError for an unknown role, and at registration for a route without that part.
        """
        unknown = set(roles) - set(ROLES)
        if unknown or not roles:
            raise ValueError(f"unknown roles {sorted(unknown)}; the roles are {', '.join(ROLES)}")
        allowed = sorted(frozenset(roles))

        def decorator(view: View) -> View:
            return _with_notes(view, roles=allowed, within=within)

        return decorator

    def narrowed(self, deciders: Callable[[], Narrowed]) -> Callable[[View], View]:
        """Document that the ruleset restricts the allowed roles further.

        deciders: called when the document is created; returns the question to decide, the deciding roles by ruleset id,
        and the deciding roles of all other rulesets.
        """

        def decorator(view: View) -> View:
            return _with_notes(view, narrowed=deciders)

        return decorator

    def hands_out_events(self, view: View) -> View:
        """Allow tokens that are limited to event types or to a venue. The view filters the events."""
        return _with_notes(view, events=True)

    def previewed(self, view: View) -> View:
        """Accept `preview=true`, which previews the command instead of running it (`shared/service/routes.py`).

        `CommandBlueprint.command` applies this to every command.
        """
        return _with_notes(view, previews=True)

    def located(self, view: View) -> View:
        """Document that the answer has the address of the created thing in the header Location."""
        return _with_notes(view, located=True)

    def may_refuse(self, *codes: str, absent: Sequence[str] = (), sent: Sequence[str] = ()) -> Callable[[View], View]:
        """Document the problems of an operation, in addition to those that every operation has.

        absent, sent: for problems about unknown things. absent: the request does not name the thing at all. sent: the
        body can name the thing, too, besides the address.
        """

        def decorator(view: View) -> View:
            return _with_notes(view, codes=list(codes), absent=list(absent), sent=list(sent))

        return decorator

    def resumed(self, view: View) -> View:
        """Document that the answer is a stream, which a client can resume with Last-Event-ID."""
        return _with_notes(view, resumed=True)

    def versioned(self, view: View) -> View:
        """Document that answers have an ETag, and that If-None-Match (reads) or If-Match (commands) is accepted."""
        return _with_notes(view, versioned=True)

    def add_url_rule(
        self, rule: str, endpoint: str | None = None, view_func: Any = None, *more: Any, **options: Any
    ) -> None:
        """Register a route. Raises ValueError if its access depends on a part that the address does not have."""
        notes = getattr(view_func, "_apidoc", {}).get("edge", {})
        within = notes.get("within")
        parts = re.findall(r"<(?:[^<>:]+:)?([^<>:]+)>", (self.url_prefix or "") + rule)
        if within not in (None, EVERY_TOURNAMENT, *parts):
            raise ValueError(f"{rule} lets roles in within its {within}, and has no <id:{within}>")
        if view_func is not None:
            bare = not (notes.get("query") or self._any_query)
            checks = RequestChecks(
                notes.get("roles"),
                within,
                notes.get("types", JSON_ALONE),
                bare,
                notes.get("events", False),
                bool(notes.get("previews")),
            )
            view_func = checks.guard(_with_notes(view_func, parts=parts))
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
        docstring = doc_info.setdefault("docstring", {})
        restriction = narrowed_text(notes) if "narrowed" in notes else None
        paragraphs = [docstring.get("description"), callers_text(notes), restriction]
        docstring["description"] = "\n\n".join(filter(None, paragraphs))
        return document_operation(doc, notes, **context)


def _prepare_schemas(doc: dict[str, Any], doc_info: dict[str, Any], **_: object) -> dict[str, Any]:
    """Create the deferred schemas of an operation before flask-smorest documents them."""
    if parameters := doc_info.get("arguments", {}).get("parameters"):
        parameters[:] = map(_with_schema, parameters)
    for answers in doc_info.get("response", {}).get("responses", {}).values():
        answers[:] = map(_with_schema, answers)
    if "manual_doc" in doc_info:
        doc_info["manual_doc"] = _with_schemas(doc_info["manual_doc"])
    return doc


def _with_schemas(noted: Any) -> Any:
    """Return a part of a document with its deferred schemas created."""
    if isinstance(noted, Deferred):
        return noted.schema
    if isinstance(noted, dict):
        return {name: _with_schemas(value) for name, value in noted.items()}
    return [_with_schemas(value) for value in noted] if isinstance(noted, list) else noted


def _deferred(source: SchemaSource) -> Deferred:
    """Return the schema of a source, created when it is first needed."""
    if isinstance(source, Deferred):
        return source
    if issubclass(source, MarshmallowSchema):
        schema = source  # mypy does not keep the narrowed type inside the closure
        return Deferred(lambda: schema)
    return deferred(source)


def _with_schema(noted: Mapping[str, Any]) -> dict[str, Any]:
    """Return the notes of a parameter or an answer, with its schema created."""
    schema = noted.get("schema")
    return {**noted, "schema": schema.schema} if isinstance(schema, Deferred) else dict(noted)


def _with_notes(view: View, **notes: Any) -> View:
    """Attach notes for OpenAPI to a view, in the same attribute as flask-smorest."""
    known = dict(getattr(view, "_apidoc", {}))
    known["edge"] = {**known.get("edge", {}), **notes}
    view._apidoc = known  # type: ignore[attr-defined]
    return view
