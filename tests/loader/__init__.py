"""What the loader promises: the same batches however, wherever and whenever they are made."""
