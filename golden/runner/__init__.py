"""The runner of the golden suite, from the ground up: comparing, suite, process, talking, judging, running, telling."""
