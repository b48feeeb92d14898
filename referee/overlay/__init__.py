"""What viewers see: the game projected to a snapshot, and the page that draws it."""
