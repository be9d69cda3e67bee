"""What is made of the services' OpenAPI documents: one joined document, and the typed Python client."""
