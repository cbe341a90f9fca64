"""What the order promises: positions, draws, ends and saved state."""
