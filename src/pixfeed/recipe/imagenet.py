"""The statistics of ImageNet, as everybody's models were trained with."""

from __future__ import annotations

IMAGENET_MEAN = (0.485, 0.456, 0.406)
"""The mean of red, green and blue, of pixels from 0 to 1."""

IMAGENET_STD = (0.229, 0.224, 0.225)
"""The standard deviation of red, green and blue, of pixels from 0 to 1."""
