# SPDX-License-Identifier: MIT
#
# Used by checks/includes.sh: reads every source once and prints each include that the tables do not
# allow. The environment holds the tables: ROOMS, lines "room: rooms that it may include", and
# DOORS, lines "header: folders that may include it"; TESTS names the rooms that are no part of the
# product.

# The longest folder above the file that has a row of its own.
function room_of(path,    room) {
	room = path
	while (sub(/\/[^\/]*$/, "", room))
		if (room in may)
			return room
	return ""
}

# Does the list name the room? "x/*" is x and every room below it, "product/*" every room that is
# not one of TESTS.
function lists(list, room,    n, i, word, words) {
	n = split(list, words, " ")
	for (i = 1; i <= n; i++) {
		word = words[i]
		if (word == room)
			return 1
		if (word == "product/*" && !(top_of(room) in is_test))
			return 1
		if (word ~ /\/\*$/ && index(room "/", substr(word, 1, length(word) - 1)) == 1)
			return 1
	}
	return 0
}

function top_of(path) {
	sub(/\/.*/, "", path)
	return path
}

# Is the file below one of the folders?
function is_below(file, folders,    n, i, words) {
	n = split(folders, words, " ")
	for (i = 1; i <= n; i++)
		if (index(file, words[i] "/") == 1)
			return 1
	return 0
}

# Reads lines "name: words" into the array.
function read_table(text, table,    n, i, lines, name, words) {
	n = split(text, lines, "\n")
	for (i = 1; i <= n; i++) {
		sub(/#.*/, "", lines[i])
		if (lines[i] !~ /:/)
			continue
		name = words = lines[i]
		sub(/:.*/, "", name)
		sub(/^[^:]*:/, "", words)
		gsub(/[ \t]/, "", name)
		table[name] = words
	}
}

# Takes away every node of `edges` that leads to no other one that is left; what cannot be taken
# away is in a circle or leads to one.
function peel(edges,    node, moved, n, i, to, open) {
	do {
		moved = 0
		for (node in edges) {
			n = split(edges[node], to, " ")
			open = 0
			for (i = 1; i <= n; i++)
				if (to[i] in edges)
					open = 1
			if (!open) {
				delete edges[node]
				moved = 1
			}
		}
	} while (moved)
}

BEGIN {
	read_table(ENVIRON["ROOMS"], may)
	read_table(ENVIRON["DOORS"], door)
	n = split(ENVIRON["TESTS"], words, " ")
	for (i = 1; i <= n; i++)
		is_test[words[i]] = 1
	for (from in may)
		for (to in may)
			if (from != to && lists(may[from], to))
				way[from] = way[from] " " to
	peel(way)
	for (room in way)
		print "the table: " room " is in, or leads to, a circle of rooms"
}

FNR == 1 {
	room = room_of(FILENAME)
	if (room == "")
		print FILENAME ": no row of the table is for this folder"
	own = FILENAME
	is_c = sub(/\.c$/, ".h", own)
	has_own = is_c && ((getline line < own) >= 0)
	if (has_own)
		close(own)
	# own_priv.h, which itself starts from own.h, will do as well
	priv = own
	sub(/\.h$/, "_priv.h", priv)
	nr_includes = 0
}

/^[ \t]*#[ \t]*include/ {
	target = $0
	sub(/^[ \t]*#[ \t]*include[ \t]*/, "", target)
	quoted = target ~ /^"/
	target = substr(target, 2)
	sub(/[">].*/, "", target)
	nr_includes++
	if (has_own && nr_includes == 1 && target != own && target != priv)
		print FILENAME ":" FNR ": own header " own " is not included first"
	if (!quoted) {
		key = (target in door) ? target : top_of(target)
		if (key in door && !(top_of(room) in is_test) && !is_below(FILENAME, door[key]))
			print FILENAME ":" FNR ": <" target "> belongs behind the door of" door[key]
		next
	}
	if (target !~ /\//) {
		print FILENAME ":" FNR ": \"" target "\" is not relative to the root"
		next
	}
	to = room_of(target)
	if (to != room && to != "base" && !lists(may[room], to))
		print FILENAME ":" FNR ": " room " may not include " to " (" target ")"
	if (!is_c)
		edge[FILENAME] = edge[FILENAME] " " target
}

END {
	peel(edge)
	for (h in edge)
		print h ": is in, or leads to, a circle of includes"
}
