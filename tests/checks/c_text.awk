# SPDX-License-Identifier: MIT
#
# Splits lines of C into code, text of comments and text of strings. For awk programs of the checks:
#	awk -f tests/checks/c_text.awk -f PROGRAM FILE...
# The program calls c_text_start() at FNR == 1 of every file and c_text(line) for every line.
# c_text sets
#	c_code		the line without comments, with "" for each string and 0 for each character
#	c_comment	what the line has of comments
#	c_strings	what the line has of strings, without their quotes

function c_text_start() {
	c_in_comment = 0
}

function c_text(s,    i, token, first) {
	c_code = c_comment = c_strings = ""
	if (!c_in_comment && s !~ /["'\/]/) {
		c_code = s
		return
	}
	while (s != "") {
		if (c_in_comment) {
			i = index(s, "*/")
			if (!i) {
				c_comment = c_comment " " s
				return
			}
			c_comment = c_comment " " substr(s, 1, i - 1)
			s = substr(s, i + 2)
			c_in_comment = 0
			continue
		}
		if (!match(s, /"([^"\\]|\\.)*"|'([^'\\]|\\.)+'|\/\*|\/\//)) {
			c_code = c_code s
			return
		}
		token = substr(s, RSTART, RLENGTH)
		c_code = c_code substr(s, 1, RSTART - 1)
		s = substr(s, RSTART + RLENGTH)
		first = substr(token, 1, 1)
		if (token == "/*") {
			c_in_comment = 1
		} else if (token == "//") {
			c_comment = c_comment " " s
			return
		} else if (first == "\"") {
			c_code = c_code "\"\""
			c_strings = c_strings " " substr(token, 2, RLENGTH - 2)
		} else {
			c_code = c_code "0"
		}
	}
}
