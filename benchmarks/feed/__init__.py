"""Folders to batches: two threads, the rivals in environments and processes of their own."""
