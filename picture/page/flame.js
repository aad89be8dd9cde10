// SPDX-License-Identifier: MIT
//
// A tree drawn as boxes on a canvas. Rectangles are never stored for the whole tree: drawing walks
// the arrays, skips what is narrower than a third of a pixel, and keeps the boxes on the screen for
// the pointer.

const ROW = 18;
const THINNEST = 0.3;

class Flame {
	// view(): what to draw, see drawn() below; on: {select, zoom} are called with a node.
	constructor(canvas, view, on) {
		this.canvas = canvas;
		this.view = view;
		this.on = on;
		this.scroll = 0;
		this.boxes = [];
		this.selected = 0;
		this.width = this.height = 0;
		canvas.addEventListener("mousemove", (e) => this.hover(e));
		canvas.addEventListener("mouseleave", () => hideTip());
		canvas.addEventListener("click", (e) => this.click(e));
		canvas.addEventListener("contextmenu", (e) => this.choose(e));
		canvas.addEventListener("wheel", (e) => this.wheel(e), { passive: false });
		canvas.addEventListener("keydown", (e) => this.key(e));
		canvas.addEventListener("focus", () => {
			if (!this.selected)
				this.select(this.view().zoom || 0);
		});
	}

	// Fits the canvas to its place on the screen.
	fit() {
		const { canvas } = this;
		const ratio = window.devicePixelRatio || 1;

		this.width = canvas.clientWidth;
		this.height = canvas.clientHeight;
		canvas.width = Math.round(this.width * ratio);
		canvas.height = Math.round(this.height * ratio);
		this.pen = canvas.getContext("2d");
		this.pen.setTransform(ratio, 0, 0, ratio, 0, 0);
		this.pen.font = "12px ui-monospace, monospace";
		this.pen.textBaseline = "middle";
		this.letter = this.pen.measureText("M").width;
	}

	draw() {
		this.fit();
		const view = this.view();
		const colors = themeColors();
		this.pen.fillStyle = colors.back;
		this.pen.fillRect(0, 0, this.width, this.height);
		this.layOut(view);
		this.place(view);
		for (const box of this.boxes)
			this.drawBox(view, box, colors);
		if (!this.boxes.length) {
			this.pen.fillStyle = colors.text;
			this.pen.fillText("No samples here.", 10, this.height / 2);
		}
	}

	// The boxes that are wide enough, in the order of the tree. What is left out beside each
	// other is one grey box.
	layOut(view) {
		const { tree, zoom, sizes } = view;
		const all = sizes[zoom];
		const scale = all ? this.width / all : 0;
		const next = [];
		const boxes = [];
		const left = new Map();
		this.deepest = 0;

		for (let i = zoom, d = tree.depth[zoom]; i && !view.base; i = tree.parent[i]) {
			d--;
			boxes.push({ node: tree.parent[i], depth: d, x: 0, w: this.width, above: true });
		}
		next[tree.depth[zoom]] = 0;
		for (let i = zoom; i < tree.end[zoom];) {
			const d = tree.depth[i];
			const x = next[d];
			const w = sizes[i] * scale;
			next[d] = x + w;
			next[d + 1] = x;
			if (w < THINNEST) {
				if (w > 0)
					this.leaveOut(boxes, left, d, x, w);
				i = tree.end[i];
				continue;
			}
			boxes.push({ node: i, depth: d, x, w });
			this.deepest = Math.max(this.deepest, d);
			i++;
		}
		this.boxes = boxes;
	}

	leaveOut(boxes, left, depth, x, w) {
		const box = left.get(depth);

		if (box && x - (box.x + box.w) < 0.01) {
			box.w = Math.max(box.w, x + w - box.x);
			return;
		}
		const made = { node: -1, depth, x, w };
		left.set(depth, made);
		boxes.push(made);
	}

	// Rows to pixels: the root is below, or above in an icicle.
	place(view) {
		const base = view.base || 0;
		const rows = (this.deepest + 1 - base) * ROW;

		this.scroll = Math.max(0, Math.min(this.scroll, rows - this.height));
		this.top = (depth) => view.icicle ? (depth - base) * ROW - this.scroll
			: this.height - (depth - base + 1) * ROW + this.scroll;
	}

	drawBox(view, box, colors) {
		const { pen } = this;
		const y = this.top(box.depth);

		if (y < -ROW || y > this.height)
			return;
		const gap = box.w > 3 ? 0.6 : 0;
		if (box.node < 0) {
			pen.fillStyle = colors.left;
			pen.fillRect(box.x, y, box.w, ROW - 1);
			return;
		}
		const name = view.tree.name[box.node];
		const hit = view.hits && box.node && view.hits[name];
		pen.globalAlpha = box.above ? 0.55 : view.hits && !hit ? 0.45 : 1;
		pen.fillStyle = hit ? colors.hit : view.color(box.node);
		pen.fillRect(box.x, y, box.w - gap, ROW - 1);
		pen.globalAlpha = 1;
		if (box.node === this.selected && this.selected) {
			pen.strokeStyle = colors.text;
			pen.lineWidth = 2;
			pen.strokeRect(box.x + 1, y + 1, Math.max(1, box.w - gap - 2), ROW - 3);
		}
		const letters = Math.floor((box.w - 6) / this.letter);
		if (letters >= 3) {
			pen.fillStyle = hit ? colors.hitText : colors.boxText;
			pen.fillText(view.label(box.node, letters), box.x + 3, y + ROW / 2);
		}
	}

	boxAt(e) {
		const x = e.offsetX, y = e.offsetY;
		let found = null;

		for (const box of this.boxes) {
			const top = this.top(box.depth);
			if (y >= top && y < top + ROW && x >= box.x && x < box.x + box.w)
				found = box;
		}
		return found;
	}

	hover(e) {
		const box = this.boxAt(e);

		this.canvas.classList.toggle("over", Boolean(box && box.node >= 0));
		if (!box)
			hideTip();
		else if (box.node < 0)
			showTip(e, ["frames that are too narrow to draw: zoom in"]);
		else
			showTip(e, this.view().describe(box.node));
	}

	click(e) {
		const box = this.boxAt(e);

		if (!box || box.node < 0)
			return;
		this.select(box.node);
		if (!e.shiftKey && !e.ctrlKey)
			this.on.zoom(box.node);
	}

	choose(e) {
		const box = this.boxAt(e);

		e.preventDefault();
		if (box && box.node >= 0)
			this.select(box.node);
	}

	wheel(e) {
		const before = this.scroll;

		this.scroll += this.view().icicle ? e.deltaY : -e.deltaY;
		this.place(this.view());
		if (this.scroll !== before) {
			e.preventDefault();
			this.draw();
		}
	}

	select(node) {
		this.selected = node;
		this.on.select(node);
		this.reveal();
		this.draw();
	}

	// Scrolls to the row of the selected node.
	reveal() {
		const view = this.view();
		const at = (view.tree.depth[this.selected] - (view.base || 0)) * ROW;

		if (at < this.scroll)
			this.scroll = at;
		else if (at + ROW > this.scroll + this.height)
			this.scroll = at + ROW - this.height;
	}

	key(e) {
		const view = this.view();
		const deeper = view.icicle ? "ArrowDown" : "ArrowUp";
		const moves = {
			ArrowLeft: () => this.sibling(view, -1),
			ArrowRight: () => this.sibling(view, 1),
			ArrowUp: () => this.climb(view, deeper === "ArrowUp"),
			ArrowDown: () => this.climb(view, deeper === "ArrowDown"),
			Home: () => view.zoom,
		};

		if (e.ctrlKey || e.metaKey || e.altKey)
			return;
		if (e.key === "Enter") {
			this.on.zoom(this.selected);
		} else if (moves[e.key]) {
			this.select(moves[e.key]());
		} else {
			return;
		}
		e.preventDefault();
		e.stopPropagation();
	}

	// The heaviest child, or the parent.
	climb(view, down) {
		const { tree, sizes } = view;
		const here = this.selected;
		let best = here;

		if (!down)
			return here > (view.base || 0) ? tree.parent[here] : here;
		for (let i = here + 1; i < tree.end[here]; i = tree.end[i])
			if (sizes[i] && (best === here || sizes[i] > sizes[best]))
				best = i;
		return best;
	}

	sibling(view, step) {
		const { tree, sizes } = view;
		const parent = tree.parent[this.selected];
		const row = [];

		if (!this.selected)
			return 0;
		for (let i = parent + 1; i < tree.end[parent]; i = tree.end[i])
			if (sizes[i])
				row.push(i);
		const at = row.indexOf(this.selected) + step;
		return row[Math.max(0, Math.min(row.length - 1, at))];
	}
}
