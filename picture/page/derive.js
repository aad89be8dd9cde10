// SPDX-License-Identifier: MIT
//
// Trees made from other trees: functions dropped, merged or focused, recursion collapsed, callers
// of a function, stacks from the leaf on. Each new tree knows to which of its nodes each node of
// the old one went, so that new weights (of a range of time) need no new tree.

// Nodes by (parent, name), numbered in the order in which they are asked for.
class Nodes {
	constructor() {
		this.nr = 1;
		this.parent = new Uint32Array(513);
		this.name = new Uint32Array(513);
		this.slots = new Int32Array(1024);
	}

	slotOf(parent, name) {
		const mask = this.slots.length - 1;
		let at = (Math.imul(parent, 0x9e3779b1) ^ Math.imul(name, 0x85ebca6b)) >>> 0;

		for (at = (at ^ (at >>> 15)) & mask; this.slots[at]; at = (at + 1) & mask) {
			const i = this.slots[at];
			if (this.parent[i] === parent && this.name[i] === name)
				break;
		}
		return at;
	}

	child(parent, name) {
		let at = this.slotOf(parent, name);

		if (this.slots[at])
			return this.slots[at];
		if (this.nr * 2 > this.slots.length) {
			this.slots = new Int32Array(this.slots.length * 4);
			for (const key of ["parent", "name"]) {
				const old = this[key];
				this[key] = new Uint32Array(this.slots.length / 2 + 1);
				this[key].set(old);
			}
			for (let i = 1; i < this.nr; i++)
				this.slots[this.slotOf(this.parent[i], this.name[i])] = i;
			at = this.slotOf(parent, name);
		}
		this.parent[this.nr] = parent;
		this.name[this.nr] = name;
		this.slots[at] = this.nr;
		return this.nr++;
	}

	// The tree in pre-order, children by their names, and the new number of each node.
	order(ranks) {
		const { nr } = this;
		const starts = new Uint32Array(ranks.length + 1);
		const sorted = new Uint32Array(nr);
		const first = new Uint32Array(nr);
		const next = new Uint32Array(nr);
		const tree = newTree(nr);
		const place = new Uint32Array(nr);

		for (let i = 1; i < nr; i++)
			starts[ranks[this.name[i]] + 1]++;
		for (let i = 0; i < ranks.length; i++)
			starts[i + 1] += starts[i];
		for (let i = 1; i < nr; i++)
			sorted[starts[ranks[this.name[i]]]++] = i;
		for (let k = nr - 2; k >= 0; k--) {
			const i = sorted[k];
			next[i] = first[this.parent[i]];
			first[this.parent[i]] = i;
		}
		tree.name[0] = NOTHING;
		for (let i = 0, at = 0, depth = 0; ;) {
			place[i] = at;
			tree.name[at] = this.name[i];
			tree.depth[at++] = depth;
			if (first[i]) {
				i = first[i];
				depth++;
				continue;
			}
			while (i && !next[i]) {
				i = this.parent[i];
				depth--;
			}
			if (!i)
				break;
			i = next[i];
		}
		linkTree(tree);
		return { tree, place };
	}
}

function finishMap(nodes, map, ranks) {
	const { tree, place } = nodes.order(ranks);

	for (let i = 0; i < map.length; i++)
		if (map[i] !== NOTHING)
			map[i] = place[map[i]];
	tree.map = map;
	return tree;
}

// Each transform says where a node goes: to a new node, to a node that is there, or nowhere.
// where(i, to) has `to`, the places of the nodes before it.
const transforms = {
	drop: (tree, op, nodes) => (i, to) => {
		const above = to[tree.parent[i]];
		return above === NOTHING || tree.name[i] === op.name
			? NOTHING : nodes.child(above, tree.name[i]);
	},
	merge: (tree, op, nodes) => (i, to) => tree.name[i] === op.name
		? to[tree.parent[i]] : nodes.child(to[tree.parent[i]], tree.name[i]),
	focus: (tree, op, nodes) => (i, to) => {
		const above = i === 0 ? NOTHING : to[tree.parent[i]];
		if (above !== NOTHING && above !== 0)
			return nodes.child(above, tree.name[i]);
		return tree.name[i] === op.name ? nodes.child(0, tree.name[i]) : NOTHING;
	},
	subtree: (tree, op, nodes) => {
		const top = nodeOfPath(tree, op.path);
		return (i, to) => {
			if (i === top)
				return nodes.child(0, tree.name[i]);
			return i > top && i < tree.end[top]
				? nodes.child(to[tree.parent[i]], tree.name[i]) : NOTHING;
		};
	},
	// A function within itself is one with its outermost call; what it calls is called there.
	collapse: (tree, op, nodes) => {
		let until = 0, outer = 0;
		return (i, to) => {
			if (tree.name[i] === op.name) {
				if (i < until)
					return outer;
				until = tree.end[i];
				outer = nodes.child(to[tree.parent[i]], tree.name[i]);
				return outer;
			}
			return nodes.child(to[tree.parent[i]], tree.name[i]);
		};
	},
	// Calls within an object are one with the function that was called from outside.
	object: (tree, op, nodes, objects) => (i, to) => {
		const above = to[tree.parent[i]];
		return above && objects[tree.name[i]] === op.object &&
			objects[nodes.name[above]] === op.object
			? above : nodes.child(above, tree.name[i]);
	},
	// Calls from a function to itself are one, for all functions.
	recursion: (tree, op, nodes) => (i, to) => {
		const above = to[tree.parent[i]];
		return above && nodes.name[above] === tree.name[i]
			? above : nodes.child(above, tree.name[i]);
	},
};

// objects: by name, its object; only the step "object" needs them.
function transform(tree, op, ranks, objects) {
	const nodes = new Nodes();
	const where = transforms[op.op](tree, op, nodes, objects);
	const map = new Uint32Array(tree.nr);
	const drops = op.op === "focus" || op.op === "subtree";

	map[0] = drops ? NOTHING : 0;
	for (let i = 1; i < tree.nr; i++)
		map[i] = where(i, map);
	return finishMap(nodes, map, ranks);
}

// The map of a derived tree from the base tree, by way of the tree in between.
function joinMaps(before, after) {
	if (!before)
		return after;
	const map = new Uint32Array(before.length);
	for (let i = 0; i < before.length; i++)
		map[i] = before[i] === NOTHING ? NOTHING : after[before[i]];
	return map;
}

const REVERSE_STEPS = 6000000;

// Stacks from the leaf on. seeds: nodes where a stack begins; `from` gives the first node of it.
// Where that would be too much work, branches below 1/5000 are not followed to their ends.
function reverse(tree, seeds, weightOf, from, ranks) {
	const nodes = new Nodes();
	const place = new Uint32Array(seeds.length);
	const at = new Uint32Array(seeds.length);
	let active = new Uint32Array(seeds.length);
	let work = 0, sum = 0;

	for (let k = 0; k < seeds.length; k++) {
		at[k] = from(seeds[k]);
		active[k] = k;
		work += tree.depth[seeds[k]];
		sum += weightOf(seeds[k]);
	}
	const least = work > REVERSE_STEPS ? sum / 5000 : 0;
	while (active.length) {
		const sums = least ? new Map() : null;
		let left = 0;
		for (const k of active) {
			if (!at[k])
				continue;
			place[k] = nodes.child(place[k], tree.name[at[k]]);
			at[k] = tree.parent[at[k]];
			if (sums)
				sums.set(place[k], (sums.get(place[k]) || 0) + weightOf(seeds[k]));
			active[left++] = k;
		}
		active = active.subarray(0, left);
		if (least)
			active = active.filter((k) => sums.get(place[k]) >= least);
	}
	return { derived: finishMap(nodes, place, ranks), cut: least > 0 };
}

// The whole tree from its leaves on, with a map from the old tree's nodes.
function invert(tree, weights, ranks) {
	const seeds = [];

	for (let i = 1; i < tree.nr; i++)
		if (weights.some((w) => w.self[i]))
			seeds.push(i);
	const weightOf = (i) => weights.reduce((sum, w) => sum + w.self[i], 0);
	const { derived, cut } = reverse(tree, seeds, weightOf, (i) => i, ranks);
	const map = new Uint32Array(tree.nr).fill(NOTHING);

	seeds.forEach((node, k) => { map[node] = derived.map[k]; });
	derived.map = map;
	derived.cut = cut;
	return derived;
}

// The outermost nodes of a function.
function outermost(tree, name) {
	const found = [];

	for (let i = 1; i < tree.nr;) {
		if (tree.name[i] === name) {
			found.push(i);
			i = tree.end[i];
		} else {
			i++;
		}
	}
	return found;
}

// The callers of a function as a tree that begins with the function itself.
function callersOf(tree, weights, name, ranks) {
	const seeds = outermost(tree, name).filter((i) => weights.some((w) => w.total[i]));
	const weightOf = (i) => weights.reduce((sum, w) => sum + w.total[i], 0);
	const { derived } = reverse(tree, seeds, weightOf, (i) => i, ranks);
	const sides = weights.map((w) => {
		const self = new w.total.constructor(derived.nr);
		seeds.forEach((node, k) => { self[derived.map[k]] += w.total[node]; });
		return { self, total: totalsOf(derived, self) };
	});
	return { tree: derived, weights: sides };
}

// What runs below the outermost calls of a function. Only these parts of the tree are walked.
function calleesOf(tree, weights, name, ranks) {
	const path = [];
	const seeds = outermost(tree, name);
	const size = seeds.reduce((sum, i) => sum + tree.end[i] - i, 0);
	const nodes = new Nodes();
	const went = new Uint32Array(size);
	let at = 0;

	for (const seed of seeds) {
		const outside = tree.depth[seed] - 1;
		path[0] = 0;
		for (let i = seed; i < tree.end[seed]; i++) {
			const depth = tree.depth[i] - outside;
			path[depth] = went[at++] = nodes.child(path[depth - 1], tree.name[i]);
		}
	}
	const derived = finishMap(nodes, went, ranks);
	const sides = weights.map((w) => {
		const self = new w.self.constructor(derived.nr);
		at = 0;
		for (const seed of seeds)
			for (let i = seed; i < tree.end[seed]; i++)
				self[went[at++]] += w.self[i];
		return { self, total: totalsOf(derived, self) };
	});
	return { tree: derived, weights: sides };
}
