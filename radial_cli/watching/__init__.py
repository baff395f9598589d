"""`radial watch`: what it prints as things move."""
