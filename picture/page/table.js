// SPDX-License-Identifier: MIT
//
// The table of functions: self and total, sorted, filtered. A real table, so that screen readers
// and copying work; rows past the first few hundred come when asked for.

const ROWS_AT_ONCE = 300;

class FunctionTable {
	// on: {sort(key), pivot(name)}.
	constructor(table, model, on) {
		this.table = table;
		this.model = model;
		this.on = on;
		this.shown = ROWS_AT_ONCE;
		this.key = "";
	}

	columns(state) {
		const { model } = this;
		const measure = model.measure(state);
		const sides = model.table(state);
		const last = sides[sides.length - 1];
		const part = (side, what, name) => side.sum ? side[what][name] / side.sum : 0;
		const found = [];

		const add = (key, title, value, text) => found.push({ key, title, value, text });
		const percent = (what) => (name) => percentText(last[what][name], last.sum);
		const amount = (what) => (name) =>
			whole.format(last[what][name] * measure.units[0]);
		add("self", "Self", (n) => last.self[n], percent("self"));
		if (sides.length > 1)
			this.addChange(add, "self", sides, part);
		else
			add("selfn", "Self, " + measure.unit, (n) => last.self[n], amount("self"));
		add("total", "Total", (n) => last.total[n], percent("total"));
		if (sides.length > 1)
			this.addChange(add, "total", sides, part);
		else
			add("totaln", "Total, " + measure.unit, (n) => last.total[n], amount("total"));
		return found;
	}

	addChange(add, what, sides, part) {
		const [before, after] = sides;
		const change = (n) => part(after, what, n) - part(before, what, n);

		add(what + "b", "Before", (n) => before[what][n],
			(n) => percentText(before[what][n], before.sum));
		add(what + "d", "Change", change, (n) => signedPercent(change(n)));
	}

	// The names to show, in order.
	rows(state, columns) {
		const { model } = this;
		const sides = model.table(state);
		const test = state.filter ? searchTest(state.filter) : null;
		const column = columns.find((c) => c.key === state.sort);
		const rows = [];

		for (let n = 0; n < model.names.length; n++)
			if (model.profile.kind[n] !== KIND_COMMAND && sides.some((side) => side.total[n]) &&
			    (!test || test(model.names[n]) || test(model.objectOf(n))))
				rows.push(n);
		const by = column ? (a, b) => column.value(b) - column.value(a)
			: state.sort === "object" ? (a, b) =>
				compareText(model.objectOf(b), model.objectOf(a))
			: (a, b) => model.ranks[b] - model.ranks[a];
		const turn = state.rising ? -1 : 1;
		return rows.sort((a, b) => turn * by(a, b) || model.ranks[a] - model.ranks[b]);
	}

	draw(state) {
		const columns = this.columns(state);
		const rows = this.rows(state, columns);
		const key = JSON.stringify([state.sort, state.rising, state.filter]);

		if (key !== this.key)
			this.shown = ROWS_AT_ONCE;
		this.key = key;
		const all = [...columns, { key: "name", title: "Function" },
			{ key: "object", title: "Object" }];
		const head = element("tr", {}, ...all.map((c) => this.headCell(state, c)));
		const body = element("tbody", {}, ...rows.slice(0, this.shown).map((n) =>
			this.row(state, columns, n)));
		if (rows.length > this.shown)
			body.append(this.moreRow(rows.length - this.shown, all.length));
		const text = rows.length === 1 ? "1 function" : whole.format(rows.length) + " functions";
		this.table.replaceChildren(element("caption", {}, text),
			element("thead", {}, head), body);
	}

	headCell(state, column) {
		const here = state.sort === column.key;
		const order = here ? (state.rising ? "ascending" : "descending") : "none";
		const arrow = here ? (state.rising ? " \u25b2" : " \u25bc") : "";

		return element("th", { scope: "col", "aria-sort": order,
			class: figureClass(column) },
			element("button", { type: "button", onclick: () => this.on.sort(column.key) },
				column.title + arrow));
	}

	row(state, columns, name) {
		const { model } = this;
		const text = model.names[name];
		const hits = model.hits(state);
		const link = element("button", {
			type: "button", class: "name", title: text,
			onclick: () => this.on.pivot(name),
		}, shorten(text, 160));

		return element("tr", { class: hits && hits[name] ? "hit" : "" },
			...columns.map((c) => element("td", { class: figureClass(c) }, c.text(name))),
			element("td", {}, link),
			element("td", { class: "object", title: model.objectOf(name) },
				shorten(model.objectOf(name), 48)));
	}

	moreRow(left, span) {
		const more = () => {
			this.shown += ROWS_AT_ONCE * 4;
			this.on.redraw();
		};
		return element("tr", {}, element("td", { colspan: String(span) },
			element("button", { type: "button", onclick: more },
				"Show more (" + whole.format(left) + " are left)")));
	}
}

// Amounts are left out where there is no room for them.
function figureClass(column) {
	if (!column.text)
		return "";
	return column.key.endsWith("n") ? "figure amount" : "figure";
}

function compareText(a, b) {
	return a < b ? -1 : a > b ? 1 : 0;
}
