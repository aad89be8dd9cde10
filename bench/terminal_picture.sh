#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Makes the pictures of prep's interactive view in README.md: records clang++, opens the recording with
# prep in tmux, types keys, and writes the screen with its colours as SVG.
#
#	bench/terminal_picture.sh Down > docs/terminal.svg
#	bench/terminal_picture.sh g > docs/terminal-flame.svg
#
# Keys are spelt as for tmux send-keys. BIN=bin, PICTURE_COLUMNS=100, PICTURE_LINES=26

set -eu -o pipefail
cd "$(dirname "$0")/.."
: "${BIN:=$PWD/bin}" "${PICTURE_COLUMNS:=100}" "${PICTURE_LINES:=26}"
command -v tmux > /dev/null || { echo "terminal_picture: no tmux" >&2; exit 77; }
work=$(mktemp -d)
server=picture.$$
trap 'tmux -L "$server" kill-server 2> /dev/null || :; rm -rf "$work"' EXIT

"$BIN/prec" -q -F 2000 --call-graph dwarf -o "$work/clang.data" -- \
	clang++ -std=gnu++17 -O2 -c bench/plain.cc -o /dev/null
tmux -L "$server" -f /dev/null new-session -d -x "$PICTURE_COLUMNS" -y "$PICTURE_LINES" \
	"TERM=screen-256color $BIN/prep --tui -i $work/clang.data"
tmux -L "$server" set -g status off
sleep 5
for key in "$@"; do
	tmux -L "$server" send-keys "$key"
	sleep 1
done
tmux -L "$server" capture-pane -p -e -N > "$work/screen"
exec python3 - "$PICTURE_COLUMNS" "$work/screen" << 'END'
import re, sys, unicodedata
from xml.sax.saxutils import escape

CELL, LINE, MARGIN = 7.8, 17, 12
FRONT, BACK = '#d8dee9', '#1e222a'
NAMED = ('#3b4252 #bf616a #a3be8c #ebcb8b #81a1c1 #b48ead #88c0d0 #d8dee9 '
         '#6b7689 #d77a83 #b5d3a0 #f2d9a0 #9ab8d8 #c9a4c3 #9fd6e0 #eceff4').split()

def color(n):
    if n < 16:
        return NAMED[n]
    if n >= 232:
        return '#%02x%02x%02x' % ((8 + 10 * (n - 232),) * 3)
    levels = (0, 95, 135, 175, 215, 255)
    n -= 16
    return '#%02x%02x%02x' % (levels[n // 36], levels[n // 6 % 6], levels[n % 6])

class Style:
    def __init__(self):
        self.front = self.back = None
        self.bold = self.reverse = False

    def apply(self, codes):
        codes = [int(c or 0) for c in codes.split(';')]
        while codes:
            c = codes.pop(0)
            if c == 0:
                self.__init__()
            elif c == 1:
                self.bold = True
            elif c == 22:
                self.bold = False
            elif c in (7, 27):
                self.reverse = c == 7
            elif c in (38, 48) and codes[:1] == [5]:
                value = color(codes[1])
                del codes[:2]
                if c == 38:
                    self.front = value
                else:
                    self.back = value
            elif 30 <= c <= 37 or 90 <= c <= 97:
                self.front = color(c - 30 if c < 90 else c - 82)
            elif 40 <= c <= 47 or 100 <= c <= 107:
                # a dark blue, as terminals have it: white on it must be readable
                self.back = '#35517a' if c == 44 else color(c - 40 if c < 100 else c - 92)
            elif c == 39:
                self.front = None
            elif c == 49:
                self.back = None

    def colors(self):
        front, back = self.front or FRONT, self.back or BACK
        return (back, front) if self.reverse else (front, back)

columns = int(sys.argv[1])
lines = open(sys.argv[2], encoding='utf-8', errors='replace').read().rstrip('\n').split('\n')
width, height = columns * CELL + 2 * MARGIN, len(lines) * LINE + 2 * MARGIN
print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height}" '
      f'viewBox="0 0 {width:g} {height}" font-family="DejaVu Sans Mono,Menlo,Consolas,monospace" '
      'font-size="13">')
print(f'<rect width="100%" height="100%" rx="6" fill="{BACK}"/>')
style = Style()
for row, line in enumerate(lines):
    at = 0
    y = MARGIN + row * LINE
    for i, part in enumerate(re.split(r'\x1b\[([0-9;]*)m', re.sub(r'\x1b[()][A-Z0-9]|[\x0e\x0f]', '', line))):
        if i % 2:
            style.apply(part)
            continue
        cells = sum(2 if unicodedata.east_asian_width(c) in 'WF' else 1 for c in part)
        front, back = style.colors()
        x = MARGIN + at * CELL
        if cells and back != BACK:
            print(f'<rect x="{x:.1f}" y="{y}" width="{cells * CELL:.1f}" height="{LINE}" fill="{back}"/>')
        if part.strip():
            weight = ' font-weight="bold"' if style.bold else ''
            print(f'<text x="{x:.1f}" y="{y + 13}" fill="{front}"{weight} xml:space="preserve" '
                  f'textLength="{cells * CELL:.1f}">{escape(part)}</text>')
        at += cells
print('</svg>')
END
