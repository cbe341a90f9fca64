"""tf.data: files, `decode_and_crop_jpeg`, a private pool of threads."""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterator
from typing import Any

from benchmarks.peers.dataset import MEAN, SIDE, STD
from benchmarks.peers.protocol import Job, Peer, serve

BATCH = 128
AHEAD = 4


def build(job: Job) -> Peer:
    """A dataset over the workload's class folder."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
    batch, ahead = job.batch or BATCH, job.ahead or AHEAD
    tf: Any = importlib.import_module("tensorflow")
    tf.config.threading.set_intra_op_parallelism_threads(1)
    tf.config.threading.set_inter_op_parallelism_threads(job.threads)
    dataset = _dataset(job, tf).batch(batch).prefetch(ahead)

    def epoch() -> Iterator[tuple[Any, Any]]:
        for images, labels in dataset:
            yield images.numpy(), labels.numpy()

    return Peer(tf.__version__, f"private pool, batch {batch}, {ahead} batches ahead", epoch)


def _dataset(job: Job, tf: Any) -> Any:
    paths = sorted(str(path) for path in job.data.folder.glob("*/*"))
    dataset = tf.data.Dataset.from_tensor_slices((paths, list(job.data.labels)))
    if job.workload != "eval":
        dataset = dataset.shuffle(len(paths), seed=0)
    options = tf.data.Options()
    options.threading.private_threadpool_size = job.threads
    options.threading.max_intra_op_parallelism = 1
    options.deterministic = False
    view = _VIEWS[job.workload]

    def load(path: Any, label: Any) -> Any:
        return view(tf, tf.io.read_file(path)), label

    return dataset.map(load, num_parallel_calls=job.threads).with_options(options)


def _train(tf: Any, data: Any) -> Any:
    shape = tf.io.extract_jpeg_shape(data)
    begin, extent, _ = tf.image.sample_distorted_bounding_box(
        shape,
        bounding_boxes=tf.zeros([1, 0, 4]),
        aspect_ratio_range=(3 / 4, 4 / 3),
        area_range=(0.08, 1.0),
        max_attempts=10,
        use_image_if_no_bounding_boxes=True,
    )
    window = tf.concat([begin[:2], extent[:2]], axis=0)
    image = tf.image.decode_and_crop_jpeg(data, window, channels=3)
    image = tf.image.resize(image, [SIDE["w1"]] * 2)
    return _normalised(tf, tf.image.random_flip_left_right(image))


def _evaluate(tf: Any, data: Any) -> Any:
    # The middle 224 of a short side scaled to 256 is the middle 224/256 of the short side.
    height, width = tf.unstack(tf.io.extract_jpeg_shape(data)[:2])
    edge = tf.cast(tf.round(tf.cast(tf.minimum(height, width), tf.float32) * 224 / 256), tf.int32)
    window = tf.stack([(height - edge) // 2, (width - edge) // 2, edge, edge])
    image = tf.image.decode_and_crop_jpeg(data, window, channels=3)
    return _normalised(tf, tf.image.resize(image, [SIDE["eval"]] * 2))


def _tiny(tf: Any, data: Any) -> Any:
    image = tf.image.resize(tf.image.decode_jpeg(data, channels=3), [SIDE["w3"]] * 2)
    return tf.transpose(image / 255.0, [2, 0, 1])


def _normalised(tf: Any, image: Any) -> Any:
    return tf.transpose((image - MEAN * 255.0) / (STD * 255.0), [2, 0, 1])


_VIEWS = {"w1": _train, "w1-420": _train, "eval": _evaluate, "w3": _tiny}


if __name__ == "__main__":
    serve("tfdata", build)
