"""The WSGI entry point."""

from services.console.app import build_web

app = build_web()
