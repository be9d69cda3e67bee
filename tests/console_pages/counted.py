"""Somebody at a real browser whose clicks and typed characters are counted, step by step.

day = Day()
organiser = Somebody(day, browser.new_page(base_url=address))
with day.step("announce"):
    organiser.write("Name of the event", "Spring Cup")
    organiser.press("Announce the event")
print(day.table())
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal

from playwright.sync_api import Locator, Page

from tests.console_pages.real_browser import PATIENCE

PER_CLICK, PER_CHARACTER = 2.0, 0.35
"""Seconds that a person takes: to find and press something, and to type a character."""
Pressed = Literal["button", "link"]


@dataclass
class Step:
    """What one step took."""

    name: str
    clicks: int = 0
    characters: int = 0

    @property
    def seconds(self) -> float:
        """What that would take a person, roughly."""
        return self.clicks * PER_CLICK + self.characters * PER_CHARACTER


@dataclass
class Day:
    """The steps of a day, in order."""

    steps: list[Step] = field(default_factory=list)

    @contextmanager
    def step(self, name: str) -> Iterator[Step]:
        """What is done within counts as this step."""
        self.steps.append(Step(name))
        yield self.steps[-1]

    @property
    def whole(self) -> Step:
        """All steps together."""
        return Step("all", sum(one.clicks for one in self.steps), sum(one.characters for one in self.steps))

    def table(self) -> str:
        """A line for each step, and their sum."""
        whole = self.whole
        wide = max(len(one.name) for one in [*self.steps, whole])
        lines = [f"{'step':<{wide}}  clicks  characters  minutes of a person"]
        lines += [
            f"{one.name:<{wide}}  {one.clicks:>6}  {one.characters:>10}  {one.seconds / 60:>19.1f}"
            for one in [*self.steps, whole]
        ]
        return "\n".join(lines)


class Somebody:
    """A person before a page; what they press and type is counted for the step at hand."""

    def __init__(self, day: Day, page: Page) -> None:
        self.page = page
        self.day = day

    def press(self, name: str, role: Pressed = "button", *, within: Locator | None = None) -> None:
        """Press what is called so; the name may be the beginning of a longer one."""
        self._click((within or self.page).get_by_role(role, name=re.compile(rf"^\s*{re.escape(name)}")).first)

    def follow(self, name: str) -> None:
        """Follow the link that is called so."""
        self.press(name, "link")

    def pick(self, label: str) -> None:
        """Choose the radio button or the box with this label."""
        self._click(self.page.locator("label", has_text=label).first)

    def choose(self, label: str, option: str) -> None:
        """Choose an option of a list: a click to open it, and one for the option."""
        self.page.get_by_label(label, exact=True).first.select_option(label=option)
        self._step.clicks += 2

    def write(
        self, label: str, text: str, *, pasted: bool = False, enter: bool = False, within: Locator | None = None
    ) -> None:
        """Type into the field with this label.

        pasted: from elsewhere, which is two clicks and no typing. enter: with the Enter key at its end, a character.
        """
        field = (within or self.page).get_by_label(label, exact=True).first
        field.fill(text)
        self._step.clicks += 2 if pasted else 1
        self._step.characters += 0 if pasted else len(text) + enter
        if enter:
            field.press("Enter")

    def typed(self, fields: int, characters: int) -> None:
        """Fields that were filled in some other way than by `write`: a tap each, and so many characters."""
        self._step.clicks += fields
        self._step.characters += characters

    def sees(self, *texts: str) -> None:
        """Wait until the page shows each of these."""
        for text in texts:
            self.page.get_by_text(text).first.wait_for(timeout=PATIENCE)

    @property
    def _step(self) -> Step:
        return self.day.steps[-1]

    def _click(self, what: Locator) -> None:
        what.click(timeout=PATIENCE)
        self._step.clicks += 1
