# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# Waiting without a process for each moment, for checks that look hundreds of times. To be sourced.

exec {nothing}<> <(:)
# As sleep: reads a pipe that nothing is written to.
pause() { read -rt "$1" -u "$nothing" || :; } # SECONDS

# Waits until a command is true, at most 10 s.
until_true() { # COMMAND...
	local i
	for ((i = 0; i < 100; i++)); do
		"$@" && return
		pause 0.1
	done
	return 1
}
