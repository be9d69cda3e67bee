"""How gunicorn serves a service: requests are read to their end, and answers sent, without holding a thread."""
