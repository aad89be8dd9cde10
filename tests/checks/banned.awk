# SPDX-License-Identifier: MIT
#
# Used by checks/banned.sh, after c_text.awk: reads every source once and prints "RULE<TAB>FILE:LINE:
# what" for each fault. `libraries` names the top-level folders that may not print or exit, `house`
# every folder of the product.

function fault(rule, what) {
	printf "%s\t%s:%d: %s\n", rule, FILENAME, FNR, what
}

# The line has calls of names that no member access or longer name precedes.
function calls(names) {
	return c_code ~ call_of(names)
}

function call_of(names) {
	return "(^|[^A-Za-z0-9_.>])(" names ")[ \t]*\\("
}

function columns(s,    n, i, c) {
	n = 0
	while ((i = index(s, "\t"))) {
		n += i - 1
		n += 8 - n % 8
		s = substr(s, i + 1)
	}
	# bytes of a character behind its first; banned.sh sets the C locale
	gsub(/[\200-\277]/, "", s)
	return n + length(s)
}

# What the file before this one turned out to lack.
function end_of_file() {
	if (previous == "" || previous !~ /\.h$/)
		return
	if (!has_guard)
		printf "guards\t%s: no #ifndef %s\n", previous, guard
	# headers of the tests may hold tables and whole walks over a file
	if (previous !~ /^tests\// && nr_lines > 320)
		printf "headers\t%s: %d lines\n", previous, nr_lines
}

BEGIN {
	banned = "strcpy|strcat|stpcpy|sprintf|vsprintf|atoi|atol|atoll|atof|strtok|gmtime|" \
		"localtime|ctime|asctime|gets|alloca|strncpy|strncat|mktemp|tmpnam"
	printing = "printf|puts|putchar|perror|err|errx|warn|warnx|error"
	exiting = "exit|_exit|_Exit|abort|quick_exit"
	allocating = "malloc|calloc|realloc|reallocarray|strdup|strndup|asprintf|vasprintf"
	# An expression that changes from match to match is compiled each time: few lines get so far.
	any_call = call_of(banned "|" printing "|" exiting "|" allocating)
}

FNR == 1 {
	end_of_file()
	previous = FILENAME
	c_text_start()
	folder = base = FILENAME
	sub(/\/.*/, "", folder)
	sub(/.*\//, "", base)
	in_house = index(" " house " ", " " folder " ")
	in_library = index(" " libraries " ", " " folder " ")
	may_print = !in_library || FILENAME ~ /^base\/(option[^\/]*\.[ch]|mem\.c)$/
	may_exit = !in_library || FILENAME == "base/mem.c"
	may_allocate = !in_house || FILENAME == "base/mem.c" || FILENAME == "base/pages.c"
	guard = toupper(FILENAME)
	gsub(/[\/.-]/, "_", guard)
	has_guard = 0
	if ($0 != "/* SPDX-License-Identifier: MIT */")
		fault("licences", $0)
	if (base in place)
		fault("names", "also " place[base])
	place[base] = FILENAME
}
{
	nr_lines = FNR
	# a tab is at most 8 columns
	if (length($0) > 12 && columns($0) > 100)
		fault("columns", columns($0) " columns")
	c_text($0)
	if (!may_print && c_code ~ /(^|[^A-Za-z0-9_.>])(stdout|stderr)([^A-Za-z0-9_]|$)/)
		fault("prints", c_code)
	if (c_code ~ /\(/ && c_code ~ any_call) {
		if (calls(banned))
			fault("calls", c_code)
		if (!may_print && calls(printing))
			fault("prints", c_code)
		if (!may_exit && calls(exiting))
			fault("exits", c_code)
		if (!may_allocate && calls(allocating))
			fault("allocates", c_code)
	}
	if (!has_guard && $1 == "#ifndef" && $2 == guard)
		has_guard = 1
}
END {
	end_of_file()
}
