// SPDX-License-Identifier: MIT
//
// Connects the fields, buttons and keys of the page to the app, and starts it.

function connectFields(app) {
	const choose = (id, key, value) => byId(id).addEventListener("change", (e) =>
		app.go({ [key]: value(e.target.value) }));

	byId("measure").append(...app.model.measures.map((m, i) =>
		element("option", { value: String(i) }, m.label +
			(app.model.measures.some((o) => o !== m && o.event === m.event)
				? ", " + m.unit : ""))));
	byId("measure").addEventListener("change", (e) => app.chooseMeasure(Number(e.target.value)));
	choose("colors", "colors", String);
	choose("width", "width", String);
	choose("lane", "lane", Number);
	byId("search").addEventListener("input", (e) => app.go({ search: e.target.value }, "search"));
	byId("filter").addEventListener("input", (e) => app.go({ filter: e.target.value }, "filter"));
	byId("find").addEventListener("submit", (e) => {
		e.preventDefault();
		app.nextMatch(1);
	});
	byId("pivot").addEventListener("change", (e) => {
		const at = app.model.names.indexOf(e.target.value);
		if (at >= 0)
			app.go({ pivot: at });
		else
			app.say("No function has exactly this name.");
	});
	byId("pivot").addEventListener("input", (e) => suggest(app, e.target.value));
}

// A few names that hold the text; a list of all would be too long.
function suggest(app, text) {
	const test = searchTest(text);
	const found = app.model.names.filter((name) => test(name)).slice(0, 30);

	byId("pivots").replaceChildren(...found.map((name) => element("option", { value: name })));
}

function connectButtons(app) {
	const click = (id, what) => byId(id).addEventListener("click", what);

	click("before", () => app.nextMatch(-1));
	click("after", () => app.nextMatch(1));
	click("undo", () => app.move(-1));
	click("redo", () => app.move(1));
	click("theme", () => changeTheme(app));
	click("keys", () => byId("help").showModal());
	click("commands", () => app.mergeCommands());
	click("icicle", () => app.go({ icicle: !app.state.icicle }));
	click("inverted", () => app.go({ inverted: !app.state.inverted, zoom: 0 }));
	for (const tab of TABS)
		click("tab-" + tab, () => app.go({ tab }));
	for (const button of byId("actions").querySelectorAll("button"))
		button.addEventListener("click", () => app.act(button.dataset.do));
	byId("tabs").addEventListener("keydown", (e) => {
		const step = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
		if (!step)
			return;
		const at = (TABS.indexOf(app.state.tab) + step + TABS.length) % TABS.length;
		app.go({ tab: TABS[at] });
		byId("tab-" + TABS[at]).focus();
	});
}

function changeTheme(app) {
	const theme = isDark() ? "light" : "dark";

	document.documentElement.dataset.theme = theme;
	try {
		localStorage.setItem("theme", theme);
	} catch {
		// a browser without storage forgets the choice
	}
	app.draw();
}

function restoreTheme() {
	try {
		const theme = localStorage.getItem("theme");
		if (theme === "dark" || theme === "light")
			document.documentElement.dataset.theme = theme;
	} catch {
		// the theme of the system it is
	}
}

function keyActions(app) {
	const acts = { s: "pivot", f: "focus", F: "subtree", d: "drop", m: "merge",
		c: "collapse", C: "object", y: "copy" };
	const keys = {
		"/": () => byId("search").focus(),
		"n": () => app.nextMatch(1),
		"N": () => app.nextMatch(-1),
		"u": () => app.move(-1),
		"Backspace": () => app.move(-1),
		"U": () => app.move(1),
		"0": () => app.go({ ...FIRST_STATE, tab: app.state.tab, measure: app.state.measure,
			icicle: app.state.icicle }),
		"i": () => app.go({ inverted: !app.state.inverted, zoom: 0 }),
		"o": () => app.go({ icicle: !app.state.icicle }),
		"e": () => app.chooseMeasure((app.state.measure + 1) % app.model.measures.length),
		"R": () => app.go({ ops: [...app.state.ops, { op: "recursion" }], zoom: 0 }),
		"M": () => app.mergeCommands(),
		"[": () => app.changeRange(-1, 1),
		"]": () => app.changeRange(1, 1),
		"+": () => app.changeRange(0, 0.5),
		"-": () => app.changeRange(0, 2),
		"r": () => app.compareRange(),
		"t": () => changeTheme(app),
		"?": () => byId("help").showModal(),
		"Escape": () => clearOne(app),
	};

	for (const [key, what] of Object.entries(acts))
		keys[key] = () => app.act(what);
	TABS.forEach((tab, i) => { keys[String(i + 1)] = () => app.go({ tab }); });
	return keys;
}

// Clears the search first, then the range.
function clearOne(app) {
	if (app.state.search)
		app.go({ search: "" });
	else if (app.state.range || app.state.range2)
		app.go({ range: null, range2: null });
}

function connectKeys(app) {
	const keys = keyActions(app);

	document.addEventListener("keydown", (e) => {
		const typing = e.target.matches("input:not([type=checkbox]), select");
		const control = e.ctrlKey || e.metaKey;

		if (byId("help").open)
			return;
		if (control && e.key === "f") {
			byId("search").focus();
			byId("search").select();
		} else if (control && !typing && (e.key === "z" || e.key === "y")) {
			app.move(e.key === "z" ? -1 : 1);
		} else if (typing && e.key === "Escape") {
			byId("search").blur();
			clearOne(app);
		} else if (!typing && !control && !e.altKey && keys[e.key]) {
			keys[e.key]();
		} else {
			return;
		}
		e.preventDefault();
	});
}

// A canvas that gets another height, because the lines above or below it wrap, is drawn again: else the
// browser would stretch what it shows.
function watchSizes(app) {
	if (!window.ResizeObserver)
		return;
	const views = [app.flame, app.callers, app.callees, app.chart].filter(Boolean);
	const observer = new ResizeObserver(() => {
		for (const view of views) {
			const { clientWidth, clientHeight } = view.canvas;
			if (clientHeight && view.height &&
			    (clientWidth !== view.width || clientHeight !== view.height))
				view.draw();
		}
	});
	views.forEach((view) => observer.observe(view.canvas));
}

async function start() {
	restoreTheme();
	const profile = await unpack();
	byId("title").textContent = profile.head.title;
	byId("title").title = profile.head.title;
	const app = new App(profile);

	fillKeys();
	fillAbout(profile.head);
	for (const tab of ["time", "chart"])
		byId("tab-" + tab).hidden = !profile.samples;
	connectFields(app);
	connectButtons(app);
	connectKeys(app);
	window.addEventListener("resize", () => app.draw());
	matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => app.draw());
	app.draw();
	if (!document.querySelector(".error") && byId("status").textContent.startsWith("Unpacking"))
		app.say("Click a frame to zoom. Press ? for the keys.");
	watchSizes(app);
	performance.mark("ready");
	document.documentElement.dataset.ready = "1";
	if (window.requestIdleCallback)
		requestIdleCallback(() => app.model.prepare(app.state));
	return app;
}

const starting = start().catch((error) => {
	byId("status").textContent = "This page could not show its profile: " + error.message;
	byId("status").classList.add("error");
	throw error;
});
