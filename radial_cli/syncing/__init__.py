"""`radial sync`: what it draws while it works, and what it says at the end."""
