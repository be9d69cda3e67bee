"""The WSGI entry point."""

from services.registration.app import build_web

app = build_web()
