"""Thin adapters: the network, the clock and the disk. Every rule they need comes from `radial_core`."""
