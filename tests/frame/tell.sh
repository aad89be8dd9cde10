# SPDX-License-Identifier: MIT
# Sourced by checks. tell prints the result of one test as TAP: passed if FAULTS is empty. n counts the
# tests; failed is 1 after a fault.

n=0 failed=0
tell() { # FAULTS DESCRIPTION
	n=$((n + 1))
	if [ -z "$1" ]; then
		echo "ok $n - $2"
	else
		failed=1
		echo "not ok $n - $2"
		head -n 5 <<< "$1" | cat -v | cut -c 1-200 | sed 's/^/# /'
	fi
}
# For tests that collect their faults in $why, which becomes empty, and keep what a command said in the
# file err.
why=
tell_why() { # DESCRIPTION
	[ -z "$why" ] || [ ! -s err ] || why+=$'\n'$(cat err)
	tell "$why" "$1"
	why=
}
