// SPDX-License-Identifier: MIT
//
// What is shown, as plain values: the state, which every step replaces by a new one, so that undo
// and redo are other places in a list; and the trees and weights that follow from a state.

const FIRST_STATE = Object.freeze({
	tab: "flame",
	measure: 0,
	icicle: false,
	inverted: false,
	colors: "kind",
	width: "after",
	ops: [],
	zoom: 0,
	open: null, // of an inverted tree: the branch that is followed to its ends, names from the leaf on
	search: "",
	range: null,
	range2: null,
	lanes: null,
	lane: -1,
	pivot: -1,
	sort: "self",
	rising: false,
	filter: "",
});

// States visited; `merge` names a kind of step that replaces a step of the same kind, such as
// typing.
class Steps {
	constructor(first) {
		this.states = [first];
		this.at = 0;
		this.kind = "";
	}

	get state() {
		return this.states[this.at];
	}

	go(patch, kind) {
		const state = Object.freeze({ ...this.state, ...patch });
		const same = kind && kind === this.kind;

		this.states.length = this.at + 1;
		if (same)
			this.states[this.at] = state;
		else
			this.at = this.states.push(state) - 1;
		this.kind = kind || "";
	}

	move(step) {
		const to = this.at + step;

		this.kind = "";
		if (to < 0 || to >= this.states.length)
			return false;
		this.at = to;
		return true;
	}
}

// Remembers the result for the newest few keys.
function remember(size) {
	const kept = new Map();

	return (key, make) => {
		let value = kept.get(key);
		if (value === undefined)
			value = make();
		else
			kept.delete(key);
		kept.set(key, value);
		if (kept.size > size)
			kept.delete(kept.keys().next().value);
		return value;
	};
}

class Model {
	constructor(profile) {
		this.profile = profile;
		this.names = profile.names;
		this.ranks = this.rankNames();
		this.measures = this.findMeasures();
		this.trees = remember(4);
		this.sums = remember(8);
		this.tables = remember(4);
	}

	// The places of the names in alphabetical order.
	rankNames() {
		const { names } = this;
		const order = Array.from(names, (_, i) => i);
		const ranks = new Uint32Array(names.length);

		order.sort((a, b) => names[a] < names[b] ? -1 : names[a] > names[b] ? 1 : a - b);
		order.forEach((name, rank) => { ranks[name] = rank; });
		return ranks;
	}

	// What can be measured: each event in samples or in its own unit; with its columns, the one
	// before and the one after where two recordings are compared.
	findMeasures() {
		const found = [];

		this.profile.head.columns.forEach((column, i) => {
			const same = found.find((m) => m.event === column.event &&
				m.unit === column.unit);
			if (same) {
				same.columns.push(i);
				same.units.push(column.gcd);
			} else {
				found.push({
					event: column.event,
					unit: column.unit,
					label: this.profile.head.events[column.event],
					columns: [i],
					units: [column.gcd],
				});
			}
		});
		return found;
	}

	measure(state) {
		return this.measures[state.measure];
	}

	// Two sides are shown: two recordings, or two ranges of time.
	isDiff(state) {
		return this.measure(state).columns.length > 1 || Boolean(state.range2);
	}

	tree(state) {
		return this.trees(JSON.stringify(state.ops), () => {
			let { tree } = this.profile;
			for (const op of state.ops) {
				const next = transform(tree, op, this.ranks, this.profile);
				next.map = joinMaps(tree.map, next.map);
				tree = next;
			}
			return tree;
		});
	}

	keyOf(state) {
		return JSON.stringify([state.ops, state.measure, state.range, state.range2, state.lanes]);
	}

	// Weights by node for each side.
	weights(state) {
		return this.sums("w" + this.keyOf(state), () => {
			const tree = this.tree(state);
			return this.baseSelfs(state).map((self) => weigh(tree, self));
		});
	}

	baseSelfs(state) {
		const { columns } = this.measure(state);

		if (!state.range && !state.lanes)
			return columns.map((column) => this.profile.columns[column]);
		const ranges = state.range2 ? [state.range, state.range2] : [state.range];
		return ranges.map((range) => this.recount(state, range));
	}

	// The weights of the samples in a range of time (NULL: all time) and in the chosen lanes.
	recount(state, range) {
		const { samples, tree, columns } = this.profile;
		const measure = this.measure(state);
		const self = new columns[measure.columns[0]].constructor(tree.nr);
		const [from, to] = range || [-Infinity, Infinity];

		samples.lanes.forEach((lane, i) => {
			if (lane.event !== measure.event || (state.lanes && !state.lanes.includes(i)))
				return;
			const first = firstFrom(samples, lane, from);
			const end = firstFrom(samples, lane, to);
			for (let k = first; k < end; k++)
				self[samples.node[k]] += this.weightOfSample(measure, k);
		});
		return self;
	}

	weightOfSample(measure, k) {
		const { count, weight } = this.profile.samples;

		if (measure.unit !== "samples" && weight)
			return weight[k];
		return count ? count[k] : 1;
	}

	// The tree that is drawn, and its weights: as it is, or from the leaves on.
	drawn(state) {
		if (!state.inverted)
			return { tree: this.tree(state), weights: this.weights(state) };
		return this.sums("i" + this.keyOf(state) + (state.open || ""), () =>
			invert(this.tree(state), this.weights(state), this.ranks, MUCH_WORK, state.open));
	}

	// Does the first part of inverting, before anyone asks for it.
	prepare(state) {
		endsOf(this.tree(state), this.weights(state), this.names.length);
	}

	// What a step does to the zoom of an inverted tree: a branch that was cut is followed when it
	// is zoomed into, and other weights make a tree with other numbers.
	zoomAfter(state, patch) {
		const next = { ...state, ...patch };
		const changes = ["zoom", "range", "range2", "lanes", "measure"];

		if (!next.inverted || !state.inverted || "ops" in patch || !next.zoom)
			return { open: null };
		if ("open" in patch || !changes.some((key) => key in patch))
			return {};
		const { tree } = this.drawn(state);
		const path = pathOf(tree, next.zoom);
		const open = tree.cut ? path : null;
		return { open, zoom: nodeOfPath(this.drawn({ ...next, open }).tree, path) };
	}

	// Self and total by function for each side.
	table(state) {
		return this.tables(this.keyOf(state), () => {
			const tree = this.tree(state);
			return this.weights(state).map((w) => ({
				...sumFunctions(tree, w, this.names.length),
				sum: w.total[0],
			}));
		});
	}

	hits(state) {
		if (!state.search)
			return null;
		return this.tables("?" + state.search, () => matchNames(this.names, state.search));
	}

	objectOf(name) {
		return this.profile.head.objects[this.profile.object[name]] || "";
	}
}

// The first sample of a lane that is not before t.
function firstFrom(samples, lane, t) {
	let low = lane.first, high = lane.end;

	while (low < high) {
		const middle = (low + high) >> 1;
		if (samples.time[middle] < t)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
