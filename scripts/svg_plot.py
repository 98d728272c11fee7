"""Line charts as SVG text, with nothing but the standard library: labelled axes, either of them logarithmic, and a legend."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import NamedTuple

Points = Sequence[tuple[float, float]]

WIDTH, HEIGHT = 900, 520
LEFT, RIGHT, TOP, BOTTOM = 84, 250, 52, 64  # margins; the legend stands in the right one
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000", "#e69f00", "#56b4e9", "#7f7f7f")  # Okabe & Ito: told apart by all eyes
MARKS = "oxsdo"
TICKS = 8


class Axis(NamedTuple):
    """One axis: its label, its ends, whether it is logarithmic, and where on the paper (pixels) its ends are."""

    label: str
    low: float
    high: float
    log: bool
    start: float
    end: float

    def place(self, value: float) -> float:
        """Where a value is on the paper."""
        low, high, value = (math.log(max(v, 1e-300)) if self.log else v for v in (self.low, self.high, value))
        return self.start + (value - low) / (high - low) * (self.end - self.start)

    def ticks(self) -> list[float]:
        """Round values between the ends: powers of ten, or steps of 1, 2 or 5."""
        if self.log:
            low, high = math.floor(math.log10(self.low) + 1e-9), math.ceil(math.log10(self.high) - 1e-9)
            powers = range(low, high + 1, max(1, (high - low) // TICKS))
            factors = (1, 2, 5) if high - low <= 2 else (1,)
            return [value for power in powers for f in factors if self.low * 0.999 <= (value := f * 10.0**power) <= self.high * 1.001]
        raw = (self.high - self.low) / TICKS
        size = 10 ** math.floor(math.log10(raw))
        step = next(f * size for f in (1, 2, 5, 10) if f * size >= raw)
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        return [number * step for number in range(first, last + 1)]


def make_axis(label: str, values: Sequence[float], log: bool, start: float, end: float) -> Axis:
    """An axis that holds all values, with some room; a linear one starts at 0."""
    if log:
        values = [value for value in values if value > 0] or [1, 10]
        return Axis(label, min(values) / 1.15, max(*values, min(values) * 2) * 1.15, True, start, end)
    return Axis(label, min(0, *values), (max(values) or 1) * 1.04, False, start, end)


def chart(title: str, x_label: str, y_label: str, series: Mapping[str, Points], *, log_x: bool = False, log_y: bool = False) -> str:
    """A line chart of named series. Points that a logarithmic axis cannot show (0 and less) are left out.

    >>> chart("t", "x", "y", {"a": [(1, 2), (10, 3)]}, log_x=True).startswith("<svg ")
    True
    """
    shown = {name: [p for p in points if (p[0] > 0 or not log_x) and (p[1] > 0 or not log_y)] for name, points in series.items()}
    every = [point for points in shown.values() for point in points] or [(1, 1)]
    x = make_axis(x_label, [p[0] for p in every], log_x, LEFT, WIDTH - RIGHT)
    y = make_axis(y_label, [p[1] for p in every], log_y, HEIGHT - BOTTOM, TOP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        _text((LEFT, 28), title, 17, "start"),
        *_grid(x, y),
    ]
    for number, (name, points) in enumerate(shown.items()):
        parts += _line(number, name, [(x.place(a), y.place(b)) for a, b in points])
    return "\n".join([*parts, "</svg>\n"])


def _grid(x: Axis, y: Axis) -> list[str]:
    parts = []
    for value in x.ticks():
        at = x.place(value)
        parts += [_segment((at, y.start), (at, y.end), "#dddddd"), _text((at, y.start + 20), number_text(value), 13, "middle")]
    for value in y.ticks():
        at = y.place(value)
        parts += [_segment((x.start, at), (x.end, at), "#dddddd"), _text((x.start - 8, at + 4), number_text(value), 13, "end")]
    parts += [_segment((x.start, y.start), (x.end, y.start), "black"), _segment((x.start, y.start), (x.start, y.end), "black")]
    middle = (y.start + y.end) / 2
    parts.append(_text(((x.start + x.end) / 2, HEIGHT - 18), x.label, 14, "middle"))
    parts.append(_text((22, middle), y.label, 14, "middle", f' transform="rotate(-90 22 {middle:.1f})"'))
    return parts


def _line(number: int, name: str, places: Points) -> list[str]:
    colour, dash = COLOURS[number % len(COLOURS)], "" if number < len(COLOURS) else ' stroke-dasharray="6 4"'
    path = " ".join(f"{a:.1f},{b:.1f}" for a, b in places)
    parts = [f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>']
    parts += [_mark(number, a, b, colour) for a, b in places if len(places) <= 40]
    at = TOP + 14 + 22 * number
    start = WIDTH - RIGHT + 16
    parts += [_segment((start, at - 5), (start + 26, at - 5), colour, 2), _mark(number, start + 13, at - 5, colour)]
    return [*parts, _text((start + 34, at), name, 13, "start")]


def _mark(number: int, x: float, y: float, colour: str) -> str:
    kind = MARKS[number % len(MARKS)]
    if kind == "o":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}"/>'
    if kind == "x":
        return f'<path d="M{x - 4:.1f} {y - 4:.1f}l8 8m0 -8l-8 8" stroke="{colour}" stroke-width="2"/>'
    turn = f' transform="rotate(45 {x:.1f} {y:.1f})"' if kind == "d" else ""
    return f'<rect x="{x - 3.5:.1f}" y="{y - 3.5:.1f}" width="7" height="7" fill="{colour}"{turn}/>'


def _segment(start: tuple[float, float], end: tuple[float, float], colour: str, width: int = 1) -> str:
    (x1, y1), (x2, y2) = start, end
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" stroke-width="{width}"/>'


def _text(place: tuple[float, float], text: str, size: int, anchor: str, more: str = "") -> str:
    return f'<text x="{place[0]:.1f}" y="{place[1]:.1f}" font-size="{size}" text-anchor="{anchor}"{more}>{escape(text)}</text>'


def number_text(value: float) -> str:
    """A number as a tick says it.

    >>> number_text(2000000), number_text(0.5), number_text(20000), number_text(1e-7)
    ('2M', '0.5', '20k', '1e-07')
    """
    for unit, name in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= unit:
            return f"{value / unit:g}{name}"
    return f"{value:.6g}"
