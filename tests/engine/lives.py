"""``python -m engine.lives NAME FOLDER``: what a consumer's process may go through.

Each prints what it saw; whoever started it knows how long that may take.
"""

from __future__ import annotations

import gc
import itertools
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pixfeed as pf
from decode.child import resident
from engine.places import CROPS, SEED, Told, numbered, told
from pixfeed.engine import Epoch
from pixfeed.testing import png

TIMES = 20
PROMPT = 2.0
"""Seconds in which every end comes."""


def files(folder: Path) -> pf.Loader:
    """A loader of files that is always ahead."""
    run = pf.Run(threads=3, prefetch=8)
    return pf.Loader(folder, batch_size=8, recipe=[*CROPS, pf.ToArray()], seed=SEED, run=run)


def slow(seconds: float, batch_size: int = 20) -> pf.Loader:
    """A loader whose bytes come from Python, one by one and late."""
    data = png(width=9, height=9)

    def fetch(_place: str) -> bytes:
        time.sleep(seconds)
        return data

    run = pf.Run(threads=2)
    return pf.Loader(numbered(fetch, 40), batch_size=batch_size, recipe=CROPS, run=run)


def threads() -> int:
    return len(list(Path("/proc/self/task").iterdir()))


def left(before: int) -> int:
    """How many threads more than before there are, once those had time to end that shall."""
    patience = time.perf_counter() + 10
    while threads() > before and time.perf_counter() < patience:
        time.sleep(0.01)
    return threads() - before


def descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def timed(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def breaks(folder: Path) -> None:
    """Leaves a loop early, again and again."""
    before = threads()

    def leave() -> None:
        for batch in files(folder):
            if batch.step == 2:
                break

    worst = max(timed(leave) for _ in range(TIMES))
    print(worst < PROMPT, left(before))


def errors(folder: Path) -> None:
    """Fails in a loop, again and again."""
    before = threads()

    def fail() -> None:
        try:
            for batch in files(folder):
                raise LookupError(batch.step)
        except LookupError:
            pass

    worst = max(timed(fail) for _ in range(TIMES))
    print(worst < PROMPT, left(before))


def closes(folder: Path) -> None:
    """Ends epochs, after which threads work on the next one, and closes or drops the loader."""
    before = threads()

    def end(number: int) -> None:
        loader = files(folder)
        assert len(list(loader)) == 12
        assert threads() > before
        if number % 2:
            loader.close()
            assert left(before) == 0

    worst = max(timed(lambda number=number: end(number)) for number in range(TIMES))  # type: ignore[misc]
    print(worst < PROMPT, left(before))


def interrupts(_: Path) -> None:
    """Ctrl-C while a batch is waited for."""
    before = threads()
    worst = max(_interrupted(slow(0.1)) for _ in range(TIMES))
    print(worst < PROMPT, left(before))


def stuck(_: Path) -> None:
    """Ctrl-C while the source does not answer."""
    took = _interrupted(slow(8))
    print(took < PROMPT, flush=True)
    os._exit(0)


def _interrupted(loader: pf.Loader) -> float:
    begun: list[float] = []

    def interrupt() -> None:
        begun.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(0.05, interrupt)
    timer.start()
    try:
        next(iter(loader))
    except KeyboardInterrupt:
        ended = time.perf_counter()
    else:
        raise SystemExit("it was not interrupted")
    timer.join()
    return ended - begun[0]


def forks(folder: Path) -> None:
    """Forks with a live iterator of files."""
    _forks(lambda: files(folder), TIMES)


def fetch_forks(_: Path) -> None:
    """Forks with a live iterator whose bytes come from Python."""
    data = png(width=9, height=9)
    source = numbered(lambda _: data, 160)
    run = pf.Run(threads=8, prefetch=40)
    # Threads that ask and answer all the time: some lock is always held by one of them.
    _forks(lambda: pf.Loader(source, batch_size=4, recipe=CROPS, run=run), 4 * TIMES)


def _forks(make: Callable[[], pf.Loader], times: int) -> None:
    """The child uses the loader, the parent goes on."""
    wanted = [told(batch) for batch in make().epoch(0)]
    codes = []
    for number in range(times):
        loader = make()
        batches = iter(loader)
        held = next(batches)
        child = os.fork()
        if child == 0:
            signal.alarm(10)
            os._exit(_heir(loader, batches, held, wanted) if number % 4 else _stranger(loader))
        rest = [told(batch) for batch in batches]
        codes.append(os.waitpid(child, 0)[1])
        assert [told(held), *rest] == wanted
    print(codes == [0] * times, codes)


def _heir(loader: pf.Loader, batches: Epoch, held: pf.Batch, wanted: list[Told]) -> int:
    """Looks at what it inherited, then at a new epoch."""
    try:
        next(batches)
    except RuntimeError as error:
        said = "iterate the loader anew" in str(error)
    else:
        return 2
    again = [told(batch) for batch in loader.epoch(0)]
    same = told(held) == again[0] and again == wanted
    del batches, held
    gc.collect()
    return 0 if said and same and len(list(loader)) == len(wanted) else 3


def _stranger(loader: pf.Loader) -> int:
    """Does not look at the old iterator, which stays alive."""
    return 0 if len(list(loader)) == len(loader) else 4


def fork_and_exit(folder: Path) -> None:
    """The child ends as Python programs do, with everything it inherited."""
    batches = iter(files(folder))
    next(batches)
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        sys.exit(0)
    print(os.waitpid(child, 0)[1] == 0, len(list(batches)) == 11)


def forks_beside(_: Path) -> None:
    """Forks while another thread waits for a batch, with what it waits at in its hands."""
    batches = iter(slow(0.3))
    threading.Thread(target=next, args=(batches, None), daemon=True).start()
    codes = []
    for number in range(TIMES):
        # Never at the same point of a wait.
        time.sleep(0.007 * (number % 5))
        child = os.fork()
        if child == 0:
            signal.alarm(5)
            if number % 2:
                os._exit(_widow(batches))
            sys.exit(0)
        codes.append(os.waitpid(child, 0)[1])
    print(codes == [0] * TIMES, codes)
    batches.close()


def _widow(batches: Epoch) -> int:
    """Asks an inherited iterator for a batch, then closes it."""
    try:
        next(batches)
    except RuntimeError as error:
        batches.close()
        return 0 if "iterate the loader anew" in str(error) else 5
    return 6


def gives_back(folder: Path) -> None:
    """Holds many batches, lets go of them, and says how many batches' memory stays."""
    # Blocks that the C library gives back to the system at once, as all above 32 MiB.
    recipe = [pf.Resize((1250, 1250)), pf.ToArray()]
    one = 2 * 1250 * 1250 * 3 * 4
    loader = pf.Loader(folder, batch_size=2, recipe=recipe, run=pf.Run(threads=1, memory=one))
    for batch in loader.epoch(0):
        del batch
    before = resident("VmRSS")
    held = list(itertools.islice(loader.epoch(1), 8))
    held.clear()
    gc.collect()
    print((resident("VmRSS") - before) // one)


def cycles(folder: Path) -> None:
    """Starts and stops 200 times; what grows, grows in the second half."""
    started = threads()
    loader = files(folder)
    _cycle(folder, loader, 60)
    before, memory = descriptors(), resident("VmRSS")
    _cycle(folder, loader, 200)
    print(left(started), descriptors() - before, resident("VmRSS") - memory)


def _cycle(folder: Path, kept: pf.Loader, times: int) -> None:
    for number in range(times):
        loader = kept if number % 2 else files(folder)
        for batch in loader:
            if batch.step == number % 13:
                break
    kept.close()
    gc.collect()


def flat(folder: Path) -> None:
    """Twenty epochs after the first few."""
    loader = files(folder)
    for _ in range(3):
        assert len(list(loader)) == 12
    memory = resident("VmRSS")
    for _ in range(20):
        for batch in loader:
            del batch
    print(resident("VmRSS") - memory)


# How processes end. Whoever started them looks at their exit codes.


def live_files(folder: Path) -> None:
    _keep(iter(files(folder)))


def idle_files(folder: Path) -> None:
    loader = files(folder)
    list(loader)
    _kept.append(loader)


def live_fetch(_: Path) -> None:
    _keep(iter(slow(0.002, 4)))


def idle_fetch(_: Path) -> None:
    loader = slow(0.002, 4)
    list(loader)
    _kept.append(loader)


def failing(folder: Path) -> None:
    for batch in files(folder):
        raise LookupError(batch.step)


def leaving(folder: Path) -> None:
    for _batch in files(folder):
        sys.exit(3)


def waiting(_: Path) -> None:
    """Waits for a batch until something happens to it."""
    batches = iter(slow(0.2))
    print("ready", flush=True)
    next(batches)


def working(folder: Path) -> None:
    """Consumes for ever."""
    for batch in files(folder).forever():
        if (batch.epoch, batch.step) == (0, 5):
            print("ready", flush=True)


_kept: list[object] = []


def _keep(batches: Epoch) -> None:
    next(batches)
    _kept.append(batches)


if __name__ == "__main__":
    globals()[sys.argv[1]](Path(sys.argv[2]))
