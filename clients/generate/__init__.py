"""Generators: one joined OpenAPI document of the services, and the typed Python client."""
