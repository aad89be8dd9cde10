# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# The folders and files that the checks of the sources look at. To be sourced in the root of the
# tree. The Makefile names the folders; files are found however deep they lie.

product_folders=$(sed -n 's/^FOLDERS := //p' Makefile)

# Prints the C files of the product.
product_files() {
	# shellcheck disable=SC2086
	find $product_folders -name '*.[ch]' | sort
}

# Prints the C files of the product, of its tests, fuzz programs and benches.
all_files() {
	# shellcheck disable=SC2086
	find $product_folders tests fuzz bench -name '*.[ch]' | sort
}

# Prints the man pages of these sections.
man_pages() { # sections
	# shellcheck disable=SC2086
	find $product_folders -name "*.[$1]" | sort
}

# Prints the path of the product's file of that name; names are unique in the tree.
source_named() {
	# shellcheck disable=SC2086
	find $product_folders -name "$1"
}

# Starts the check again, with its operands, where /tmp is empty and its own: JITs and golden cases
# write /tmp/perf-PID.map, which any other test of a process with that number would read. Returns
# where this has been done, where mounting is not permitted, and where the tree or BIN lie in /tmp.
run_in_own_tmp() { # operands of the check
	[ -z "${IN_OWN_TMP-}" ] || return 0
	case $PWD/:${BIN-}:${O-} in */tmp/*) return 0 ;; esac
	unshare -m --propagation private mount -t tmpfs none /tmp 2> /dev/null || return 0
	# shellcheck disable=SC2016
	IN_OWN_TMP=1 exec unshare -m --propagation private bash -c \
		'unset TMPDIR; mount -t tmpfs none /tmp && exec bash "$0" "$@"' "tests/checks/${0##*/}" "$@"
}

# Numbers the results of a check and prints them as TAP: result TITLE DIAGNOSTICS; a result without
# diagnostics has passed. `bad` is 1 once a result has failed, `results_end` prints the plan.
nr_results=0 bad=0
result() {
	nr_results=$((nr_results + 1))
	if [ -z "$2" ]; then
		echo "ok $nr_results - $1"
		return
	fi
	bad=1
	echo "not ok $nr_results - $1"
	printf '%s\n' "$2" | sed 's/^/# /'
}
results_end() {
	echo "1..$nr_results"
	return $bad
}
