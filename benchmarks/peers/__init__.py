"""The rivals, each in an environment and a process of its own."""
