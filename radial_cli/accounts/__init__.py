"""Logging in and out, and what is on its way to one's own repo."""
