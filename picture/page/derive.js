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

// What a branch must weigh to be followed to its end, where stacks begin at these nodes.
function leastOf(tree, seeds, weight, much) {
	const { depth } = tree;
	let work = 0, sum = 0;

	for (let k = 0; k < seeds.length; k++) {
		work += depth[seeds[k]];
		sum += weight[seeds[k]];
	}
	return work > much ? sum * LIGHTEST : 0;
}

// Stacks from the leaf on, level by level. Branches below `least` are not followed.
class Reversal {
	// seeds: the nodes where stacks begin; light: names of further nodes below the top, which are
	// not followed.
	constructor(tree, seeds, light, weight, ranks) {
		this.ranks = ranks;
		this.tree = tree;
		this.seeds = seeds;
		this.weight = weight;
		this.nodes = new Nodes();
		this.sums = new Float64Array(1024); // by new node
		// where the stack of each seed ends; then each light name
		this.place = new Uint32Array(seeds.length + light.length);
		light.forEach((called, k) => {
			this.place[seeds.length + k] = this.nodes.child(0, called);
		});
	}

	// Follows the stacks of seeds[first] to seeds[end - 1].
	follow(first, end, least) {
		const { tree: { name, parent }, seeds, weight, nodes, ranks, place } = this;
		const firsts = new Uint32Array(ranks.length); // by name: its node below the top
		// of the stacks that go on: the seed, the next caller, the place so far, the weight
		const which = new Uint32Array(end - first), at = new Uint32Array(end - first);
		const to = new Uint32Array(end - first), own = new Float64Array(end - first);
		let { sums } = this;
		let nr = 0;

		for (let k = first; k < end; k++) {
			const node = seeds[k], called = name[node];
			if (!firsts[called])
				firsts[called] = nodes.child(0, called);
			place[k] = firsts[called];
			if (parent[node]) {
				which[nr] = k;
				at[nr] = parent[node];
				to[nr] = place[k];
				own[nr++] = weight[node];
			}
		}
		while (nr) {
			let left = 0, under = NOTHING, called = 0, next = 0;
			for (let a = 0; a < nr; a++) {
				const node = at[a];
				// neighbours mostly have the same callers
				if (to[a] !== under || name[node] !== called) {
					under = to[a];
					called = name[node];
					next = nodes.child(under, called);
					if (next >= sums.length)
						sums = this.growSums();
				}
				to[a] = next;
				at[a] = parent[node];
				sums[next] += own[a];
			}
			for (let a = 0; a < nr; a++) {
				if (!at[a] || sums[to[a]] < least) {
					place[which[a]] = to[a];
					continue;
				}
				which[left] = which[a];
				at[left] = at[a];
				to[left] = to[a];
				own[left++] = own[a];
			}
			nr = left;
		}
	}

	growSums() {
		const old = this.sums;

		this.sums = new Float64Array(2 * this.nodes.nr);
		this.sums.set(old);
		return this.sums;
	}

	// The tree with its weights; sides: by node, what a stack that begins there weighs; light: the
	// same by place in the list of light names.
	finish(sides, light, cut) {
		const { seeds, place } = this;
		const tree = finishMap(this.nodes, place, this.ranks);

		tree.map = null;
		tree.cut = cut;
		return { tree, weights: sides.map((side, which) => {
			const self = new side.constructor(tree.nr);
			for (let k = 0; k < seeds.length; k++)
				self[place[k]] += side[seeds[k]];
			for (let k = seeds.length; k < place.length; k++)
				self[place[k]] += light[which][k - seeds.length];
			return { self, total: totalsOf(tree, self) };
		}) };
	}
}

// The nodes that have a weight.
function seedsOf(tree, weight) {
	const { nr } = tree;
	let seeds = new Uint32Array(65536), found = 0;

	for (let i = 1; i < nr; i++) {
		if (!weight[i])
			continue;
		if (found === seeds.length) {
			const old = seeds;
			seeds = new Uint32Array(2 * found);
			seeds.set(old);
		}
		seeds[found++] = i;
	}
	return seeds.subarray(0, found);
}

// By name: what the seeds weigh together.
function weightByName(tree, seeds, weight, nrNames) {
	const { name } = tree;
	const sums = new Float64Array(nrNames);

	for (let k = 0; k < seeds.length; k++)
		sums[name[seeds[k]]] += weight[seeds[k]];
	return sums;
}

function isOnPath(tree, node, path) {
	return path.every((called) => {
		const same = node !== 0 && tree.name[node] === called;
		node = tree.parent[node];
		return same;
	});
}

// Where stacks end, and what those of each name weigh together: kept with the weights, because a
// large tree takes longer to look through than to invert.
function endsOf(tree, weights, nrNames) {
	if (!weights.ends) {
		const weight = sumSides(weights.map((w) => w.self));
		const seeds = seedsOf(tree, weight);
		const sums = weightByName(tree, seeds, weight, nrNames);
		weights.ends = { weight, seeds, sums };
	}
	return weights.ends;
}

// The whole tree from its leaves on. open: the names from the leaf on of a branch that is followed
// as if it were the whole tree; null: none.
function invert(tree, weights, ranks, much = MUCH_WORK, open = null) {
	const { name } = tree;
	const sides = weights.map((w) => w.self);
	const { weight, seeds, sums } = endsOf(tree, weights, ranks.length);
	const least = leastOf(tree, seeds, weight, much);
	const opened = open ? seeds.filter((i) => isOnPath(tree, i, open)) : [];
	// the seeds that are followed, those of the open branch first
	const followed = new Uint32Array(seeds.length);
	let nr = opened.length;

	followed.set(opened);
	for (let k = 0; k < seeds.length; k++)
		if (sums[name[seeds[k]]] >= least &&
		    !(opened.length && isOnPath(tree, seeds[k], open)))
			followed[nr++] = seeds[k];
	// other names are leaves; of the open one, stacks that lead elsewhere are left out of it
	const light = [];
	sums.forEach((sum, called) => {
		if (sum > 0 && sum < least)
			light.push(called);
	});
	const lightSums = sides.map((side) => {
		const all = sides.length > 1 ? weightByName(tree, seeds, side, ranks.length) : sums;
		return light.map((called) => all[called]);
	});
	const at = opened.length ? light.indexOf(open[0]) : -1;
	for (let k = 0; k < opened.length && at >= 0; k++)
		sides.forEach((side, which) => { lightSums[which][at] -= side[opened[k]]; });
	const made = new Reversal(tree, followed.subarray(0, nr), light, weight, ranks);
	if (opened.length)
		made.follow(0, opened.length, leastOf(tree, opened, weight, much));
	made.follow(opened.length, nr, least);
	return made.finish(sides, lightSums, least > 0);
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
	const weight = sumSides(sides);
	const begins = seeds.filter((i) => sides.some((side) => side[i]));
	const least = leastOf(tree, begins, weight, much);
	const made = new Reversal(tree, begins, [], weight, ranks);

	made.follow(0, begins.length, least);
	return made.finish(sides, sides.map(() => []), least > 0);
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
