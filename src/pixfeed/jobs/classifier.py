"""A small classifier in plain NumPy: which way edges run, then a network of one hidden layer."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]

ANGLES = 8
"""In how many directions edges are told apart."""

CELLS = 5
"""Into how many rows and columns a picture is divided."""

# So few that NumPy's products stay on one thread: more would take the loader's cores to spin on.
HIDDEN = 20


def features(images: NDArray[Any]) -> Array:
    """How strong the edges of each direction are in each cell of a picture, as (n, numbers).

    Pictures are (n, channels, height, width). Light on dark is the same as dark on light.

    >>> features(np.zeros((2, 3, 40, 40), np.float32)).shape
    (2, 200)
    """
    gray = images.mean(axis=1)
    across = gray[:, 1:-1, 2:] - gray[:, 1:-1, :-2]
    down = gray[:, 2:, 1:-1] - gray[:, :-2, 1:-1]
    strength = np.hypot(across, down) + 1e-6
    # Of twice the angle: an edge and the same edge from the other side are one direction.
    twice = (across**2 - down**2) / strength**2, 2 * across * down / strength**2
    turns = 2 * np.pi * np.arange(ANGLES, dtype=np.float32) / ANGLES
    edges = [np.maximum(0, twice[0] * np.cos(t) + twice[1] * np.sin(t)) ** 2 for t in turns]
    cells = _cells(np.stack(edges, 1) * strength[:, None]).reshape(len(images), -1)
    scaled: Array = cells / np.linalg.norm(cells, axis=1, keepdims=True).clip(1e-6)
    return scaled * np.float32(CELLS)


def _cells(maps: NDArray[Any]) -> NDArray[Any]:
    """The mean of each cell; what does not divide evenly is left out at the edges."""
    height, width = (side // CELLS for side in maps.shape[2:])
    even = maps[:, :, : height * CELLS, : width * CELLS]
    means: NDArray[Any] = even.reshape(*maps.shape[:2], CELLS, height, CELLS, width).mean((3, 5))
    return means


class Classifier:
    """Learns classes from batches of pictures; deterministic by its seed.

    >>> rng = np.random.default_rng(0)
    >>> labels = np.arange(64) % 2
    >>> stripes = np.tile(np.sin(np.arange(40, dtype=np.float32)), (64, 3, 40, 1))
    >>> stripes[labels == 1] = stripes[labels == 1].swapaxes(2, 3)
    >>> classifier = Classifier(classes=2, seed=0)
    >>> for _ in range(20):
    ...     loss = classifier.learn(stripes, labels)
    >>> bool((classifier.classify(stripes) == labels).all())
    True
    """

    def __init__(self, classes: int, seed: int) -> None:
        rng = np.random.default_rng(seed)
        inputs = ANGLES * CELLS * CELLS
        self._weights = [
            rng.normal(0, np.sqrt(2 / inputs), (inputs, HIDDEN)).astype(np.float32),
            np.zeros(HIDDEN, np.float32),
            rng.normal(0, np.sqrt(2 / HIDDEN), (HIDDEN, classes)).astype(np.float32),
            np.zeros(classes, np.float32),
        ]
        self._optimizer = Adam(self._weights)

    def learn(self, images: NDArray[Any], labels: NDArray[Any]) -> float:
        """Takes one step towards the labels; returns the loss before it."""
        inputs = features(images)
        hidden, scores = self._forward(inputs)
        chances = _softmax(scores)
        rows = np.arange(len(labels))
        loss = -float(np.log(chances[rows, labels] + 1e-9).mean())
        chances[rows, labels] -= 1
        slope = chances / np.float32(len(labels))
        back = (slope @ self._weights[2].T) * (hidden > 0)
        slopes = [inputs.T @ back, back.sum(0), hidden.T @ slope, slope.sum(0)]
        self._optimizer.step(self._weights, slopes)
        return loss

    def classify(self, images: NDArray[Any]) -> NDArray[np.int64]:
        """The class of each picture."""
        scores = self._forward(features(images))[1]
        best: NDArray[np.int64] = np.argmax(scores, axis=1)
        return best

    def _forward(self, inputs: Array) -> tuple[Array, Array]:
        first, bias, second, offset = self._weights
        hidden = np.maximum(0, inputs @ first + bias)
        return hidden, hidden @ second + offset


class Adam:
    """Steps against the slopes, each weight at its own pace (Kingma and Ba, 2015), ever shorter.

    >>> weights = [np.ones(1, np.float32)]
    >>> Adam(weights, pace=0.5).step(weights, [np.ones(1, np.float32)])
    >>> weights[0].round(1).tolist()
    [0.5]
    """

    def __init__(self, weights: list[Array], pace: float = 0.02) -> None:
        self._pace, self._steps = pace, 0
        self._means = [np.zeros_like(weight) for weight in weights]
        self._squares = [np.zeros_like(weight) for weight in weights]

    def step(self, weights: list[Array], slopes: list[Array]) -> None:
        """Moves the weights, in place."""
        self._steps += 1
        settled = np.sqrt(1 - 0.999**self._steps) / (1 - 0.9**self._steps)
        pace = np.float32(self._pace * settled / (1 + self._steps / 100))
        for parts in zip(weights, slopes, self._means, self._squares, strict=True):
            _step(*parts, pace)


def _step(weight: Array, slope: Array, mean: Array, square: Array, pace: np.float32) -> None:
    mean += 0.1 * (slope - mean)
    square += 0.001 * (slope * slope - square)
    weight -= pace * mean / (np.sqrt(square) + np.float32(1e-8))


def _softmax(scores: Array) -> Array:
    powers: Array = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares: Array = powers / powers.sum(axis=1, keepdims=True)
    return shares
