# SPDX-License-Identifier: MIT
#
# Used by checks/circles.sh: reads what `nm -A -g` prints of object files, one file of C each, and
# prints each circle: object files of which every one needs a symbol of another, directly or over
# others. A line "circle NAMES" and then a line "  FROM -> TO: SYMBOLS" for each arrow in it.

function short(path) {
	sub(/.*\//, "", path)
	sub(/\.o$/, ".c", path)
	return path
}

# Sets reached[] to every node of `left` that can be reached from `node` over `arrows`.
function reach(node, arrows, reached,    queue, head, tail, n, i, to) {
	split("", reached)
	queue[tail++] = node
	while (head < tail) {
		n = split(arrows[queue[head++]], to, " ")
		for (i = 1; i <= n; i++) {
			if (!(to[i] in left) || (to[i] in reached))
				continue
			reached[to[i]] = 1
			queue[tail++] = to[i]
		}
	}
}

{
	colon = index($0, ":")
	node = short(substr($0, 1, colon - 1))
	left[node] = 1
	symbol = $NF
	kind = $(NF - 1)
	if (kind ~ /^[Uwv]$/)
		needs[node] = needs[node] " " symbol
	else
		defined[symbol] = node
}

END {
	for (from in left) {
		n = split(needs[from], symbols, " ")
		for (i = 1; i <= n; i++) {
			to = defined[symbols[i]]
			if (to == "" || to == from)
				continue
			if (!((from, to) in arrow)) {
				after[from] = after[from] " " to
				before[to] = before[to] " " from
			}
			arrow[from, to] = arrow[from, to] " " symbols[i]
		}
	}
	for (node in left) {
		reach(node, after, down)
		if (!(node in down)) {
			delete left[node]
			continue
		}
		reach(node, before, up)
		circle = ""
		split("", member)
		for (other in down)
			if (other in up)
				member[other] = 1
		nr = 0
		for (other in member)
			names[++nr] = other
		for (i = 2; i <= nr; i++)
			for (j = i; j > 1 && names[j] < names[j - 1]; j--) {
				swap = names[j]
				names[j] = names[j - 1]
				names[j - 1] = swap
			}
		for (i = 1; i <= nr; i++)
			circle = circle " " names[i]
		print "circle" circle
		for (i = 1; i <= nr; i++)
			for (j = 1; j <= nr; j++)
				if ((names[i], names[j]) in arrow)
					print "  " names[i] " -> " names[j] ":" arrow[names[i], names[j]]
		for (other in member)
			delete left[other]
	}
}
