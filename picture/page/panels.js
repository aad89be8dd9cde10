// SPDX-License-Identifier: MIT
//
// The panels around the views: about, keys, the trail of steps, the legend.

const KEYS = [
	["1 to 6", "views: flame graph, table, callers and callees, time, stack chart, about"],
	["/", "search; n and N: next and previous match; Esc: clear"],
	["arrow keys", "in a flame graph: parent, heaviest child, neighbours"],
	["Enter", "zoom into the selected frame"],
	["u, Backspace", "undo; Shift-U or Ctrl-Y: redo"],
	["0", "back to the whole profile"],
	["i", "inverted: stacks from the leaf on"],
	["o", "root on top or below"],
	["e", "next event"],
	["s", "callers and callees of the selected function"],
	["f, F", "focus on the function, on the subtree"],
	["d, m", "drop the function, merge it into its callers"],
	["M", "merge all commands, so that threads with names of their own are in one tree"],
	["c, R", "collapse recursion of the function, of all functions"],
	["C", "collapse calls within the function's object"],
	["[ ]", "move the range of time; + and -: halve and double it"],
	["r", "compare the range with another one, which the same keys then move"],
	["y", "copy the name"],
	["t", "dark or light"],
	["?", "this list"],
];

function fillKeys() {
	byId("key-table").replaceChildren(element("tbody", {}, ...KEYS.map(([key, what]) =>
		element("tr", {}, element("th", { scope: "row" }, key), element("td", {}, what)))));
}

function fillAbout(head) {
	const parts = head.about.flatMap(([title, text]) =>
		[element("h2", {}, title), element("pre", {}, text)]);
	const facts = `${whole.format(head.nodes - 1)} nodes, ${whole.format(head.names)} functions` +
		(head.time ? `, ${whole.format(head.lanes.reduce((n, l) => n + l[2], 0))} samples ` +
			`in steps of ${roundText(head.time.quantum)}` : ", no times of samples");

	byId("view-about").replaceChildren(...parts, element("h2", {}, "This page"),
		element("pre", {}, facts));
}

const STEP_WORDS = {
	drop: "without ", merge: "merged ", focus: "only ", subtree: "subtree ",
	collapse: "one frame for ", object: "one frame for ", recursion: "recursion collapsed",
	commands: "commands merged",
};

function opText(model, op) {
	if (op.op === "object")
		return STEP_WORDS.object + shorten(model.profile.head.objects[op.object] || "?", 40);
	if (op.op === "recursion" || op.op === "commands")
		return STEP_WORDS[op.op];
	const name = op.op === "subtree" ? op.path[op.path.length - 1] : op.name;

	return STEP_WORDS[op.op] + shorten(model.names[name], 40);
}

function rangeText(model, range) {
	const { quantum } = model.profile.head.time;
	const length = (range[1] - range[0]) * quantum;

	return timeText(range[0] * quantum, length / 100) + " to " +
		timeText(range[1] * quantum, length / 100);
}

// The steps that shape what is shown, each with a button that takes it away.
function fillSteps(model, state, go) {
	const steps = [];
	const add = (text, patch) => steps.push(element("button", {
		type: "button", title: "Take this step away", onclick: () => go(patch),
	}, text + " \u00d7"));

	state.ops.forEach((op, i) => add(opText(model, op), {
		ops: state.ops.filter((_, k) => k !== i), zoom: 0,
	}));
	if (state.lanes)
		add(state.lanes.length + (state.lanes.length === 1 ? " thread" : " threads"),
			{ lanes: null });
	if (state.range)
		add((state.range2 ? "before: " : "time ") + rangeText(model, state.range),
			{ range: state.range2, range2: null });
	if (state.range2)
		add("after: " + rangeText(model, state.range2), { range2: null });
	if (state.zoom)
		add("zoomed", { zoom: 0 });
	byId("steps").replaceChildren(...steps);
	byId("steps").hidden = !steps.length;
}

function fillLegend(model, state) {
	const legend = byId("legend");
	const chip = (color, text) => {
		const box = element("i", {});
		box.style.background = color;
		return element("span", {}, box, text);
	};

	if (model.isDiff(state) && state.colors === "kind")
		legend.replaceChildren(chip(deltaColor(0.1), "more"), chip(deltaColor(0), "same"),
			chip(deltaColor(-0.1), "less"));
	else if (state.colors === "kind")
		legend.replaceChildren(...model.kinds.map((k) =>
			chip(kindColor(k, 32 << 8 | 10), KINDS[k])));
	else
		legend.replaceChildren();
}
