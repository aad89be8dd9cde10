// SPDX-License-Identifier: MIT
//
// What a flame graph asks for each node: its size, color, label and description.

class Frames {
	constructor(model) {
		this.model = model;
		this.colors = new NameColors(model);
	}

	// A view for class Flame of a tree with its weights; extra: {zoom, icicle}.
	of(state, drawn, extra) {
		const { model } = this;
		const diff = drawn.weights.length > 1;
		const rootName = extra.root || "all";
		const label = (i) => i ? model.names[drawn.tree.name[i]] : rootName;

		return {
			tree: drawn.tree,
			sizes: this.sizes(state, drawn),
			hits: model.hits(state),
			zoom: 0,
			...extra,
			label: (i, letters) => {
				const change = diff && i ? signedPercent(delta(drawn, i)) : "";
				return change && letters > change.length + 8
					? labelText(label(i), letters - change.length - 1) + " " + change
					: labelText(label(i), letters);
			},
			color: (i) => this.color(state, drawn, i, diff),
			describe: (i) => this.describe(state, drawn, i, label(i)),
		};
	}

	sizes(state, drawn) {
		const { weights } = drawn;

		if (weights.length === 1)
			return weights[0].total;
		if (state.width !== "both")
			return weights[state.width === "before" ? 0 : 1].total;
		if (!drawn.both)
			drawn.both = Float64Array.from(weights[0].total, (_, i) =>
				share(weights[0], i) + share(weights[1], i));
		return drawn.both;
	}

	color(state, drawn, i, diff) {
		if (diff && state.colors === "kind")
			return deltaColor(delta(drawn, i));
		return i ? this.colors.of(drawn.tree.name[i], state.colors) : kindColor(4, 40);
	}

	// Lines about a node: its name, its object, its weights.
	describe(state, drawn, i, label) {
		const { model } = this;
		const { tree, weights } = drawn;
		const measure = model.measure(state);
		const name = tree.name[i];
		const lines = [label];

		if (i)
			lines.push([KINDS[model.profile.kind[name]], model.objectOf(name)]
				.filter(Boolean).join(", "));
		if (weights.length > 1) {
			const sides = model.profile.head.sides.length > 1 && !state.range2
				? model.profile.head.sides : ["first range", "second range"];
			weights.forEach((w, side) => lines.push(sides[side] + ": " +
				amounts(model, measure, tree, w, i, side)));
			lines.push("change: " + signedPercent(delta(drawn, i)) + " of all" +
				newOrGone(weights, i));
		} else {
			lines.push(amounts(model, measure, tree, weights[0], i, 0));
		}
		return lines;
	}
}

// What shares are of: a part of the profile knows the weight of all of it.
function allOf(w) {
	return w.all === undefined ? w.total[0] : w.all;
}

function share(w, i) {
	return allOf(w) ? w.total[i] / allOf(w) : 0;
}

function delta(drawn, i) {
	return share(drawn.weights[1], i) - share(drawn.weights[0], i);
}

function newOrGone(weights, i) {
	if (!weights[0].total[i])
		return ", new";
	return weights[1].total[i] ? "" : ", gone";
}

function amounts(model, measure, tree, w, i, side) {
	const parent = tree.parent[i];
	const parts = [percentText(w.total[i], allOf(w)) + " of all",
		weightText(model, measure, w.total[i], side)];

	if (i && parent)
		parts.push(percentText(w.total[i], w.total[parent]) + " of its parent");
	if (i)
		parts.push("self " + percentText(w.self[i], allOf(w)));
	return parts.join(", ");
}

function showTip(e, lines) {
	const tip = byId("tip");
	const [first, ...rest] = lines;

	tip.replaceChildren(element("strong", {}, shorten(first, 400)),
		...rest.map((line) => element("div", {}, line)));
	tip.hidden = false;
	const x = Math.min(e.clientX + 14, window.innerWidth - tip.offsetWidth - 8);
	const below = e.clientY + 18 + tip.offsetHeight < window.innerHeight;
	tip.style.left = Math.max(4, x) + "px";
	tip.style.top = (below ? e.clientY + 18 : Math.max(4, e.clientY - tip.offsetHeight - 10)) + "px";
}

function hideTip() {
	byId("tip").hidden = true;
}
