"""Bytes to pixels: one thread, files in memory."""
