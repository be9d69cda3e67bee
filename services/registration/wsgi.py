"""The WSGI entry point."""

from services.registration.wiring import build_web

app = build_web()
