#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Calls and constructs that the house does without, what library folders leave to main, and the few
# rules of form that a text search can hold.

cd "$(dirname "$0")/.." || exit 2

lib="base fileformat symbols unwind machine session"
n=0 bad=0

# strip comments and strings, keeping line numbers, so that words in them do not count
strip() {
	awk '
	{
		s = $0
		out = ""
		while (s != "") {
			if (in_comment) {
				i = index(s, "*/")
				if (!i) { s = ""; break }
				s = substr(s, i + 2)
				in_comment = 0
				continue
			}
			if (match(s, /"([^"\\]|\\.)*"|'"'"'([^'"'"'\\]|\\.)+'"'"'|\/\*|\/\//)) {
				tok = substr(s, RSTART, RLENGTH)
				out = out substr(s, 1, RSTART - 1)
				s = substr(s, RSTART + RLENGTH)
				if (tok == "/*") in_comment = 1
				else if (tok == "//") s = ""
				else out = out (tok ~ /^"/ ? "\"\"" : "0")
			} else {
				out = out s
				s = ""
			}
		}
		print FILENAME ":" FNR ":" out
	}' "$1"
}

ban() { # name, regex, files...
	local name=$1 regex=$2 f why=
	shift 2
	for f in "$@"; do
		[ -f "$f" ] && why+=$(strip "$f" | grep -E "^[^:]*:[0-9]+:.*$regex" | sed 's/^/# /')
	done
	n=$((n + 1))
	if [ -z "$why" ]; then
		echo "ok $n - $name"
	else
		bad=1
		echo "not ok $n - $name"
		printf '%s\n' "$why" | sed 's/# /\n# /g' | grep .
	fi
}

word='(^|[^A-Za-z0-9_.>])'
all=$(ls {base,fileformat,symbols,unwind,machine,session,record,report,fold,tests,fuzz}/*.[ch] 2> /dev/null)
house=$(ls {base,fileformat,symbols,unwind,machine,session,record,report,fold}/*.[ch] 2> /dev/null)
libs=$(for d in $lib; do ls $d/*.[ch] 2> /dev/null; done)

# shellcheck disable=SC2086
{
ban "banned calls" "$word(strcpy|strcat|stpcpy|sprintf|vsprintf|atoi|atol|atoll|atof|strtok|gmtime|localtime|ctime|asctime|gets|alloca|strncpy|strncat|mktemp|tmpnam)[ \t]*\(" $all
ban "libraries do not print" "$word(printf|puts|putchar|perror|err|errx|warn|warnx|error)[ \t]*\(|$word(stdout|stderr)([^A-Za-z0-9_]|\$)" \
	$(for f in $libs; do case $f in base/option*.[ch] | base/mem.c) ;; *) echo "$f" ;; esac; done)
ban "libraries do not exit" "$word(exit|_exit|_Exit|abort|quick_exit)[ \t]*\(" \
	$(for f in $libs; do [ $f = base/mem.c ] || echo $f; done)
ban "allocation goes through base/mem.h" "$word(malloc|calloc|realloc|reallocarray|strdup|strndup|asprintf|vasprintf)[ \t]*\(" \
	$(for f in $house; do [ $f = base/mem.c ] || echo $f; done)
}

n=$((n + 1))
why=$(for f in $all; do head -n 1 "$f" | grep -q '^/\* SPDX-License-Identifier: MIT \*/$' || echo "# $f"; done)
if [ -z "$why" ]; then
	echo "ok $n - licence lines"
else
	bad=1
	echo "not ok $n - licence lines"
	echo "$why"
fi

n=$((n + 1))
why=$(for f in $all; do expand -t 8 "$f" | awk -v f="$f" 'length($0) > 100 { print "# " f ":" NR ": " length($0) " columns" }'; done)
if [ -z "$why" ]; then
	echo "ok $n - lines of at most 100 columns"
else
	bad=1
	echo "not ok $n - lines of at most 100 columns"
	echo "$why"
fi
n=$((n + 1))
why=$(for f in $all; do echo "${f##*/}"; done | sort | uniq -d | sed 's/^/# /')
if [ -z "$why" ]; then
	echo "ok $n - file names are unique in the tree"
else
	bad=1
	echo "not ok $n - file names are unique in the tree"
	echo "$why"
fi
echo "1..$n"
exit $bad
