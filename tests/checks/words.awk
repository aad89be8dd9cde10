# SPDX-License-Identifier: MIT
#
# Used by checks/words.sh, after c_text.awk: prints "NAME<TAB>LINE<TAB>WORDS" for each use of a word
# or phrase that texts do without. What counts as text: comments and strings of headers, strings of
# .c files, every word of other files. A phrase may go over the end of a line.

function flush_word(word) {
	if (word == "")
		return
	if (word in banned)
		found(word)
	else if (last == "is" && word == "there")
		found("is there")
	else if (before_last == "cannot" && last == "be" && word == "had")
		found("cannot be had")
	before_last = last
	last = word
}

function found(what) {
	printf "%s\t%s:%d\t%s\n", name, FILENAME, FNR, what
}

function read_text(s,    n, i, words) {
	s = tolower(s)
	gsub(/\\[nt"]/, " ", s)
	gsub(/[.;:,!?()]/, " . ", s)
	gsub(/[^a-z0-9_.]+/, " ", s)
	n = split(s, words, " ")
	for (i = 1; i <= n; i++)
		flush_word(words[i])
}

BEGIN {
	n = split("mends mend told whom who whoever", list, " ")
	for (i = 1; i <= n; i++)
		banned[list[i]] = 1
}
FNR == 1 {
	c_text_start()
	name = FILENAME
	sub(/.*\//, "", name)
	kind = FILENAME ~ /\.h$/ ? "h" : FILENAME ~ /\.c$/ ? "c" : "text"
	last = before_last = ""
}
kind == "text" {
	read_text($0)
	next
}
{
	c_text($0)
	# a phrase goes on over comment lines, and in a string at the start of a line
	if (c_code !~ /^[ \t]*("|$)/)
		last = before_last = ""
	if (kind == "h" && c_comment != "")
		read_text(c_comment)
	if (c_strings != "")
		read_text(c_strings)
}
