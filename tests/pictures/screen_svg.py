"""screen_svg.py <DUMP >SVG: converts a screen with SGR sequences, as fs-top --once --color=always prints it, to a
picture: a rectangle for each run of cells with one background, a text for each run with the same attributes."""
import re
import sys
from html import escape

CELL, LINE, MARGIN = 8.4, 18, 12
COLORS = ["#1d1f21", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#d7dae0",
          "#7f848e", "#ff8a8f", "#b5e890", "#ffe08a", "#82c4ff", "#e6a0ff", "#7fe0e8", "#ffffff"]
FORE, BACK = COLORS[7], "#16181c"


def look_of(codes):
    fore, back, bold, dim = FORE, BACK, False, False
    for code in map(int, codes.split(";")):
        if code == 0:
            fore, back, bold, dim = FORE, BACK, False, False
        elif code == 1:
            bold = True
        elif code == 2:
            dim = True
        elif code == 7:
            fore, back = back, fore
        elif 30 <= code < 38 or 90 <= code < 98:
            fore = COLORS[code - 30 if code < 38 else code - 82]
        elif 40 <= code < 48 or 100 <= code < 108:
            back = COLORS[code - 40 if code < 48 else code - 92]
    return fore, back, bold, dim


def stretches(line):
    at, look = 0, look_of("0")
    for part in re.split(r"(\x1b\[[0-9;]*m)", line):
        code = re.fullmatch(r"\x1b\[([0-9;]*)m", part)
        if code:
            look = look_of(code[1] or "0")
        elif part:
            yield at, part, look
            at += len(part)


def main():
    lines = sys.stdin.read().rstrip("\n").split("\n")
    cols = max(len(re.sub(r"\x1b\[[0-9;]*m", "", line)) for line in lines)
    width, height = cols * CELL + 2 * MARGIN, len(lines) * LINE + 2 * MARGIN
    print('<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" role="img">' % ((width, height) * 2))
    print("<title>fs-top on the demo cluster</title>")
    print("<style>text{font:14px ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;white-space:pre}</style>")
    print('<rect width="100%%" height="100%%" rx="6" fill="%s"/>' % BACK)
    for i, line in enumerate(lines):
        y = MARGIN + i * LINE
        for at, text, (fore, back, bold, dim) in stretches(line):
            x, wide = MARGIN + at * CELL, len(text) * CELL
            blocks = re.fullmatch("([\u2588-\u258f]+)", text)
            if blocks and back != BACK:
                print('<rect x="%.1f" y="%.1f" width="%.1f" height="%d" fill="%s"/>' % (x, y + 2, wide, LINE - 4, back))
            elif back != BACK:
                print('<rect x="%.1f" y="%.1f" width="%.1f" height="%d" fill="%s"/>' % (x, y, wide, LINE, back))
            if blocks:  # drawn, since fonts leave gaps between them
                full = sum((0x2590 - ord(c)) / 8 for c in text)
                print('<rect x="%.1f" y="%.1f" width="%.1f" height="%d" fill="%s"/>' % (x, y + 2, full * CELL, LINE - 4, fore))
            elif text.strip():
                print('<text x="%.1f" y="%.1f" textLength="%.1f" fill="%s"%s%s xml:space="preserve">%s</text>' % (
                    x, y + 14, wide, fore, ' font-weight="bold"' if bold else "", ' opacity=".6"' if dim else "", escape(text)))
    print("</svg>")


main()
