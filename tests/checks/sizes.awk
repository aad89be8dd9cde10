# SPDX-License-Identifier: MIT
#
# Used by checks/sizes.sh: prints "KIND<TAB>NAME<TAB>SIZE<TAB>WHERE" of every source file (its
# lines), function (its lines, with the signature) and folder (its modules: a .c file and the header
# of the same name are one). Relies on clang-format: signature and braces start in column 0.

function end_of_file() {
	if (file != "")
		printf "file\t%s\t%d\t%s\n", base, nr_lines, file
}

FNR == 1 {
	end_of_file()
	file = base = folder = module = FILENAME
	sub(/.*\//, "", base)
	sub(/\/[^\/]*$/, "", folder)
	sub(/\.[ch]$/, "", module)
	if (!(module in seen))
		nr_modules[folder]++
	seen[module] = 1
	start = body = 0
}
{ nr_lines = FNR }
/^[A-Za-z_]/ {
	start = FNR
	name = $0
	# of TEST(name) it is the name
	sub(/^TEST\(/, "", name)
	sub(/[,)].*/, "", name)
	sub(/[ \t]*\(.*/, "", name)
	sub(/.*[ \t*]/, "", name)
}
/^\{/ { body = 1 }
/^}/ {
	if (body && start)
		printf "function\t%s:%s\t%d\t%s:%d\n", base, name, FNR - start + 1, FILENAME, start
	start = body = 0
}
END {
	end_of_file()
	for (folder in nr_modules)
		printf "folder\t%s\t%d\t%s\n", folder, nr_modules[folder], folder
}
