"""An export that was paused, killed or left without room goes on where it stopped."""
