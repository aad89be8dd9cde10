// SPDX-License-Identifier: MIT
//
// Trees in pre-order arrays: sums, the table of functions, search. Nothing here draws.

// Sums of the subtrees.
function totalsOf(tree, self) {
	const total = self.slice();

	for (let i = tree.nr - 1; i > 0; i--)
		total[tree.parent[i]] += total[i];
	return total;
}

// The weights of a derived tree: those of the base tree's nodes, moved to where they went.
function weigh(tree, baseSelf) {
	let self = baseSelf;

	if (tree.map) {
		self = new baseSelf.constructor(tree.nr);
		for (let i = 0; i < tree.map.length; i++)
			if (tree.map[i] !== NOTHING)
				self[tree.map[i]] += baseSelf[i];
	}
	return { self, total: totalsOf(tree, self) };
}

// Self and total of each function. A recursive function counts once: nodes inside an outer node
// of the same function add nothing.
function sumFunctions(tree, weights, nrNames) {
	const self = new Float64Array(nrNames);
	const total = new Float64Array(nrNames);
	const until = new Uint32Array(nrNames);
	const { nr, name: names, end } = tree;
	const own = weights.self, all = weights.total;

	for (let i = 1; i < nr; i++) {
		const name = names[i];
		if (own[i])
			self[name] += own[i];
		if (i < until[name])
			continue;
		until[name] = end[i];
		total[name] += all[i];
	}
	return { self, total };
}

// A search text as a test of names: a regular expression, or plain text where it is none. Small
// letters find capitals too.
function searchTest(text) {
	const flags = text === text.toLowerCase() ? "iu" : "u";
	try {
		const pattern = new RegExp(text, flags);
		return (name) => pattern.test(name);
	} catch {
		const plain = text.toLowerCase();
		return (name) => name.toLowerCase().includes(plain);
	}
}

// Which names match: a byte for each.
function matchNames(names, text) {
	const test = searchTest(text);
	const hits = new Uint8Array(names.length);

	for (let i = 0; i < names.length; i++)
		hits[i] = test(names[i]) ? 1 : 0;
	return hits;
}

// The weight of all stacks through a node that matches; each stack counts once.
function sumMatches(tree, weights, hits) {
	let sum = 0;

	for (let i = 1; i < tree.nr;) {
		if (hits[tree.name[i]]) {
			sum += weights.total[i];
			i = tree.end[i];
		} else {
			i++;
		}
	}
	return sum;
}

// Matching nodes, the heaviest first: all of small trees; of large ones, those that can be seen.
function listMatches(tree, weights, hits) {
	const { nr, name, end } = tree;
	const { total } = weights;
	const least = nr > 200000 ? total[0] / 20000 : 0;
	const nodes = [];

	for (let i = 1; i < nr;) {
		if (total[i] <= least) {
			i = end[i];
			continue;
		}
		if (hits[name[i]])
			nodes.push(i);
		i++;
	}
	return nodes.sort((a, b) => total[b] - total[a] || a - b);
}

// The names from the root to a node.
function pathOf(tree, node) {
	const path = [];

	for (let i = node; i; i = tree.parent[i])
		path.push(tree.name[i]);
	return path.reverse();
}

// The node of a path of names; the last node that exists on it.
function nodeOfPath(tree, path) {
	let node = 0;

	for (const name of path) {
		let child = node + 1;
		while (child < tree.end[node] && tree.name[child] !== name)
			child = tree.end[child];
		if (child >= tree.end[node])
			break;
		node = child;
	}
	return node;
}
