"""What every op does to pixels, against NumPy and Pillow."""
