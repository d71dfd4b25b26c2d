"""Rows of strings as text: the first row holds the headings."""

from dataclasses import dataclass, field


def aligned(rows):
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)


def markdown(rows):
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    lines.insert(1, "|" + "---|" * len(rows[0]))
    return "\n".join(lines) + "\n"


@dataclass(frozen=True)
class Section:
    """A table with a title above it and notes below."""

    title: str
    rows: list
    notes: list = field(default_factory=list)

    def text(self):
        return "\n".join([self.title, aligned(self.rows), *self.notes]) + "\n"

    def markdown(self):
        notes = "".join(f"\n{note}\n" for note in self.notes)
        return f"**{self.title}**\n\n{markdown(self.rows)}{notes}"


def write_markdown(path, sections):
    """Writes nothing if `path` is None."""
    if path:
        path.write_text("\n".join(section.markdown() for section in sections), encoding="utf-8")
