#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Include directions: each room includes only the rooms that it may know, each outside library stays
# behind its one door, a .c file includes its own header first, and headers form no circle.

cd "$(dirname "$0")/../.." || exit 2
. tests/checks/source_lists.sh
root=$PWD

# Each room and the rooms that it may include besides itself and base. A room is a folder with a row
# of its own; a folder without one belongs to the room above it. A room that has a row has to be
# named by itself: "symbols" is not "symbols/elf", if that has a row; "symbols/*" is symbols and
# every room in it, "product/*" every room but those of tests. The table must hold no circle.
export ROOMS='
base:
picture:
fileformat:          fileformat/feature
fileformat/feature:
fileformat/write:    fileformat fileformat/feature

symbols/table:
symbols/elf:         symbols/table
symbols/find:        symbols/elf symbols/table
symbols/dwarf:       symbols/find symbols/elf symbols/table
symbols/kernel:      symbols/find symbols/elf symbols/table
symbols/jit:         symbols/find symbols/elf symbols/table
symbols:             symbols/*

unwind/cfi:          symbols/*
unwind:              unwind/cfi symbols/*
unwind/join:         unwind
machine:             unwind unwind/cfi unwind/join symbols/* fileformat fileformat/feature

session/parts:       fileformat
session:             session/parts machine unwind unwind/join symbols/* fileformat fileformat/feature
count/tables:        session machine unwind unwind/join symbols/* fileformat
count:               count/tables session/parts session machine unwind unwind/join symbols/* fileformat
profile:             profile/verdict count session machine symbols/* fileformat fileformat/feature
profile/verdict:     count session machine symbols/* fileformat

record/model:        fileformat
record/host:         record/model fileformat symbols/*
record/probe:        record/host record/model symbols/*
record/events:       record/probe record/host record/model fileformat
record/open:         record/events record/probe record/host record/model fileformat fileformat/write
record/before:       record/open record/host record/model fileformat fileformat/write symbols/*
record/keep:         record/sink fileformat symbols/*
record/header:       record/keep record/open record/host record/model fileformat fileformat/feature fileformat/write symbols/*
record/sink:         record/open record/host record/model fileformat fileformat/write
record/offcpu:       record/open record/events record/host record/model fileformat fileformat/write
record/ring:         record/offcpu record/live record/sink record/keep record/header record/before record/open record/host record/model fileformat fileformat/write
record/readers:      record/ring record/sink record/keep record/header record/open record/host record/model
record/live:         record/sink record/host machine unwind unwind/join symbols/jit symbols/elf symbols/table fileformat
record/convert:      record/live record/sink count session machine unwind/join symbols/table fileformat fileformat/feature fileformat/write
record/review:       session machine unwind symbols/* fileformat
record:              record/* fileformat fileformat/feature fileformat/write symbols/*

report/order:
report/text:         session machine unwind symbols/* fileformat fileformat/feature
report/disasm:       symbols/*
report/table:        report/order report/text profile count session machine symbols/* fileformat fileformat/feature
report/diff:         report/table report/order report/text profile profile/verdict count session machine symbols/* fileformat fileformat/feature
report/pscript:      report/text report/disasm profile profile/verdict count session machine unwind unwind/join symbols/* fileformat fileformat/feature
report/annotate:     report/disasm report/text profile count session machine symbols/* fileformat
report/pann:         report/code report/tui report/annotate report/disasm report/text profile profile/verdict count session machine symbols/* fileformat
report/html:         picture profile count fileformat
report/tui:          picture report/table profile symbols/find
report/charts:       picture report/tui report/table report/text profile count session machine symbols/* fileformat
report/code:         report/tui report/annotate profile session machine symbols/*
report/prep:         report/code report/annotate report/charts report/tui report/html picture report/diff report/table report/order report/text profile profile/verdict count session machine symbols/* fileformat fileformat/feature
report:              report/text session fileformat fileformat/feature
fold:                picture profile profile/verdict count session machine unwind symbols/* fileformat

events/expr:         fileformat
events/stacks:        picture session machine unwind symbols/* fileformat
events/state:        events events/recipes events/stacks events/expr profile profile/verdict session machine unwind symbols/* fileformat
events/leak:         events events/stacks events/expr profile profile/verdict session machine unwind symbols/* fileformat
events/func:          events events/stacks profile profile/verdict session machine unwind symbols/* fileformat
events/when:          events events/stacks events/expr profile profile/verdict session machine unwind symbols/* fileformat
events/series:       events events/expr session machine unwind symbols/* fileformat
events/sinks:        events events/stacks events/expr session machine unwind symbols/* fileformat
events/recipes:      events
events/calls:        events events/expr profile profile/verdict session machine unwind symbols/* fileformat
events/perf_texts:   events events/calls events/func events/expr profile profile/verdict session machine unwind symbols/* fileformat
events/command:      events events/* profile profile/verdict session machine unwind symbols/* fileformat
events:              events/expr profile profile/verdict session machine unwind symbols/* fileformat

tests:               product/*
fuzz:                product/* tests
bench:               product/* tests
'
export TESTS='tests fuzz bench'

# Headers of outside libraries, by file or by folder, and the folders that may include them.
export DOORS='
zstd.h:      fileformat symbols   # records; ELF sections
libelf.h:    symbols
gelf.h:      symbols
elfutils:    symbols unwind
dwarf.h:     symbols unwind
libunwind:   unwind
libunwind-x86_64.h: unwind
capstone:    report
curses.h:    report/tui
term.h:      report/tui
traceevent:  report
libiberty:   symbols
demangle.h:  symbols
lzma.h:      symbols
zlib.h:      symbols              # modules; checksums of .gnu_debuglink
libdeflate.h: symbols picture     # ELF sections; pages
'

faults() { # files...
	awk -f "$root/tests/checks/includes.awk" "$@"
}

# shellcheck disable=SC2046
result "include directions" "$(faults $(all_files))"

# The rules see what they are meant to see: here with the table of rooms above,
planted=$(mktemp -d) || exit 2
trap 'rm -rf "$planted"' EXIT
cd "$planted" || exit 2
mkdir base symbols nowhere record record/{model,open}
echo '#include "symbols/a.h"' > base/a.h
printf '#include "base/a.h"\n#include <capstone/x.h>\n' > symbols/a.h
echo '#include "base/a.h"' > symbols/a.c
echo > nowhere/a.h
want='base/a.h: is in, or leads to, a circle of includes
base/a.h:1: base may not include symbols (symbols/a.h)
nowhere/a.h: no row of the table is for this folder
symbols/a.c:1: own header symbols/a.h is not included first
symbols/a.h: is in, or leads to, a circle of includes
symbols/a.h:2: <capstone/x.h> belongs behind the door of report'
found=$(DOORS='capstone: report' faults base/a.h symbols/a.h symbols/a.c nowhere/a.h | sort)
result "a wrong direction, a wrong door, a late own header, a circle and a folder of no room are seen" \
	"$(diff <(echo "$want") <(echo "$found"))"

# here with rooms inside a folder, as model < open < the rest of record.
echo '#include "record/open/a.h"' > record/model/a.h
printf '#include "record/model/b.h"\n#include "record/c.h"\n' > record/open/b.h
printf '#include "record/open/b.h"\n#include "record/model/b.h"\n#include "base/b.h"\n' > record/d.h
printf '#include "record/open/b.h"\n#include "record/model/b.h"\n' > symbols/d.h
want='record/model/a.h:1: record/model may not include record/open (record/open/a.h)
record/open/b.h:2: record/open may not include record (record/c.h)
symbols/d.h:2: symbols may not include record/model (record/model/b.h)'
found=$(ROOMS='
base:
record/model:
record/open: record/model
record:      record/*
symbols:     record/open' faults record/model/a.h record/open/b.h record/d.h symbols/d.h | sort)
result "an include of a room above, inside a folder, is seen" \
	"$(diff <(echo "$want") <(echo "$found"))"

want='the table: a is in, or leads to, a circle of rooms
the table: b/c is in, or leads to, a circle of rooms'
found=$(ROOMS=$'a: b/*\nb/c: a\nd:\n' faults /dev/null | grep -v '^/dev/null' | sort)
result "a circle of rooms in the table is seen" "$(diff <(echo "$want") <(echo "$found"))"
results_end
