# SPDX-License-Identifier: MIT
# Sourced by checks that compare prep's text with perf report's.

# The tip behind the tables is chosen by chance.
without_tip() {
	awk '
		/^# \(Tip: / { skip = 1; held = 0; next }
		skip { skip = 0; next }
		held { print "#" }
		{ held = $0 == "#" }
		!held
		END { if (held) print "#" }'
}
