"""What the engine promises: equal pixels, failures told, memory owned, clean ends."""
