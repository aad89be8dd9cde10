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
	// All commands in one tree.
	commands: (tree, op, nodes, { kind }) => (i, to) => kind[tree.name[i]] === KIND_COMMAND
		? to[tree.parent[i]] : nodes.child(to[tree.parent[i]], tree.name[i]),
	// Calls within an object are one with the function that was called from outside.
	object: (tree, op, nodes, { object: objects }) => (i, to) => {
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

// profile: has by name its object and its kind.
function transform(tree, op, ranks, profile) {
	const nodes = new Nodes();
	const where = transforms[op.op](tree, op, nodes, profile);
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

// With more steps than this, branches below a share of all that no screen shows are not followed to
// their ends.
const MUCH_WORK = 200000;
const LIGHTEST = 1 / 5000;

// Sums by number, for numbers that are not known before.
class Sums {
	constructor() {
		this.of = new Float64Array(1024);
	}

	add(i, value) {
		if (i >= this.of.length) {
			const old = this.of;
			this.of = new Float64Array(i * 2);
			this.of.set(old);
		}
		this.of[i] += value;
	}
}

// By node: the weights of all sides.
function sumSides(sides) {
	if (sides.length === 1)
		return sides[0];
	const sum = Float64Array.from(sides[0]);
	for (let k = 1; k < sides.length; k++)
		for (let i = 0; i < sum.length; i++)
			sum[i] += sides[k][i];
	return sum;
}

// Stacks from the leaf on. seeds: the nodes where they begin. Returns the tree, and the place in it
// where each seed's stack ends.
function reverse(tree, seeds, weight, ranks, much) {
	const { name, parent, depth } = tree;
	const nodes = new Nodes();
	const place = new Uint32Array(seeds.length);
	const active = new Uint32Array(seeds.length);
	const at = new Uint32Array(seeds.length);
	const firsts = new Uint32Array(ranks.length); // by name: its node below the top
	const firstSums = new Float64Array(ranks.length);
	const sums = new Sums();
	let work = 0, sum = 0, nr = 0;

	for (let k = 0; k < seeds.length; k++) {
		const node = seeds[k];
		firstSums[name[node]] += weight[node];
		work += depth[node];
		sum += weight[node];
	}
	const least = work > much ? sum * LIGHTEST : 0;
	for (let k = 0; k < seeds.length; k++) {
		const node = seeds[k], called = name[node];
		if (!firsts[called])
			firsts[called] = nodes.child(0, called);
		place[k] = firsts[called];
		if (firstSums[called] >= least && parent[node]) {
			at[k] = parent[node];
			active[nr++] = k;
		}
	}
	while (nr) {
		let left = 0, under = NOTHING, called = 0, to = 0;
		for (let a = 0; a < nr; a++) {
			const k = active[a], node = at[k];
			// neighbours mostly have the same callers
			if (place[k] !== under || name[node] !== called) {
				under = place[k];
				called = name[node];
				to = nodes.child(under, called);
			}
			place[k] = to;
			at[k] = parent[node];
			sums.add(to, weight[seeds[k]]);
		}
		for (let a = 0; a < nr; a++) {
			const k = active[a];
			if (at[k] && sums.of[place[k]] >= least)
				active[left++] = k;
		}
		nr = left;
	}
	const derived = finishMap(nodes, place, ranks);
	derived.map = null;
	derived.cut = least > 0;
	return { derived, place };
}

// The reversed stacks as a tree with weights; sides: by node, what a stack that begins there weighs.
function reversed(tree, seeds, sides, ranks, much) {
	const { derived, place } = reverse(tree, seeds, sumSides(sides), ranks, much);
	const weights = sides.map((side) => {
		const self = new side.constructor(derived.nr);
		for (let k = 0; k < seeds.length; k++)
			self[place[k]] += side[seeds[k]];
		return { self, total: totalsOf(derived, self) };
	});

	return { tree: derived, weights };
}

// The whole tree from its leaves on.
function invert(tree, weights, ranks, much = MUCH_WORK) {
	const sides = weights.map((w) => w.self);
	const weight = sumSides(sides);
	const seeds = new Uint32Array(tree.nr);
	let nr = 0;

	for (let i = 1; i < seeds.length; i++)
		if (weight[i])
			seeds[nr++] = i;
	return reversed(tree, seeds.subarray(0, nr), sides, ranks, much);
}

// The outermost nodes of a function.
function outermost(tree, called) {
	const { name, end } = tree;
	const found = [];

	// the browser's own search is several times as fast as a loop
	for (let i = name.indexOf(called, 1); i > 0; i = name.indexOf(called, end[i]))
		found.push(i);
	return Uint32Array.from(found);
}

// The callers of a function as a tree that begins with the function itself; seeds: its outermost
// nodes.
function callersOf(tree, weights, seeds, ranks, much = MUCH_WORK) {
	const sides = weights.map((w) => w.total);

	return reversed(tree, seeds.filter((i) => sides.some((side) => side[i])), sides, ranks, much);
}

// What runs below the outermost calls of a function, `seeds`. Only these parts of the tree are
// walked: one level after the other, so that the weight of a node is known before its children are.
function calleesOf(tree, weights, seeds, ranks, much = MUCH_WORK) {
	const { name, end } = tree;
	const all = sumSides(weights.map((w) => w.total));
	const nodes = new Nodes();
	const sums = new Sums();
	const from = [], to = [];
	let size = 0, sum = 0;
	const go = (i, above) => {
		const place = nodes.child(above, name[i]);
		from.push(i);
		to.push(place);
		sums.add(place, all[i]);
	};

	for (const seed of seeds) {
		size += end[seed] - seed;
		sum += all[seed];
		go(seed, 0);
	}
	const least = size > much ? sum * LIGHTEST : 0;
	for (let k = 0; k < from.length;)
		for (const level = from.length; k < level; k++) {
			if (sums.of[to[k]] < least)
				continue;
			const node = from[k];
			for (let i = node + 1; i < end[node]; i = end[i])
				go(i, to[k]);
		}
	const place = Uint32Array.from(to);
	const derived = finishMap(nodes, place, ranks);
	derived.map = null;
	return { tree: derived, weights: weights.map((w) => {
		const self = new w.self.constructor(derived.nr);
		const total = new w.total.constructor(derived.nr);
		for (let k = 0; k < place.length; k++) {
			self[place[k]] += w.self[from[k]];
			total[place[k]] += w.total[from[k]];
		}
		for (const seed of seeds)
			total[0] += w.total[seed];
		return { self, total };
	}) };
}
