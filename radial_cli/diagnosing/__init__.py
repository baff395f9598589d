"""`radial status` and `radial doctor`: how the store, the repos and the clock are."""
