"""What every answer tells the browser: nothing from elsewhere, nothing inline, nothing kept by others."""

from __future__ import annotations

from flask import Response

POLICY = "; ".join(
    (
        "default-src 'none'",
        "style-src 'self'",
        "font-src 'self'",
        "img-src 'self' data:",
        "script-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
}


def add_headers(response: Response) -> Response:
    """Add them. Pages belong to the person who asked, so no cache keeps them."""
    response.headers.update(HEADERS)
    if response.mimetype == "text/html":
        response.headers["Cache-Control"] = "no-store"
    return response
