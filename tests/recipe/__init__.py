"""What recipes promise: ops that say what they mean, checked when they are made."""
