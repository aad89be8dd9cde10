# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# The kernel makes the text of /proc/kallsyms anew for each command that reads it, which takes 40 ms of CPU; stock
# perf reads it up to three times. run_with_stored_kallsyms starts a check again, with its operands, in a
# mount name space where a file of the same text is in its place. It returns where that has been done, and where
# mounting is not permitted.

run_with_stored_kallsyms() { # operands of the check
	[ -z "${STORED_KALLSYMS-}" ] || return 0
	unshare -m --propagation private true 2> /dev/null || return 0
	local self=$0
	[ -e "$self" ] || self=tests/checks/${0##*/}
	# shellcheck disable=SC2016
	STORED_KALLSYMS=1 exec unshare -m --propagation private bash -c 'file=$(mktemp) && cat /proc/kallsyms > "$file" &&
		mount --bind "$file" /proc/kallsyms
		rm -f "$file"
		exec bash "$0" "$@"' "$self" "$@"
}
