// SPDX-License-Identifier: MIT
//
// The state as the fragment of the page's address, so that a link shows what its sender saw, and
// the browser's buttons go back and forth. A fragment comes from anywhere: what is not exactly as
// stateText() writes it is left out, and nothing of it gets into markup.

const WORDS = { tab: "view", colors: "colors", width: "width", sort: "sort" };
const SWITCHES = { icicle: "icicle", inverted: "inverted", rising: "rising" };
const NUMBERS = { measure: "event", zoom: "zoom", pivot: "function", lane: "lane" };
const LISTS = { range: "time", range2: "time2", lanes: "threads", open: "open" };
const TYPED = { search: "search", filter: "filter" };
const LONGEST = 1000;

function opAsText(op) {
	return [op.op, ...op.path || [op.name ?? op.object].filter((n) => n !== undefined)].join(",");
}

// What differs from the first state, as "view=table&search=x".
function stateText(state, first) {
	const out = new URLSearchParams();
	const add = (names, text) => {
		for (const [key, name] of Object.entries(names))
			if (String(state[key]) !== String(first[key]))
				out.set(name, text(state[key]));
	};

	add(WORDS, String);
	add(SWITCHES, (v) => v ? "1" : "0");
	add(NUMBERS, String);
	add(LISTS, (v) => v.join(","));
	add(TYPED, String);
	if (state.ops.length)
		out.set("steps", state.ops.map(opAsText).join("."));
	return String(out).replace(/%2C/g, ",");
}

function wholeNumber(text, end) {
	const n = /^[0-9]{1,15}$/.test(text) ? Number(text) : NaN;

	return n < end ? n : null;
}

function listOf(text, end) {
	const list = text.split(",").map((part) => wholeNumber(part, end));

	return list.includes(null) ? null : list;
}

function opOf(text, model) {
	const [op, ...rest] = text.split(",");
	const list = rest.length ? listOf(rest.join(","),
		op === "object" ? model.profile.head.objects.length : model.names.length) : [];

	if (!list || !Object.hasOwn(STEP_WORDS, op))
		return null;
	if (op === "subtree")
		return list.length ? { op, path: list } : null;
	if (op === "recursion" || op === "commands")
		return list.length ? null : { op };
	return list.length !== 1 ? null
		: op === "object" ? { op, object: list[0] } : { op, name: list[0] };
}

function listsOfText(text, model, state) {
	const { head, samples } = model.profile;
	const found = {};
	const part = (name) => text.get(LISTS[name]) || "";

	if (!samples)
		return found;
	for (const name of ["range", "range2"]) {
		const range = listOf(part(name), head.time.last + 2);
		if (range && range.length === 2 && range[0] < range[1])
			found[name] = range;
	}
	if (!found.range || model.measures[state.measure].columns.length > 1)
		delete found.range2;
	const { event } = model.measures[state.measure];
	const lanes = listOf(part("lanes"), samples.lanes.length);
	if (lanes && lanes.every((i, k) => samples.lanes[i].event === event && !(lanes[k - 1] >= i)))
		found.lanes = lanes;
	return found;
}

// The state that a fragment stands for.
function stateOfText(fragment, model, first) {
	const text = new URLSearchParams(fragment);
	const state = { ...first };
	const allowed = { tab: TABS, colors: ["kind", "object", "name"],
		width: ["after", "before", "both"] };
	const ends = { measure: model.measures.length, pivot: model.names.length,
		lane: model.profile.samples ? model.profile.samples.lanes.length : 0 };

	for (const [key, words] of Object.entries(allowed))
		if (words.includes(text.get(WORDS[key])))
			state[key] = text.get(WORDS[key]);
	if (/^[a-z]{1,8}$/.test(text.get("sort") || ""))
		state.sort = text.get("sort");
	for (const [key, name] of Object.entries(SWITCHES))
		if (["0", "1"].includes(text.get(name)))
			state[key] = text.get(name) === "1";
	for (const [key, end] of Object.entries(ends))
		state[key] = wholeNumber(text.get(NUMBERS[key]) || "", end) ?? first[key];
	for (const [key, name] of Object.entries(TYPED))
		state[key] = (text.get(name) || "").slice(0, LONGEST);
	const ops = (text.get("steps") || "").split(".").filter(Boolean)
		.map((part) => opOf(part, model));
	if (ops.length <= 100 && !ops.includes(null))
		state.ops = ops;
	Object.assign(state, listsOfText(text, model, state));
	if (!model.profile.samples && ["time", "chart"].includes(state.tab))
		state.tab = first.tab;
	if (state.inverted)
		state.open = listOf(text.get(LISTS.open) || "", model.names.length);
	state.zoom = text.has("zoom") && model.measures.length
		? wholeNumber(text.get("zoom"), model.drawn(state).tree.nr) ?? 0 : 0;
	if (!state.zoom)
		state.open = null;
	return state;
}
