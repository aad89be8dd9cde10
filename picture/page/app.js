// SPDX-License-Identifier: MIT
//
// The page: draws the state, and turns clicks and keys into new states.

const TABS = ["flame", "table", "callers", "time", "chart", "about"];

const isMerge = (op) => op.op === "commands";

class App {
	constructor(profile) {
		this.profile = profile;
		this.model = new Model(profile);
		this.model.kinds = [...new Set(profile.kind)].sort();
		this.model.hasCommands = profile.kind.filter((k) => k === KIND_COMMAND).length > 1;
		this.frames = new Frames(this.model);
		this.first = this.firstState();
		this.steps = new Steps(stateOfText(location.hash.slice(1), this.model, this.first));
		window.addEventListener("popstate", () => this.arrive());
		this.selection = null;
		const select = (flame) => (node) => this.select(flame, node);
		this.flame = new Flame(byId("flame"), () => this.flameView(),
			{ select: select("flame"), zoom: (node) => this.go({ zoom: node }) });
		this.callers = new Flame(byId("callers"), () => this.callersView(),
			{ select: select("callers"), zoom: () => this.act("pivot") });
		this.callees = new Flame(byId("callees"), () => this.calleesView(),
			{ select: select("callees"), zoom: () => this.act("pivot") });
		this.table = new FunctionTable(byId("table"), this.model, {
			sort: (key) => this.sort(key),
			pivot: (name) => this.go({ pivot: name, tab: "callers" }),
			redraw: () => this.table.draw(this.state),
		});
		if (profile.samples)
			this.timeline = new Timeline(this.model, {
				strip: byId("strip"), lanes: byId("lanes"), heat: byId("heat"),
				names: byId("lane-names"), note: byId("lane-note"),
				heatNote: byId("heat-note"),
			}, {
				range: (range, second) => this.chooseRange(range, second),
				lanes: (lanes) => this.go({ lanes }),
			});
		if (profile.samples)
			this.chart = new Chart(byId("chart"), () => this.chartView(),
				{ select: select("chart"),
					range: (range) => this.go({ range, range2: null }) });
		this.sandwich = remember(6);
		this.seeds = remember(2);
		this.found = remember(4);
	}

	get state() {
		return this.steps.state;
	}

	firstState() {
		const { view } = this.profile.head;

		return { ...FIRST_STATE, tab: TABS.includes(view) ? view : "flame" };
	}

	addressOf(state) {
		return "#" + stateText(state, this.first);
	}

	// The address says what is shown. Steps get an entry of the browser's history each; undo,
	// redo and typing change the one that is there.
	writeAddress(isStep) {
		const address = this.addressOf(this.state);

		if (address === (location.hash || "#"))
			return;
		try {
			history[isStep ? "pushState" : "replaceState"](null, "", address);
		} catch {
			// a browser that refuses many changes a second lets the address be old
		}
	}

	// The browser went to another address: a step before or after this one, or a link.
	arrive() {
		const { steps } = this;
		const state = stateOfText(location.hash.slice(1), this.model, this.first);
		const text = this.addressOf(state);
		const near = [-1, 1].find((step) => steps.states[steps.at + step] &&
			this.addressOf(steps.states[steps.at + step]) === text);

		if (text === this.addressOf(this.state))
			return;
		if (near)
			steps.move(near);
		else
			steps.go(state);
		this.forgetNodes();
		this.draw();
	}

	go(patch, kind) {
		const before = this.steps.states.length;
		const step = { ...patch, ...this.model.zoomAfter(this.state, patch) };

		this.steps.go(step, kind);
		const isStep = !kind || this.steps.states.length > before;
		if (["ops", "inverted"].some((key) => key in patch))
			this.forgetNodes();
		else if (step.open && this.selection && this.selection.node === patch.zoom)
			this.selection.node = this.flame.selected = step.zoom;
		this.draw();
		this.writeAddress(isStep);
	}

	// Lanes belong to an event.
	chooseMeasure(measure) {
		const { model, state } = this;
		const same = model.measures[measure].event === model.measure(state).event;

		this.go({ measure, lanes: same ? state.lanes : null });
	}

	// Nodes have other numbers in another tree.
	forgetNodes() {
		this.flame.selected = 0;
		if (this.chart)
			this.chart.selected = 0;
		this.selection = null;
	}

	move(step) {
		if (!this.steps.move(step)) {
			this.say(step < 0 ? "There is nothing to undo." : "There is nothing to redo.");
			return;
		}
		this.forgetNodes();
		this.draw();
		this.writeAddress(false);
	}

	say(text) {
		byId("status").textContent = text;
	}

	flameView() {
		const { state } = this;

		return this.frames.of(state, this.model.drawn(state),
			{ zoom: state.zoom, icicle: state.icicle });
	}

	// The sandwich's halves; a function that is not in the tree has empty ones.
	half(which, make) {
		const { state, model } = this;
		const key = which + state.pivot + model.keyOf(state);

		return this.sandwich(key, () => {
			const whole = model.weights(state);
			const tree = model.tree(state);
			const seeds = this.seeds(state.pivot + JSON.stringify(state.ops), () =>
				outermost(tree, state.pivot));
			const part = make(tree, whole, seeds, model.ranks);
			part.weights.forEach((w, side) => { w.all = whole[side].total[0]; });
			return part;
		});
	}

	callersView() {
		return this.halfView(this.half("up", callersOf), false);
	}

	calleesView() {
		return this.halfView(this.half("down", calleesOf), true);
	}

	// The function itself is the root.
	halfView(drawn, icicle) {
		const top = drawn.tree.nr > 1 ? 1 : 0;

		return this.frames.of(this.state, drawn, { icicle, zoom: top, base: top });
	}

	chartView() {
		const { state, model } = this;
		const drawn = { tree: model.tree(state), weights: model.weights(state) };

		return this.frames.of(state, drawn, { icicle: true, model, state,
			lane: chartLane(model, this.timeline, state) });
	}

	select(where, node) {
		const view = this[where].view();

		this.selection = { where, node, name: node ? view.tree.name[node] : -1 };
		byId("actions").hidden = !node;
		this.say(view.describe(node).join(". ") + this.placeText(view, node));
	}

	// "depth 5, 2 of 7": where the keyboard is.
	placeText(view, node) {
		const { tree, sizes } = view;
		const parent = tree.parent[node];
		let nr = 0, at = 0;

		if (!node)
			return "";
		for (let i = parent + 1; i < tree.end[parent]; i = tree.end[i])
			if (sizes[i]) {
				nr++;
				if (i === node)
					at = nr;
			}
		return `. Depth ${tree.depth[node]}, ${at} of ${nr} beside each other.`;
	}

	draw() {
		const { state, model } = this;
		const measure = model.measure(state);
		const diff = model.isDiff(state);

		readTheme();
		for (const tab of TABS) {
			const button = byId("tab-" + tab);
			button.setAttribute("aria-selected", String(tab === state.tab));
			button.tabIndex = tab === state.tab ? 0 : -1;
			byId("view-" + tab).hidden = tab !== state.tab;
		}
		byId("measure").value = String(state.measure);
		byId("colors").value = state.colors;
		byId("colors").options[0].text = diff ? "change" : "kind";
		byId("width").value = state.width;
		byId("width-box").hidden = !diff;
		byId("strip-box").hidden = !this.timeline || ["time", "about"].includes(state.tab);
		byId("commands").hidden = !model.hasCommands;
		byId("commands").setAttribute("aria-pressed", String(state.ops.some(isMerge)));
		byId("icicle").setAttribute("aria-pressed", String(state.icicle));
		byId("inverted").setAttribute("aria-pressed", String(state.inverted));
		byId("undo").disabled = this.steps.at === 0;
		byId("redo").disabled = this.steps.at === this.steps.states.length - 1;
		byId("sum").textContent = model.weights(state).map((w, side) =>
			weightText(model, measure, w.total[0], side)).join(" \u2192 ");
		setText("search", state.search);
		setText("filter", state.filter);
		fillSteps(model, state, (patch) => this.go(patch));
		fillLegend(model, state);
		byId("actions").hidden = !this.selection || !this.selection.node ||
			!["flame", "callers", "chart"].includes(state.tab);
		this.drawFound();
		this.drawTab();
	}

	drawTab() {
		const { state } = this;

		if (this.chart && state.tab === "chart") {
			this.chart.draw();
			fillLanes(this.model, this.timeline, state);
		}

		if (state.tab === "flame")
			this.drawFlame();
		if (state.tab === "table")
			this.table.draw(state);
		if (state.tab === "callers")
			this.drawSandwich();
		if (this.timeline && state.tab !== "about")
			this.timeline.draw(state, state.tab === "time");
	}

	drawFlame() {
		const view = this.flameView();

		this.flame.draw();
		if (!view.sizes[0])
			this.say("No samples: neither the recording nor the steps chosen left any.");
		else if (view.tree.cut)
			this.say("Inverted: branches below 1/5000 are followed to their ends when you zoom " +
				"into them.");
	}

	drawSandwich() {
		const { state, model } = this;

		if (state.pivot < 0) {
			const [side] = model.table(state).slice(-1);
			const best = side.self.reduce((a, v, i) => v > side.self[a] ? i : a, 0);
			this.steps.states[this.steps.at] = { ...state, pivot: best };
		}
		const { pivot } = this.state;
		const measure = model.measure(state);
		setText("pivot", model.names[pivot] || "");
		byId("pivot-sum").textContent = model.table(state).map((t, side) =>
			`${percentText(t.total[pivot], t.sum)}, self ${percentText(t.self[pivot], t.sum)}, ` +
			weightText(model, measure, t.total[pivot], side)).join(" \u2192 ");
		this.callers.selected = this.callees.selected = 0;
		this.callers.draw();
		this.callees.draw();
	}

	// How much the search found: percent of all, each stack once.
	drawFound() {
		const { state, model } = this;
		const hits = model.hits(state);
		const found = byId("found");

		if (!hits) {
			found.textContent = "";
			return;
		}
		const { nodes, share } = this.matches(hits);
		const at = nodes.indexOf(this.flame.selected) + 1;
		found.textContent = !nodes.length ? "no match" : percentText(share, 1) +
			(at ? `, ${at} of ${nodes.length}` : "");
	}

	// The nodes that match and their share of all.
	matches(hits) {
		const { state, model } = this;
		const key = "?" + state.search + state.inverted + (state.open || "") + model.keyOf(state);

		return this.found(key, () => {
			const { tree, weights } = model.drawn(state);
			const last = weights[weights.length - 1];
			return {
				nodes: listMatches(tree, last, hits),
				share: sumMatches(tree, last, hits) / (last.total[0] || 1),
			};
		});
	}

	// Goes to the next match, the heaviest first; one that is outside the zoom, or too narrow,
	// is zoomed to.
	nextMatch(step) {
		const { state, model } = this;
		const hits = model.hits(state);
		const nodes = hits ? this.matches(hits).nodes : [];
		const at = nodes.indexOf(this.flame.selected);

		if (!nodes.length) {
			this.say(hits ? "No match." : "Type what to search for first: press /.");
			return;
		}
		const next = at < 0 ? (step > 0 ? 0 : nodes.length - 1)
			: (at + step + nodes.length) % nodes.length;
		this.goTo(nodes[next]);
		this.drawFound();
	}

	goTo(node) {
		const { state, model } = this;
		const { tree, weights } = model.drawn(state);
		const { total } = weights[weights.length - 1];
		const inside = node >= state.zoom && node < tree.end[state.zoom];
		const width = inside ? total[node] / total[state.zoom] * this.flame.width : 0;
		const patch = { tab: "flame" };

		if (width < 4)
			patch.zoom = tree.parent[node];
		if (state.tab !== "flame" || width < 4)
			this.go(patch, "match");
		const after = model.drawn(this.state).tree;
		this.flame.select(after === tree ? node : nodeOfPath(after, pathOf(tree, node)));
	}

	// All commands in one tree, or each in its own again.
	mergeCommands() {
		const { ops } = this.state;

		if (!this.model.hasCommands)
			this.say("There is one command.");
		else
			this.go({ ops: ops.some(isMerge) ? ops.filter((op) => !isMerge(op))
				: [...ops, { op: "commands" }], zoom: 0 });
	}

	sort(key) {
		const { state } = this;
		const text = key === "name" || key === "object";

		this.go({ sort: key, rising: state.sort === key ? !state.rising : text });
	}

	chooseRange(range, second) {
		const { state } = this;

		if (second && state.range && range && this.model.measure(state).columns.length === 1)
			this.go({ range2: range });
		else if (range || state.range)
			this.go({ range, range2: null });
		else
			this.draw();
	}

	// Compares the range with one of the same length after it, or before it; or no longer.
	compareRange() {
		const { range, range2 } = this.state;

		if (!range || this.model.measure(this.state).columns.length > 1) {
			this.say("Two ranges of one recording are compared: choose the first one with +.");
			return;
		}
		const last = this.timeline.span;
		const length = Math.min(range[1] - range[0], Math.max(last - range[1], range[0]));
		const after = last - range[1] >= length;
		const start = after ? range[1] : range[0] - length;
		if (range2 || length > 0)
			this.go({ range2: range2 ? null : [start, start + length] });
	}

	// Moves the range (the second one, if two are compared) by half its length, or makes it
	// longer by a factor.
	changeRange(move, factor) {
		const which = this.state.range2 ? "range2" : "range";
		const last = this.timeline ? this.timeline.span : 0;

		if (!last)
			return;
		const [from, to] = this.state[which] || [0, last];
		const length = Math.max(1, (to - from) * factor);
		const middle = (from + to) / 2 + move * length / 2;
		const start = Math.round(Math.max(0, Math.min(last - length, middle - length / 2)));
		const end = Math.min(last, Math.round(start + length));
		const whole = end - start >= last;
		this.go({ [which]: whole ? null : [start, Math.max(start + 1, end)] }, which);
	}

	act(what) {
		const { selection, state } = this;
		const { ops } = state;

		if (!selection || !selection.node) {
			this.say("Select a frame first: click it, or move to it with the arrow keys.");
			return;
		}
		const { name, where, node } = selection;
		if (what === "zoom")
			this.go(where === "flame" ? { zoom: node }
				: where === "chart" && !state.inverted ? { tab: "flame", zoom: node }
				: { pivot: name });
		else if (what === "pivot")
			this.go({ pivot: name, tab: "callers" });
		else if (what === "copy")
			this.copy(this.model.names[name]);
		else if (what === "subtree")
			this.focusSubtree(where, node);
		else if (what === "object")
			this.go({ ops: [...ops, { op: what, object: this.model.profile.object[name] }],
				zoom: 0 });
		else
			this.go({ ops: [...ops, { op: what, name }], zoom: 0 });
	}

	focusSubtree(where, node) {
		const { state, model } = this;

		if (where === "callers" || where === "callees" || (where === "flame" && state.inverted)) {
			this.say("Focus on a subtree works in the flame graph that is not inverted.");
			return;
		}
		const path = pathOf(model.tree(state), node);
		this.go({ ops: [...state.ops, { op: "subtree", path }], zoom: 0 });
	}

	copy(text) {
		const done = () => this.say("Copied: " + text);
		const failed = () => this.say("The browser does not let the page copy: " + text);

		if (navigator.clipboard)
			navigator.clipboard.writeText(text).then(done, failed);
		else
			failed();
	}
}

function setText(id, text) {
	const field = byId(id);

	if (document.activeElement !== field)
		field.value = text;
}
