"""Starts programs, names their output, restarts the ones that die, and leaves nothing behind.

One that keeps dying is `down`: it is named, in a file that the services' /readyz shows as well, and started again after
pauses that grow to a minute. The others go on.

One thread, one loop: it sleeps until a line arrives, a signal arrives, or something falls due. Each program
runs in a session of its own, so that Ctrl-C in a terminal reaches the supervisor alone and stopping has an order.
Why this is neither honcho's Manager nor circus is in `docs/decisions/0002-own-supervisor-loop.md`.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import subprocess
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType

from deploy.forking import Forked
from deploy.guard import Guard, send
from deploy.output import Output
from deploy.programs import Program
from shared.settings import DOWN_FILE

# A program waits for one line before it becomes itself. By then the guard knows its group, so that there is
# no moment at which the supervisor could die and leave it running.
GATE = ("/bin/sh", "-c", 'read -r go && exec "$@" </dev/null', "gate")
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@dataclass(frozen=True, slots=True)
class Backoff:
    """How long the supervisor puts up with things; all in seconds but `deaths`."""

    grace: float = 20.0  # from SIGTERM to SIGKILL; a worker may take 15 to finish its batch
    deaths: int = 10  # of one program within `window`; one more and it is down
    window: float = 120.0  # longer than all delays together, or nothing would ever be down
    settled: float = 5.0  # who lived longer is started again at once, unless it is down
    first_delay: float = 0.5  # after two deaths in a row that came sooner; then doubled
    longest_delay: float = 5.0
    longest_pause: float = 60.0  # between two tries of a program that is down, doubled from `longest_delay`
    recovered: float = 60.0  # a program that was down and has lived for so long is up again

    def delay(self, early_deaths: int) -> float:
        """Seconds to wait before a restart, after so many early deaths in a row."""
        return 0.0 if early_deaths <= 1 else min(self.longest_delay, self.first_delay * 2.0 ** (early_deaths - 2))

    def pause(self, tries: int) -> float:
        """Seconds to wait before a program that is down is tried again, for so many tries."""
        return float(min(self.longest_pause, self.longest_delay * 2.0 ** min(tries, 30)))


@dataclass(slots=True)
class Down:
    """A program that cannot be kept alive. how: it ended the last time. deaths: since it is down, and those before."""

    how: str
    deaths: int
    since: str
    next_try: str | None = None  # None: it runs, on trial
    tries: int = 0


@dataclass(slots=True)
class _Child:
    program: Program
    process: subprocess.Popen[bytes] | Forked | None = None
    due: float | None = 0.0  # when to start it; None: it runs, or it is not to be started again
    started: float = 0.0
    early_deaths: int = 0  # in a row
    deaths: deque[float] = field(default_factory=deque)
    down: Down | None = None


class Supervisor:
    """Runs programs until it is told to stop.

    pids: file in which the process id of every program stands, `name pid` a line; beside it, while there are some, the
    programs that are down (DOWN_FILE).
    leash: a file descriptor; when its other end closes, everything is stopped, as on SIGTERM.
    forks: programs of Python are forked from this process, which has imported what they need.
    """

    def __init__(
        self,
        programs: Sequence[Program],
        pids: Path,
        backoff: Backoff | None = None,
        leash: int | None = None,
        output: Output | None = None,
        *,
        forks: bool = False,
    ) -> None:
        self._children = [_Child(program) for program in programs]
        self._pids = pids
        self._backoff = backoff or Backoff()
        self._leash = leash
        self._forks = forks
        self._out = output or Output([program.name for program in programs])
        self._selector = selectors.DefaultSelector()
        self._guard = Guard(self._backoff.grace)
        self._stop = False  # somebody asked for it
        self._kill_at: float | None = None
        self._told: set[str] = set()

    def run(self) -> int:
        """Returns 0 after a stop that was asked for."""
        self._write_down()
        wake_read, wake_write = os.pipe()
        os.set_blocking(wake_read, False)
        os.set_blocking(wake_write, False)
        signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)  # only so that it wakes the loop
        for number in STOP_SIGNALS:
            if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:  # ignored under nohup
                signal.signal(number, self._on_stop_signal)
        self._selector.register(wake_read, selectors.EVENT_READ, "wake")
        if self._leash is not None:
            self._selector.register(self._leash, selectors.EVENT_READ, "leash")
        try:
            while True:
                self._read(self._timeout())
                self._reap()
                if self._kill_at is None and (self._stop or self._out.broken):
                    self._begin_stop()
                if self._kill_at is not None:
                    if not any(child.process for child in self._children):
                        break
                    if time.monotonic() >= self._kill_at:
                        self._kill_all()
                else:
                    self._start_due()
                    self._look_after_trials()
        finally:
            self._kill_all()
            self._read(0)
            for file in (self._pids, self._down_file):
                with contextlib.suppress(OSError):
                    file.unlink(missing_ok=True)
        return 0

    def _on_stop_signal(self, number: int, frame: FrameType | None) -> None:
        self._stop = True
        if self._kill_at is not None and number == signal.SIGINT:
            self._kill_at = time.monotonic()  # Ctrl-C for the second time: somebody is in a hurry

    def _timeout(self) -> float:
        """Seconds until something falls due."""
        times = [child.due for child in self._children if child.due is not None]
        if self._kill_at is not None:
            times = [self._kill_at]
        return max(0.0, min([*times, time.monotonic() + 1.0]) - time.monotonic())

    def _read(self, timeout: float) -> None:
        for key, _ in self._selector.select(timeout):
            descriptor = key.fd
            data = os.read(descriptor, 65536)
            if key.data == "wake":
                continue
            if key.data == "leash":
                if not data:
                    self._selector.unregister(descriptor)
                    self._stop = True
            elif data:
                self._out.feed(key.data, descriptor, data)
            else:
                self._out.flush(key.data, descriptor)
                self._selector.unregister(descriptor)
                os.close(descriptor)

    def _start_due(self) -> None:
        for child in self._children:
            if child.due is not None and child.due <= time.monotonic():
                try:
                    self._start(child)
                except OSError as error:  # no process, no descriptor, no memory left
                    self._after_death(child, f"could not be started: {error}")

    def _look_after_trials(self) -> None:
        for child in self._children:
            if child.down and child.process and time.monotonic() - child.started > self._backoff.recovered:
                child.down = None
                child.deaths.clear()
                child.early_deaths = 0
                self._write_down()  # first, so that what is said is so
                self._out.say(f"{child.program.name} is UP again")

    def _start(self, child: _Child) -> None:
        program = child.program
        # Pipes of our own: the reading end outlives the process, for its children may write after it is gone.
        gate_read, gate_write = os.pipe()
        read, write = os.pipe()
        try:
            child.process = self._begin(program, gate_read, write)
            child.due, child.started = None, time.monotonic()
            self._selector.register(read, selectors.EVENT_READ, program.name)
            self._guard.watch(child.process.pid)
            with contextlib.suppress(BrokenPipeError):  # killed already: the next look finds it dead
                os.write(gate_write, b"go\n")
        finally:
            for descriptor in (gate_read, gate_write, write):
                os.close(descriptor)
            if child.process is None:
                os.close(read)
        self._write_pids()
        if child.down:
            child.down.next_try = None
            self._write_down()

    def _begin(self, program: Program, gate: int, output: int) -> subprocess.Popen[bytes] | Forked:
        if self._forks and program.module:
            return Forked(program.module, program.env, gate, output)
        return subprocess.Popen(
            [*GATE, *program.command],
            env=dict(program.env),
            stdin=gate,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )

    def _reap(self) -> None:
        self._guard.keep()
        for child in self._children:
            if child.process is None or (code := child.process.poll()) is None:
                continue
            # What it had started itself must be gone before it starts again: it may hold the port.
            send(child.process.pid, signal.SIGKILL)
            self._guard.forget(child.process.pid)
            child.process = None
            self._write_pids()
            if self._kill_at is None and not (child.program.once and code == 0):
                self._after_death(child, f"was killed by {_signal_name(-code)}" if code < 0 else f"ended with {code}")

    def _after_death(self, child: _Child, how: str) -> None:
        name = child.program.name
        if child.program.once:
            child.due = None
            self._out.say(f"{name} {how}; the rest goes on")
            return
        now = time.monotonic()
        child.deaths.append(now)
        while child.deaths[0] < now - self._backoff.window:
            child.deaths.popleft()
        if child.down or len(child.deaths) > self._backoff.deaths:
            self._take_down(child, how)
            return
        child.early_deaths = child.early_deaths + 1 if now - child.started < self._backoff.settled else 0
        delay = self._backoff.delay(child.early_deaths)
        child.due = now + delay
        self._out.say(f"{name} {how}; starting it again" + (f" in {delay:g} s" if delay else ""))

    def _take_down(self, child: _Child, how: str) -> None:
        """Start a program that keeps dying less and less often, and say so where somebody looks."""
        name, now = child.program.name, time.time()
        if child.down is None:
            child.down = Down(how, len(child.deaths), _written(now))
        else:
            child.down.deaths += 1
        seconds = self._backoff.pause(child.down.tries)
        child.due = time.monotonic() + seconds
        child.down.how, child.down.tries, child.down.next_try = how, child.down.tries + 1, _written(now + seconds)
        self._write_down()
        self._out.say(
            f"DOWN: {name} {how}, for the {child.down.deaths}. time since it last ran well; the last lines of {name} "
            f"above say why. It is tried again in {seconds:g} s, everything else goes on."
        )

    def _begin_stop(self) -> None:
        self._kill_at = time.monotonic() + self._backoff.grace
        self._out.say("stopping")
        for child in self._children:
            child.due = None
            if child.process is not None:
                child.process.terminate()

    def _kill_all(self) -> None:
        for child in self._children:
            if child.process is not None:
                self._out.say(f"{child.program.name} did not stop in time; killing it")
                send(child.process.pid, signal.SIGKILL)
                child.process.wait()
                child.process = None

    def _write_pids(self) -> None:
        lines = [f"supervisor {os.getpid()}\n"]
        lines += [f"{child.program.name} {child.process.pid}\n" for child in self._children if child.process]
        self._write(self._pids, "".join(lines))

    @property
    def _down_file(self) -> Path:
        return self._pids.with_name(DOWN_FILE)

    def _write_down(self) -> None:
        down = {child.program.name: asdict(child.down) for child in self._children if child.down}
        self._write(self._down_file, json.dumps(down) + "\n" if down else "")

    def _write(self, file: Path, text: str) -> None:
        """Write a file whole, or remove it where there is nothing to say. A full disk is no reason to stop anything."""
        try:
            if not text:
                file.unlink(missing_ok=True)
                return
            draft = file.with_name(file.name + ".new")
            draft.write_text(text)
            draft.replace(file)
            self._told.discard(file.name)
        except OSError as error:
            if file.name not in self._told:
                self._told.add(file.name)
                self._out.say(f"{file} could not be written ({error.strerror}); what runs goes on")


def _written(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
