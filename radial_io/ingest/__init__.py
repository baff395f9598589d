"""Turning repos into observations."""
