// SPDX-License-Identifier: MIT
//
// The texts on the boxes of an SVG made by pfold --svg, for picture/svg.js. Browsers take long for texts, also for
// those that nobody sees: only the rows in the window and near it have them. Others get theirs when the picture is
// scrolled to them, or printed; where the window shows very many, they come one part after the other.

const LABEL_ROOM = 3;
const AT_ONCE = 125;
// How far beyond the window texts are made, in heights of the window.
const MARGIN = 0.5;
const ALL_ROWS = [-Infinity, Infinity];

const onIdle = window.requestIdleCallback || window.requestAnimationFrame;
const cancelIdle = window.cancelIdleCallback || window.cancelAnimationFrame;

class Labels {
	// group: the texts. picture: names and end by box; edges(i), its ends in the view; top(i); fontSize, rowHeight,
	// font.
	constructor(group, picture) {
		const canvas = document.createElementNS("http://www.w3.org/1999/xhtml", "canvas");

		this.group = group;
		this.picture = picture;
		this.idle = 0;
		// tops of boxes that have texts: from the first up to, but not with, the second
		this.rows = [0, 0];
		this.waiting = [];
		// characters are measured once, in the font that is really used
		this.widths = new Map();
		this.lengths = new Float64Array(picture.names.length).fill(-1);
		this.group.replaceChildren();
		this.measure = canvas.getContext ? canvas.getContext("2d") : null;
		if (this.measure)
			this.measure.font = picture.fontSize + "px " + picture.font;
		window.addEventListener("scroll", () => this.extend(this.near(0)), { passive: true });
		window.addEventListener("resize", () => this.extend(this.near(0)));
		window.addEventListener("beforeprint", () => this.extend(ALL_ROWS, true));
	}

	charWidth(c) {
		let w = this.widths.get(c);
		if (w === undefined) {
			w = this.measure ? this.measure.measureText(c).width : this.picture.fontSize * 0.7;
			this.widths.set(c, w);
		}
		return w;
	}

	// What of a box's name fits into so many pixels.
	fitted(i, room) {
		const name = this.picture.names[i];
		const dots = 2 * this.charWidth(".");
		let used = 0, cut = 0;
		if (this.lengths[i] >= 0 && this.lengths[i] <= room)
			return name;
		for (let k = 0; k < name.length; k++) {
			used += this.charWidth(name[k]);
			if (used > room)
				return cut ? name.slice(0, cut) + ".." : "";
			// not between the two halves of a character
			if (used + dots <= room && !/[\uD800-\uDBFF]/.test(name[k]))
				cut = k + 1;
		}
		this.lengths[i] = used;
		return name;
	}

	// The rows that the window shows, and `more` times as many above and below; the picture may be drawn at any size.
	near(more) {
		const root = document.documentElement;
		const { top, height } = root.getBoundingClientRect();
		const scale = root.viewBox.baseVal.height / height;
		const first = +this.group.parentNode.getAttribute("y");
		const shown = window.innerHeight * scale, from = -top * scale - first;
		if (!(shown > 0 && height > 0))
			return ALL_ROWS;
		return [from - more * shown - this.picture.rowHeight, from + (1 + more) * shown];
	}

	// The texts of rows in the view, in the order of the boxes: [x, y, text].
	list([first, last]) {
		const { names, end, edges, top, fontSize, rowHeight } = this.picture;
		const lift = (rowHeight + fontSize * 2 / 3) / 2;
		const found = [];
		for (let i = 0; i < names.length;) {
			const [x, to] = edges(i);
			if (to - x < 2 * fontSize) {
				i = end[i];
				continue;
			}
			const y = top(i);
			const text = y >= first && y < last ? this.fitted(i, to - x - 2 * LABEL_ROOM) : "";
			if (text)
				found.push([x + LABEL_ROOM, y + lift, text]);
			i++;
		}
		return found;
	}

	// Elements of texts, in a group that is not in the picture yet.
	made(list) {
		const group = this.group.cloneNode(false);
		group.removeAttribute("id");
		for (const [x, y, text] of list) {
			const t = group.appendChild(document.createElementNS(group.namespaceURI, "text"));
			t.setAttribute("x", x);
			t.setAttribute("y", y);
			t.textContent = text;
		}
		return group;
	}

	// Shows the texts of a new view. To call before other changes of the picture: it asks where the window is.
	draw() {
		const rows = this.near(0), all = this.list(rows);
		const group = this.made(all.splice(0, AT_ONCE));
		group.setAttribute("id", "labels");
		this.group.replaceWith(group);
		this.group = group;
		this.rows = rows;
		this.waiting = all;
		this.continue();
	}

	// Adds the texts of rows that have none. isNow: in this frame.
	extend([first, last], isNow) {
		const [from, to] = this.rows;
		if (first < from)
			this.waiting.push(...this.list([first, Math.min(from, last)]));
		if (last > to)
			this.waiting.push(...this.list([Math.max(to, first), last]));
		this.rows = [Math.min(first, from), Math.max(last, to)];
		if (isNow)
			this.group.appendChild(this.made(this.waiting.splice(0)));
		this.continue();
	}

	// Once the browser has painted and has time: the texts that wait, and at last those of rows near the window,
	// which a little scrolling shows.
	continue() {
		cancelIdle(this.idle);
		this.idle = onIdle(() => {
			const [first, last] = this.near(MARGIN);
			if (this.waiting.length) {
				this.group.appendChild(this.made(this.waiting.splice(0, AT_ONCE)));
				this.continue();
			} else if (first < this.rows[0] || last > this.rows[1]) {
				this.extend([first, last]);
			}
		}, { timeout: 100 });
	}
}
