"""Whole tasks, from a request to what lies on disk or on the screen."""
