"""Commands whose body may be left out altogether."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from marshmallow import Schema

from shared.web.blueprint import Blueprint
from shared.web.body import load, read_json
from shared.web.operations import WITH_BODY
from shared.web.request import this_request

View = TypeVar("View", bound=Callable[..., Any])


def optional_body(blueprint: Blueprint, schema: type[Schema]) -> Callable[[View], View]:
    """Hand the loaded body to the view first, as `blueprint.arguments` does; without a body, the schema's defaults."""
    made = schema()

    def decorator(view: View) -> View:
        @wraps(view)
        def with_body(*args: Any, **kwargs: Any) -> Any:
            request = this_request()
            given = bool(request.content_length) or "HTTP_TRANSFER_ENCODING" in request.environ
            return view(load(made, read_json() if given else {}), *args, **kwargs)

        codes = getattr(view, "_apidoc", {}).get("edge", {}).get("codes", ())
        documented = blueprint.may_refuse(*WITH_BODY, *codes)(with_body)
        content = {"application/json": {"schema": made}}
        return cast(View, blueprint.doc(requestBody={"required": False, "content": content})(documented))

    return decorator
