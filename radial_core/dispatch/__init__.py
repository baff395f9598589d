"""Dispatch, the deciding half: what to do next, what a turn is told, what a turn may write.

Everything here is a function of an index, of what its operator configured and of what is given as now: no clock, no
network, no process. The doing is `radial_io`'s.
"""
