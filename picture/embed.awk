# SPDX-License-Identifier: MIT
#
# A script or a style sheet as pictures and pages hold it: lines that hold only a comment (// or a
# whole /* */) and empty lines are left out, and blanks at the beginnings of lines. Prints the bytes
# of a C array, for #include; with text=1, the text itself.
#
#	LC_ALL=C awk -f picture/embed.awk FILE.js > FILE.js.inc
#	LC_ALL=C awk -v text=1 -f picture/embed.awk FILE.js... > script

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
	print text ? $0 : out "10,"
}
