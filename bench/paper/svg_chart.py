"""Line charts as SVG text: panels side by side, a legend below, marks for single values.

A panel scales its axes to what it shows. Colours are those of Okabe and Ito, which colour-blind
readers can tell apart; dashes tell the ninth line and further ones from the first.
"""

import math
from dataclasses import dataclass, field
from xml.sax.saxutils import escape

COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000", "#e69f00", "#56b4e9", "#8a6d3b"]
WIDTH, HEIGHT = 460, 320  # of a panel
LEFT, RIGHT, TOP, BOTTOM = 62, 24, 34, 46
LEGEND_LINE, LETTER = 18, 7
UNKNOWN = "#777777"  # of marks without a line
MOST_DOTS = 30  # on a line; one with more values goes without


@dataclass
class Line:
    name: str
    points: list  # (x, y, deviation of y)
    style: int = 0


@dataclass
class Mark:
    """A value published elsewhere, drawn as a cross in the colour of the line of its name."""

    name: str
    x: float
    y: float


@dataclass
class Panel:
    title: str
    x_label: str
    y_label: str
    lines: list
    marks: list = field(default_factory=list)
    logarithmic: bool = False  # the x axis
    highest: float = None  # where to cut off the y axis


def _steps(low, high, wanted=6):
    """Round numbers from low to high."""
    raw = (high - low) / wanted or 1.0
    size = 10 ** math.floor(math.log10(raw))
    step = next(size * factor for factor in (1, 2, 5, 10) if size * factor >= raw * 0.999)
    first = math.ceil(low / step - 1e-9)
    return [n * step for n in range(first, int(math.floor(high / step + 1e-9)) + 1)]


def _decades(low, high):
    exponents = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    factors = (1, 2, 5) if high < 1000 * low else (1,)
    numbers = [factor * 10.0**e for e in exponents for factor in factors]
    return [n for n in numbers if low * 0.999 <= n <= high * 1.001]


class _Axes:
    def __init__(self, panel, left):
        self.panel, self.left = panel, left
        xs = [p[0] for line in panel.lines for p in line.points] + [m.x for m in panel.marks]
        ys = [p[1] for line in panel.lines for p in line.points] + [m.y for m in panel.marks]
        top = min(max(ys), panel.highest or math.inf)
        room = 0.06 * (top - min(ys)) or 0.1 * abs(top) or 1
        self.x_range = (self.place(min(xs)), self.place(max(xs)))
        self.y_range = (min(ys) - room, top + room)

    def place(self, x):
        return math.log10(x) if self.panel.logarithmic else x

    def x(self, value):
        low, high = self.x_range
        share = (self.place(value) - low) / ((high - low) or 1)
        return self.left + LEFT + share * (WIDTH - LEFT - RIGHT)

    def y(self, value):
        low, high = self.y_range
        share = min(1.0, (value - low) / (high - low))
        return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)

    def x_ticks(self):
        low, high = self.x_range
        return _decades(10**low, 10**high) if self.panel.logarithmic else _steps(low, high)


def _text(x, y, words, anchor="middle", more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{more}>{escape(words)}</text>'


def _frame(axes):
    panel, left = axes.panel, axes.left
    right, bottom = left + WIDTH - RIGHT, HEIGHT - BOTTOM
    parts = []
    for tick in axes.x_ticks():
        x = axes.x(tick)
        parts.append(f'<path d="M{x:.1f} {TOP}V{bottom}" class="g"/>')
        parts.append(_text(x, bottom + 15, f"{tick:g}"))
    for tick in _steps(*axes.y_range):
        y = axes.y(tick)
        parts.append(f'<path d="M{left + LEFT} {y:.1f}H{right}" class="g"/>')
        parts.append(_text(left + LEFT - 5, y + 4, f"{tick:.6g}", "end"))
    parts.append(f'<path d="M{left + LEFT} {TOP}V{bottom}H{right}" class="a"/>')
    parts.append(_text(left + (LEFT + WIDTH) / 2, TOP - 14, panel.title, more=' class="t"'))
    parts.append(_text((left + LEFT + right) / 2, HEIGHT - 12, panel.x_label))
    middle, side = (TOP + bottom) / 2, left + 14
    turned = f' transform="rotate(-90 {side} {middle})"'
    return parts + [_text(side, middle, panel.y_label, more=turned)]


def _dashes(style):
    return ' stroke-dasharray="6 3"' if style >= len(COLOURS) else ""


def _line(axes, line):
    colour = COLOURS[line.style % len(COLOURS)]
    places = [(axes.x(x), axes.y(y)) for x, y, _ in line.points]
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    parts = [f'<path d="M{path}" class="l" stroke="{colour}"{_dashes(line.style)}/>']
    if len(places) > MOST_DOTS:
        return parts
    for (x, y), (_, value, deviation) in zip(places, line.points):
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.4" fill="{colour}"/>')
        if deviation:
            ends = axes.y(value - deviation), axes.y(value + deviation)
            parts.append(f'<path d="M{x:.1f} {ends[0]:.1f}V{ends[1]:.1f}" stroke="{colour}"/>')
    return parts


def _mark(axes, mark, styles):
    known = mark.name in styles
    colour = COLOURS[styles[mark.name] % len(COLOURS)] if known else UNKNOWN
    x, y = axes.x(mark.x), axes.y(mark.y)
    cross = f"M{x - 5:.1f} {y - 5:.1f}l10 10m0 -10l-10 10"
    return f'<path d="{cross}" class="m" stroke="{colour}"/>'


def _legend(styles, marked, width):
    entries = list(styles.items()) + ([("published", None)] if marked else [])
    entry_width = 44 + LETTER * max(len(name) for name, _ in entries)
    per_line = max(1, (width - 20) // entry_width)
    parts = []
    for n, (name, style) in enumerate(entries):
        x, y = 20 + n % per_line * entry_width, HEIGHT + 12 + n // per_line * LEGEND_LINE
        if style is None:
            parts.append(f'<path d="M{x + 6} {y - 9}l10 10m0 -10l-10 10" class="m" stroke="#000"/>')
        else:
            colour = COLOURS[style % len(COLOURS)]
            line = f'<path d="M{x} {y - 4}h22" class="l" stroke="{colour}"{_dashes(style)}/>'
            parts.append(line)
        parts.append(_text(x + 27, y, name, "start"))
    lines = -(-len(entries) // per_line)
    return parts, HEIGHT + lines * LEGEND_LINE + 6


STYLE = (
    "text{font:12px sans-serif;fill:#222}.t{font-weight:bold}.g{stroke:#ddd}.a{stroke:#222;fill:none}"
    ".l{fill:none;stroke-width:1.8}.m{fill:none;stroke-width:2}"
)


def chart(panels):
    """The text of an SVG file. Lines of the same name have the same style in all panels."""
    styles = {line.name: line.style for panel in panels for line in panel.lines}
    width = WIDTH * len(panels)
    parts = []
    for n, panel in enumerate(panels):
        axes = _Axes(panel, n * WIDTH)
        parts += _frame(axes)
        for line in panel.lines:
            parts += _line(axes, line)
        parts += [_mark(axes, mark, styles) for mark in panel.marks]
    legend, height = _legend(styles, any(panel.marks for panel in panels), width)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}">'
    background = f'<rect width="{width}" height="{height}" fill="#fff"/>'
    lines = [head, f"<style>{STYLE}</style>", background, *parts, *legend, "</svg>"]
    return "\n".join(lines) + "\n"
