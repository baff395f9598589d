"""What a person means, as complete records; and what the fold will make of them, before anything is written.

Strategy: a builder takes a desk (the index, who acts, what the clock says) and gives an act: records with every anchor
and all the provenance that the index knows. It never asks whether they would count: that is foreseen by folding them,
so that a forecast cannot part from the fold. What is merely unwise is a caution, and never stops anybody.
"""
