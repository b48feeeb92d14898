"""The operator's desk: the whole of a running game, and all that can be put right in it."""
