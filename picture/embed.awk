# SPDX-License-Identifier: MIT
#
# Turns a script or a style sheet into the bytes of a C array, for #include: lines that hold only a
# comment (// or a whole /* */) and empty lines are left out, and blanks at the beginnings of lines.
#
#	LC_ALL=C awk -f picture/embed.awk FILE.js > FILE.js.inc

BEGIN {
	for (i = 1; i < 128; i++)
		code[sprintf("%c", i)] = i
}
/^[ \t]*\/\// { next }
/^[ \t]*\/\*.*\*\/[ \t]*$/ { next }
{
	sub(/^[ \t]+/, "")
	if ($0 == "")
		next
	out = ""
	for (i = 1; i <= length($0); i++) {
		c = substr($0, i, 1)
		if (!(c in code)) {
			print FILENAME ":" NR ": a character that is not ASCII" > "/dev/stderr"
			failed = 1
			exit 1
		}
		out = out code[c] ","
	}
	print out "10,"
}
