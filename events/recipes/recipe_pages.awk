# SPDX-License-Identifier: MIT
#
# Writes a man page plat-NAME.1 into the folder `dir` for each recipe of plat:
#
#	awk -v dir=build/man -f events/recipes/recipe_pages.awk own_recipes.c plat.1 plat-*.1
#
# The recipes are those of own_recipes.c; what a page says of one is what plat.1 says of it under
# "Recipes". A recipe with options of its own, which plat.1 refers to the page of for them, gets
# a page only under another name than that one, which refers to it.

function name_of(file) { sub(/.*\//, "", file); sub(/\.1$/, "", file); return file }
function man_text(s) { gsub(/\\/, "\\e", s); gsub(/-/, "\\-", s); gsub(/\047/, "\\(aq", s); return s }

FILENAME ~ /\.c$/ && /^\t"/ {
	s = $0
	sub(/^\t"/, "", s)
	sub(/"[,;]?$/, "", s)
	text = text s
	next
}

FILENAME ~ /\/plat\.1$/ && /^\.SS / { in_recipes = $0 == ".SS Recipes"; item = "" }
FILENAME ~ /\/plat\.1$/ && in_recipes {
	if ($0 == ".TP") { is_title = 1; item = ""; next }
	if (is_title) {
		is_title = 0
		item = $0
		sub(/^\.(B|BR|BI) +/, "", item)
		gsub(/\\ .*|"[^"]*"|,/, " ", item)
		gsub(/\\-/, "-", item)
		nr_names = split(item, names, " +")
		for (i = 1; i <= nr_names; i++)
			shared[names[i]] = nr_names
		next
	}
	for (i = 1; item != "" && i <= nr_names; i++) {
		about[names[i]] = about[names[i]] $0 "\n"
		if (match($0, /^\.BR plat\\-[a-z\\-]+ \(1\)/) && !(names[i] in other)) {
			s = $2
			gsub(/\\/, "", s)
			other[names[i]] = s
		}
	}
	next
}

FILENAME !~ /\.c$/ && FNR == 1 { has_page[name_of(FILENAME)] = 1 }

function put_page(name, what, lines, nr, is_analysis, is_count,    page, i, run) {
	page = dir "/plat-" name ".1"
	run = "plat " man_text(name)
	print ".\\\" SPDX-License-Identifier: MIT\n.\\\" from own_recipes.c and plat.1" > page
	printf ".TH PLAT\\-%s 1 \"\" \"\" \"perf.data readers\"\n.SH NAME\n", toupper(man_text(name)) > page
	printf "plat\\-%s \\- %s\n", man_text(name), man_text(what) > page
	printf ".SH SYNOPSIS\n.B %s\n", run (is_analysis ? " \\fIFILE\\fB:\\fIPROVIDER\\fB:\\fINAME\\fR..." : "") > page
	print ".RI [ options ]\n.RI [ FILE |\\-]" > page
	if (!is_analysis) {
		print ".SH EXAMPLES\nNow, in the whole system, for ten seconds:\n.PP\n.RS\n.EX" > page
		printf "%s \\-a \\-\\-for 10s\n.EE\n.RE\n.PP\nRecord, and look at it later:\n.PP\n.RS\n.EX\n", run > page
		printf "$(%s \\-\\-print\\-record) \\-\\-for 10s\n%s%s\n.EE\n.RE\n", run, run, is_count ? "" : " \\-\\-hist" > page
	} else {
		print ".SH EXAMPLES\nThe time from one probe to the next one of the same thread, in a running process:\n.PP\n.RS\n.EX" > page
		print "plat usdt ./app:server:request_start ./app:server:request_end \\-p 4711\n.EE\n.RE" > page
	}
	print ".SH DESCRIPTION" > page
	if (shared[name] > 1)
		printf "%s: %s.\n.PP\n", run, man_text(what) > page
	printf "%s", about[name] != "" ? about[name] : man_text(what) ".\n" > page
	print ".PP\nIt is one of the recipes of\n.BR plat (1),\nwhich has the options." > page
	if (!is_analysis) {
		print ".SH RECIPE\nAs files have it; see \"Recipes in files\" in\n.BR plat (1):\n.PP\n.EX" > page
		for (i = 1; i <= nr; i++)
			if (lines[i] != "")
				print man_text(lines[i]) > page
		print ".EE" > page
	}
	print ".SH SEE ALSO\n.BR plat (1),\n.BR prec (1)" > page
	close(page)
}

END {
	gsub(/\\"/, "\"", text)
	nr = split(text, all, /\\n/)
	for (i = 1; i <= nr; i++) {
		gsub(/\\t/, "    ", all[i])
		if (match(all[i], /^recipe [a-z-]+ "/)) {
			split(all[i], words, " ")
			name = words[2]
			what = substr(all[i], RLENGTH + 1)
			sub(/"$/, "", what)
			split("", lines)
			n = is_analysis = is_count = 0
		}
		lines[++n] = all[i]
		if (all[i] ~ /^ +analysis/)
			is_analysis = 1
		if (all[i] ~ /^ +count /)
			is_count = 1
		if (i < nr && all[i + 1] !~ /^recipe /)
			continue
		if (has_page["plat-" name])
			continue
		if (is_analysis && name in other) {
			page = dir "/plat-" name ".1"
			print ".so man1/" other[name] ".1" > page
			close(page)
			continue
		}
		put_page(name, what, lines, n, is_analysis, is_count)
	}
}
