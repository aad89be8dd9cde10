// SPDX-License-Identifier: MIT
//
// How the boxes of an SVG made by pfold --svg are painted while its script runs, for picture/svg.js. At a zoom Firefox
// takes longer for each shape than for the pixels in it, and most boxes are thin: those of one colour become one path.
// They lie on the paths without a fill of their own, for the pointer, for marks and for what programs read aloud.
// Wide boxes stay as they are: a path that is spread over the picture is drawn in every part of it.

const MATCH_COLOR = "#e600e6";
const THIN = 8;

class Paint {
	// group: the boxes, which are stretched together with the paths.
	constructor(group, rects) {
		const outlines = new Map();

		this.rects = rects;
		this.fills = rects.map((r) => r.getAttribute("fill"));
		this.faded = new Set();
		this.marked = new Set();
		rects.forEach((r, i) => {
			const color = this.fills[i], width = r.getAttribute("width");
			if (width >= THIN)
				return;
			if (!outlines.has(color))
				outlines.set(color, []);
			outlines.get(color).push("M" + r.getAttribute("x") + " " + r.getAttribute("y") + "h" +
				width + "v" + r.getAttribute("height") + "h-" + width + "z");
			this.fills[i] = "none";
			r.setAttribute("fill", "none");
		});
		const paths = document.createElementNS(group.namespaceURI, "g");
		for (const [color, outline] of outlines) {
			const path = paths.appendChild(document.createElementNS(group.namespaceURI, "path"));
			path.setAttribute("fill", color);
			path.setAttribute("d", outline.join(""));
		}
		paths.setAttribute("shape-rendering", "crispEdges");
		paths.setAttribute("pointer-events", "none");
		group.setAttribute("pointer-events", "all");
		group.prepend(paths);
	}

	show(i) {
		const r = this.rects[i], isFaded = this.faded.has(i);
		const fill = isFaded && this.fills[i] === "none" ? "#fff" : this.fills[i];
		r.setAttribute("fill", this.marked.has(i) ? MATCH_COLOR : fill);
		if (isFaded)
			r.setAttribute("opacity", "0.5");
		else
			r.removeAttribute("opacity");
	}

	change(kind, list) {
		const before = this[kind];
		this[kind] = new Set(list);
		for (const i of before)
			if (!this[kind].has(i))
				this.show(i);
		for (const i of list)
			if (!before.has(i))
				this.show(i);
	}

	// Boxes above the one that is zoomed into, in place of those faded before.
	fade(list) {
		this.change("faded", list);
	}

	// Boxes that match a search, in place of those marked before.
	mark(list) {
		this.change("marked", list);
	}
}
