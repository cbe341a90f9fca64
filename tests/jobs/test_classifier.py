"""The demo's classifier: its slopes are right, and it is the same each time."""

from __future__ import annotations

import numpy as np
import pytest

from pixfeed.jobs.classifier import Adam, Classifier, features


def _stripes(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Pictures of stripes across and down, each moved, with noise."""
    rng = np.random.default_rng(3)
    labels = np.arange(count) % 2
    phase = rng.uniform(0, 6, (count, 1, 1, 1))
    wave = np.sin(np.arange(40) / 2 + phase) + np.zeros((count, 3, 40, 1))
    images = np.where(labels[:, None, None, None] == 1, wave.swapaxes(2, 3), wave)
    return (images + rng.normal(0, 0.2, images.shape)).astype(np.float32), labels


def test_features_tell_the_direction_of_edges_and_not_their_side() -> None:
    images, labels = _stripes(8)
    found = features(images)
    assert found.dtype == np.float32
    assert np.allclose(found, features(-images), atol=1e-5)
    middles = [found[labels == label].mean(axis=0) for label in (0, 1)]
    assert np.abs(middles[0] - middles[1]).max() > 5 * found.std(axis=0).min()


def test_a_picture_without_edges_has_no_features() -> None:
    flat = np.full((1, 3, 32, 32), 0.5, np.float32)
    assert np.isfinite(features(flat)).all()


def test_it_learns_and_the_loss_falls() -> None:
    images, labels = _stripes(128)
    classifier = Classifier(classes=2, seed=0)
    losses = [classifier.learn(images[:64], labels[:64]) for _ in range(30)]
    assert losses[-1] < losses[0] / 4
    assert (classifier.classify(images[64:]) == labels[64:]).mean() > 0.95


def test_it_learns_the_same_each_time() -> None:
    images, labels = _stripes(32)
    first, second = Classifier(2, seed=1), Classifier(2, seed=1)
    assert [first.learn(images, labels) for _ in range(5)] == [
        second.learn(images, labels) for _ in range(5)
    ]


def test_a_step_goes_against_the_slope_of_the_loss(monkeypatch: pytest.MonkeyPatch) -> None:
    """The slopes of `learn` beside differences of the loss itself."""
    images, labels = _stripes(16)
    seen: list[np.ndarray] = []
    monkeypatch.setattr(Adam, "step", lambda _self, _weights, slopes: seen.extend(slopes))
    classifier = Classifier(classes=2, seed=2)
    classifier.learn(images, labels)
    for weight, slope in zip(classifier._weights, list(seen), strict=True):
        at = np.unravel_index(int(np.abs(slope).argmax()), slope.shape)
        weight[at] += np.float32(1e-2)
        above = classifier.learn(images, labels)
        weight[at] -= np.float32(2e-2)
        below = classifier.learn(images, labels)
        weight[at] += np.float32(1e-2)
        assert (above - below) / 2e-2 == pytest.approx(slope[at], rel=0.1)
