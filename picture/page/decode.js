// SPDX-License-Identifier: MIT
//
// Reads what picture/page.c wrote: a head of JSON, and a block of streams of variable length
// integers, packed with deflate, as base64. picture/page.h has the layout.

const NOTHING = 0xffffffff;

function fail(text) {
	const box = document.getElementById("status");

	box.textContent = text;
	box.classList.add("error");
	throw new Error(text);
}

function bytesOfBase64(text) {
	if (Uint8Array.fromBase64)
		return Uint8Array.fromBase64(text);
	const raw = atob(text);
	const bytes = new Uint8Array(raw.length);
	for (let i = 0; i < raw.length; i++)
		bytes[i] = raw.charCodeAt(i);
	return bytes;
}

async function inflatePart(text) {
	if (!window.DecompressionStream)
		fail("This browser is too old for this page: it has no DecompressionStream " +
			"(Chromium 103, Firefox 113, Safari 16.4 have it).");
	const unpacked = new Blob([bytesOfBase64(text)]).stream()
		.pipeThrough(new DecompressionStream("deflate-raw"));
	return new Uint8Array(await new Response(unpacked).arrayBuffer());
}

// The block, from its parts: a line each.
async function inflate(text) {
	const parts = await Promise.all(text.split("\n").map(inflatePart));
	const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
	let at = 0;

	for (const part of parts) {
		bytes.set(part, at);
		at += part.length;
	}
	return bytes;
}

// Reads nr integers from bytes at `at` into the array `to`.
function readInts(bytes, at, nr, to) {
	for (let i = 0; i < nr; i++) {
		let b = bytes[at++];
		let v = b & 127;
		for (let f = 128; b > 127; f *= 128) {
			b = bytes[at++];
			v += (b & 127) * f;
		}
		to[i] = v;
	}
}

// Reads nr integers of some bytes each: the lowest bytes of all come first.
function readPlanes(bytes, at, nr, planes, to) {
	for (let k = 0, f = 1; k < planes; k++, f *= 256)
		for (let i = 0; i < nr; i++)
			to[i] += bytes[at++] * f;
}

// The streams of the block by name: [offset, bytes, bytes of a number or 0].
function findStreams(head, size) {
	const streams = new Map();
	let at = 0;

	for (const [name, length, planes] of head.streams) {
		streams.set(name, [at, length, planes]);
		at += length;
	}
	if (at !== size)
		fail("The data of this page is damaged: " + size + " bytes instead of " + at + ".");
	return streams;
}

// An array for nr sums of at most `total`.
function sumArray(nr, total) {
	return total < 4294967296 ? new Uint32Array(nr) : new Float64Array(nr);
}

// The arrays of a tree from the depths of its nodes in pre-order: parent, and end, which is one
// past the last node of the subtree.
function linkTree(tree) {
	const { nr, depth, parent, end } = tree;
	const open = [0];
	let last = 0;

	for (let i = 1; i < nr; i++) {
		const d = depth[i];
		for (let k = d; k <= last; k++)
			end[open[k]] = i;
		open[d] = i;
		parent[i] = open[d - 1];
		last = d;
	}
	for (let k = 0; k <= last; k++)
		end[open[k]] = nr;
}

// Depths fit into 16 bits, but for stacks that another program made.
let DepthArray = Uint16Array;

function newTree(nr) {
	return {
		nr,
		name: new Uint32Array(nr),
		depth: new DepthArray(nr),
		parent: new Uint32Array(nr),
		end: new Uint32Array(nr),
		map: null,
	};
}

function readTree(head, ints) {
	const tree = newTree(head.nodes);
	const steps = ints("depth", head.nodes - 1, Uint32Array);
	let depth = 0;

	for (let i = 1; i < tree.nr; i++) {
		depth += 1 - steps[i - 1];
		tree.depth[i] = depth;
	}
	tree.name.set(ints("name", head.nodes - 1, Uint32Array), 1);
	tree.name[0] = NOTHING;
	linkTree(tree);
	readNames(head, ints, tree);
	return tree;
}

// Names are places in the lists of what a function calls; the first list is that of the top.
function readNames(head, ints, tree) {
	const sizes = ints("callees", head.names + 1, Uint32Array);
	const starts = new Uint32Array(head.names + 2);
	const { name, parent } = tree;

	for (let i = 0; i <= head.names; i++)
		starts[i + 1] = starts[i] + sizes[i];
	const callees = ints("callee", starts[head.names + 1], Uint32Array);
	for (let i = 1; i < tree.nr; i++)
		name[i] = callees[starts[parent[i] ? name[parent[i]] + 1 : 0] + name[i]];
}

// The nodes in which stacks end, in a list for each command, those of most samples first.
function findLeaves(head, columns, tree) {
	const { nodes } = head;
	const uses = new Float64Array(nodes);
	const keys = new Float64Array(head.leaves);
	let nr = 0;

	columns.forEach((self, k) => {
		for (let i = 0; i < nodes && head.columns[k].unit === "samples"; i++)
			uses[i] += self[i];
	});
	const most = uses.reduce((a, b) => Math.max(a, b), 0);
	for (let i = 0, end = 1; i < nodes; end = tree.end[i]) {
		const first = nr;
		for (; i < end; i++)
			if (uses[i])
				keys[nr++] = (most - uses[i]) * nodes + i;
		keys.subarray(first, nr).sort();
	}
	return Uint32Array.from(keys, (key) => key % nodes);
}

// Where in `leaves` the list of each command begins; the top has one of its own.
function findLists(leaves, tree) {
	const starts = [];
	let end = 0;

	leaves.forEach((node, k) => {
		if (node < end)
			return;
		starts.push(k);
		for (end = end || 1; end <= node;)
			end = tree.end[end];
	});
	return starts;
}

// The columns that have streams; the others are null.
function readColumns(head, has, ints) {
	const found = [];

	head.columns.forEach((column, i) => {
		found.push(column.like !== undefined ? found[column.like] : !has("self" + i) ? null
			: ints("self" + i, head.nodes, sumArray(0, column.total).constructor));
	});
	return found;
}

// A column that is the sum of its event's samples.
function sumSamples(head, samples, column) {
	const self = sumArray(head.nodes, column.total);

	for (const lane of samples.lanes)
		for (let k = lane.first; k < lane.end && lane.event === column.event; k++)
			self[samples.node[k]] += samples.weight[k];
	return self;
}

// Samples by time: arrays of all lanes, one lane after the other; a lane is one event of one
// thread.
function readSamples(head, ints, columns, tree) {
	if (!head.time)
		return null;
	const nr = head.lanes.reduce((sum, lane) => sum + lane[2], 0);
	const steps = ints("time", nr, Float64Array);
	const leaves = head.leavesKnown ? findLeaves(head, columns, tree)
		: ints("leaf", head.leaves, Uint32Array);
	const lists = findLists(leaves, tree);
	const turns = ints("turns", head.lanes.length, Uint32Array);
	const turn = ints("turn", 2 * turns.reduce((sum, n) => sum + n, 0), Uint32Array);
	const samples = {
		nr,
		time: new Float64Array(nr),
		node: ints("stack", nr, Uint32Array),
		count: head.counted ? ints("count", nr, Uint32Array) : null,
		weight: head.weighted ? ints("weight", nr, Float64Array) : null,
		lanes: [],
	};
	let at = 0, next = 0;

	head.lanes.forEach(([thread, event, n], lane) => {
		samples.lanes.push({ thread, event, first: at, end: at + n });
		for (let k = 0, t = 0; k < turns[lane]; k++) {
			const list = lists[turn[next++]];
			for (const end = at + turn[next++]; at < end; at++) {
				t += steps[at];
				samples.time[at] = t;
				samples.node[at] = leaves[list + samples.node[at]];
			}
		}
	});
	return samples;
}

async function unpack() {
	const head = JSON.parse(document.getElementById("head").textContent);
	if (head.v !== 5)
		fail("The data of this page has version " + head.v + ", its script knows 5.");
	if (head.deepest > 65535)
		DepthArray = Uint32Array;
	const packed = document.getElementById("data");
	const bytes = await inflate(packed.textContent);
	const streams = findStreams(head, bytes.length);
	const ints = (name, nr, Type) => {
		const to = new Type(nr);
		const [from, , planes] = streams.get(name);
		if (planes)
			readPlanes(bytes, from, nr, planes, to);
		else
			readInts(bytes, from, nr, to);
		return to;
	};
	const [at, length] = streams.get("names");
	const text = new TextDecoder().decode(bytes.subarray(at, at + length));
	const columns = readColumns(head, (name) => streams.has(name), ints);
	const tree = readTree(head, ints);
	const samples = readSamples(head, ints, columns, tree);
	const profile = {
		head,
		names: length ? text.split("\0") : [],
		kind: ints("kind", head.names, Uint8Array),
		object: ints("object", head.names, Uint32Array),
		tree,
		columns: columns.map((self, i) =>
			self || sumSamples(head, samples, head.columns[i])),
		samples,
	};

	packed.remove();
	return profile;
}
