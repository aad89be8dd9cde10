# SPDX-License-Identifier: MIT
#
# From the text of `pscript --ns --show-lost-events -F tid,time,event`, the times between an event
# and the next other one of the same thread, without a loss in between, as the kernel's tracer
# function_graph would print calls that last as long, times a factor.
#
#	pscript ... | graph_lines.py BEGIN END [FACTOR] > trace_pipe
import re
import sys

begin, end = sys.argv[1:3]
factor = int(sys.argv[3]) if len(sys.argv) > 3 else 1
waiting = {}
for line in sys.stdin:
	if "PERF_RECORD_LOST " in line:
		waiting.clear()
		continue
	found = re.match(r"\s*(-?\d+)\s+(\d+)\.(\d{9}):\s+(\S+?): *$", line)
	if not found:
		continue
	tid, ns = found[1], int(found[2]) * 1000000000 + int(found[3])
	if found[4] == end and tid in waiting:
		ns = (ns - waiting.pop(tid)) * factor
		# perf cuts digits behind the ns, of numbers that may be a bit too low: half a ns is added
		print(" 0)   %d.%03d5 us    |  f();" % (ns // 1000, ns % 1000))
	elif found[4] == begin:
		waiting[tid] = ns
