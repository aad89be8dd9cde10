// SPDX-License-Identifier: MIT
//
// The texts on the boxes of an SVG made by pfold --svg, for picture/svg.js. Browsers take long for texts: those of the
// whole picture are made once and hidden while a part is shown; of a part, those that the window shows come first,
// and large parts get their texts in several frames.

const LABEL_ROOM = 3;
const AT_ONCE = 250;

class Labels {
	// group: the texts of the whole picture. picture: names and end by box; edges(i), its ends in the view; top(i);
	// fontSize, rowHeight, font.
	constructor(group, picture) {
		const canvas = document.createElementNS("http://www.w3.org/1999/xhtml", "canvas");

		this.group = group;
		this.picture = picture;
		this.part = null;
		this.frame = 0;
		// characters are measured once, in the font that is really used
		this.widths = new Map();
		this.lengths = new Float64Array(picture.names.length).fill(-1);
		this.measure = canvas.getContext ? canvas.getContext("2d") : null;
		if (this.measure)
			this.measure.font = picture.fontSize + "px " + picture.font;
		this.group.replaceChildren(this.made(this.list()));
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

	// The texts of the view, in the order of the boxes: [x, y, text].
	list() {
		const { names, end, edges, top, fontSize, rowHeight } = this.picture;
		const lift = (rowHeight + fontSize * 2 / 3) / 2;
		const found = [];
		for (let i = 0; i < names.length;) {
			const [x, to] = edges(i);
			if (to - x < 2 * fontSize) {
				i = end[i];
				continue;
			}
			const text = this.fitted(i, to - x - 2 * LABEL_ROOM);
			if (text)
				found.push([x + LABEL_ROOM, top(i) + lift, text]);
			i++;
		}
		return found;
	}

	// Elements of texts, in a group that is not in the picture yet.
	made(list) {
		const group = this.group.cloneNode(false);
		group.removeAttribute("id");
		group.removeAttribute("opacity");
		for (const [x, y, text] of list) {
			const t = group.appendChild(document.createElementNS(group.namespaceURI, "text"));
			t.setAttribute("x", x);
			t.setAttribute("y", y);
			t.textContent = text;
		}
		return group;
	}

	// Whether the window shows a text; the picture may be drawn at any size.
	seen() {
		const root = document.documentElement;
		const { top, height } = root.getBoundingClientRect();
		const scale = height / root.viewBox.baseVal.height;
		const first = +this.group.parentNode.getAttribute("y");
		return ([, y]) => {
			const at = top + (first + y) * scale;
			return at > 0 && at < window.innerHeight;
		};
	}

	// Shows the texts of the view. isWhole: it is the whole picture.
	draw(isWhole) {
		const list = isWhole ? [] : this.list();
		if (list.length > AT_ONCE) {
			const seen = this.seen();
			list.sort((a, b) => seen(b) - seen(a));
		}
		const part = this.made(list.splice(0, AT_ONCE));
		part.setAttribute("id", "part");
		if (isWhole)
			this.group.removeAttribute("opacity");
		else
			this.group.setAttribute("opacity", "0");
		if (this.part)
			this.part.remove();
		this.group.after(part);
		this.part = part;
		cancelAnimationFrame(this.frame);
		if (list.length)
			this.continue(list);
	}

	continue(list) {
		this.frame = requestAnimationFrame(() => {
			this.part.appendChild(this.made(list.splice(0, AT_ONCE)));
			if (list.length)
				this.continue(list);
		});
	}
}
