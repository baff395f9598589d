"""What a turn is told and why there is one: the faces of what is decided without a network."""
