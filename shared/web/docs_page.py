"""/docs: the OpenAPI document of a service to read and to try, by Swagger UI, with the way to the other services.

A token that somebody enters is kept in the session storage of the browser: it survives a reload and ends with the tab.
The local storage, which Swagger UI would use by itself, keeps it for whoever sits down at that computer next.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from types import MappingProxyType

from flask import Blueprint, Response, abort, render_template_string, send_from_directory
from msgspec import Struct

from shared.version import VERSION
from shared.web.access import best_type
from shared.web.request import this_request

ASSETS = ("swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png")
POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'"
"""Content-Security-Policy: everything from here, nothing from elsewhere, so that it works offline."""

_PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{{ title }}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="docs/swagger-ui.css"><link rel="icon" href="docs/favicon-32x32.png">
<style>
#services {font: 16px sans-serif; max-width: 1460px; margin: 0 auto; padding: 16px 20px 0; color: #3b4151}
#services a, #services strong {margin-right: 16px}
</style></head>
<body><nav id="services" aria-label="Services">{% for name, address in services.items() %}
{% if name == this %}<strong aria-current="page">{{ name }}</strong>
{% else %}<a href="{{ address }}/docs" rel="noopener">{{ name }}</a>{% endif %}{% endfor %}</nav>
<div id="docs"></div><script src="docs/swagger-ui-bundle.js"></script><script src="docs/start.js"></script>
</body></html>
"""
_START = """const KEPT = "muster-token";
const keeping = {statePlugins: {auth: {wrapActions: {
  authorize: (original) => (entered) => {
    if (entered.bearer) sessionStorage.setItem(KEPT, entered.bearer.value);
    return original(entered);
  },
  logout: (original) => (names) => {
    if (names.includes("bearer")) sessionStorage.removeItem(KEPT);
    return original(names);
  },
}}}};
const ui = SwaggerUIBundle({
  url: "openapi.json", dom_id: "#docs", deepLinking: true, validatorUrl: null, plugins: [keeping],
  onComplete: () => {
    const token = sessionStorage.getItem(KEPT);
    if (token) ui.preauthorizeApiKey("bearer", token);
  },
});
"""


class About(Struct, frozen=True):
    """What the documentation of a service says of it.

    services: name -> address of every one as people reach it, for the way from one's documentation to the others'.
    """

    title: str
    description: str
    version: str = VERSION
    services: Mapping[str, str] = MappingProxyType({})


def pages(about: About, this: str) -> Blueprint:
    """The page and what it loads. this: the service."""

    def docs() -> Response:
        best_type(this_request().environ.get("HTTP_ACCEPT"), ("text/html",))
        page = Response(
            render_template_string(_PAGE, title=about.title, this=this, services=about.services or {this: ""}),
            mimetype="text/html",
        )
        page.headers["Content-Security-Policy"] = POLICY
        return page

    def start() -> Response:
        return Response(_START, mimetype="text/javascript")

    def asset(name: str) -> Response:
        if name not in ASSETS:
            abort(404)
        return send_from_directory(str(files("flask_swagger_ui") / "dist"), name, max_age=86400)

    blueprint = Blueprint("docs", __name__)
    blueprint.add_url_rule("/docs", view_func=docs)
    blueprint.add_url_rule("/docs/start.js", view_func=start)
    blueprint.add_url_rule("/docs/<name>", view_func=asset)
    return blueprint
