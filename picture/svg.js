// SPDX-License-Identifier: MIT
//
// The script of an SVG made by pfold --svg: zoom, search, keyboard. Without it the picture is
// complete, so everything that only the script serves is made here. Names reach the document
// through textContent only.
//
// Lines that hold only a comment are left out of the picture (picture/embed.awk).
(function () {
"use strict";

const SVG = "http://www.w3.org/2000/svg";
const HTML = "http://www.w3.org/1999/xhtml";
const LEAST_WIDTH = 0.1;

const root = document.documentElement;
const frames = document.getElementById("frames");
const boxes = document.getElementById("boxes");
const labels = document.getElementById("labels");
const details = document.getElementById("details");
const matched = document.getElementById("matched");
const given = frames.dataset;
const left = +frames.getAttribute("x"), fullWidth = +frames.getAttribute("width");
const all = +given.total, fontSize = +given.size, rowHeight = +given.row, maxDepth = +given.depth;
const inverted = given.inverted === "1";
const standing = matched.textContent;

// --- the boxes, read once: in pre-order, a box before those below it ----------------------------

const rects = Array.from(boxes.getElementsByTagName("rect"));
const count = rects.length;
const infos = new Array(count);
const names = new Array(count);
const start = new Float64Array(count);
const weight = new Float64Array(count);
const depth = new Uint32Array(count);
const parent = new Int32Array(count);
const end = new Uint32Array(count);

function readBoxes() {
	const path = [];
	for (let i = 0; i < count; i++) {
		const r = rects[i], row = Math.round(+r.getAttribute("y") / rowHeight);
		start[i] = +r.getAttribute("data-x");
		weight[i] = +r.getAttribute("data-w");
		depth[i] = inverted ? row : maxDepth - row;
		infos[i] = r.firstChild.textContent;
		names[i] = infos[i].slice(0, infos[i].lastIndexOf(" ("));
		r.box = i;
		path.length = depth[i];
		parent[i] = i ? path[depth[i] - 1] : -1;
		path.push(i);
	}
	for (let i = count; i--;) {
		end[i] = Math.max(end[i], i + 1);
		if (i && end[parent[i]] < end[i])
			end[parent[i]] = end[i];
	}
}

// --- what is seen: the boxes stay as they are, their group is stretched -------------------------

// The box that is as wide as the picture; the one that the keyboard is at.
let zoomed = 0, focus = 0;
// Of the view: its first unit of weight, and pixels for each unit.
let from = 0, scale = 1;

// Left and right end of a box, cut at those of the view.
function edges(i) {
	const x = Math.max(0, (start[i] - from) * scale);
	return [x, Math.min(fullWidth, (start[i] + weight[i] - from) * scale)];
}

function top(i) {
	return (inverted ? depth[i] : maxDepth - depth[i]) * rowHeight;
}

function isSeen(i) {
	const [x, to] = edges(i);
	return to - x >= LEAST_WIDTH;
}

function zoomTo(to) {
	zoomed = to;
	from = to ? start[to] : 0;
	scale = fullWidth / (to ? weight[to] : all);
	texts.draw();
	boxes.setAttribute("transform", "matrix(" + scale * all / fullWidth + ",0,0,1," +
		-from * scale + ",0)");
	const above = [];
	for (let i = parent[to]; i >= 0; i = parent[i])
		above.push(i);
	paint.fade(above);
	display(undoButton, zoomed || past.length);
	display(resetButton, zoomed);
	showMatched();
}

// --- search --------------------------------------------------------------------------------------

let pattern = "", ignoreCase = false;
let matches = [];

function expression() {
	try {
		return new RegExp(pattern, ignoreCase ? "i" : "");
	} catch (e) {
		return null;
	}
}

function search() {
	const re = pattern ? expression() : null;
	matches = [];
	for (let i = 1; re && i < count; i++)
		if (re.test(names[i]))
			matches.push(i);
	paint.mark(matches);
	showMatched(pattern && !re ? "This is no regular expression." : "");
}

// The weight of all matches below a box; a match below another one is a part of it.
function matchedWeight(below) {
	let sum = 0, next = 0;
	for (const i of matches)
		if (i >= next && i >= below && i < end[below]) {
			sum += weight[i];
			next = end[i];
		}
	return sum;
}

function percent(part, whole) {
	return (whole ? 100 * part / whole : 0).toFixed(2) + " %";
}

function showMatched(fault) {
	let text = "Matched: " + percent(matchedWeight(0), all);
	if (zoomed)
		text += ", " + percent(isMatchAbove() ? weight[zoomed] : matchedWeight(zoomed),
			weight[zoomed]) + " of this view";
	write(matched, fault || (pattern ? text : standing));
}

function isMatchAbove() {
	for (let i = parent[zoomed]; i > 0; i = parent[i])
		if (matches.includes(i))
			return true;
	return false;
}

// The next match that is shown, or the one before with step -1.
function nextMatch(step) {
	const list = matches.filter(isSeen);
	if (!list.length)
		return;
	let k = step > 0 ? list.findIndex((i) => i > focus) : list.findLastIndex((i) => i < focus);
	if (k < 0)
		k = step > 0 ? 0 : list.length - 1;
	focusOn(list[k], k + 1 + " of " + list.length + ": ");
}

// --- focus, and the line that says what is there -------------------------------------------------

const ring = add(frames, "rect", { fill: "none", stroke: "#000", "stroke-width": 2,
	"pointer-events": "none", display: "none" });

function describe(i, before) {
	write(details, i < 0 ? " " : (before || "") + given.type + " " + infos[i]);
}

function drawRing() {
	const [x, to] = edges(focus);
	ring.setAttribute("x", x);
	ring.setAttribute("y", top(focus));
	ring.setAttribute("width", Math.max(to - x, 1));
	ring.setAttribute("height", rowHeight - 1);
	display(ring, isSeen(focus));
}

function focusOn(i, before) {
	focus = i;
	drawRing();
	describe(i, before);
	if (ring.scrollIntoView)
		ring.scrollIntoView({ block: "nearest" });
}

function firstChild(i) {
	for (let k = i + 1; k < end[i]; k = end[k])
		if (isSeen(k))
			return k;
	return i;
}

function heaviestChild(i) {
	let best = firstChild(i);
	for (let k = best; k < end[i] && best !== i; k = end[k])
		if (isSeen(k) && weight[k] > weight[best])
			best = k;
	return best;
}

function sibling(i, step) {
	let last = -1;
	if (!i)
		return i;
	for (let k = parent[i] + 1; k < end[parent[i]]; k = end[k]) {
		if (!isSeen(k))
			continue;
		if (k === i && step < 0)
			return last < 0 ? i : last;
		if (last === i && step > 0)
			return k;
		last = k;
	}
	return i;
}

// --- steps, which can be undone, and the part of the address behind '#' --------------------------

let past = [], future = [];

function state() {
	return { zoom: zoomed, pattern: pattern, ignoreCase: ignoreCase };
}

function apply(s) {
	const sameSearch = s.pattern === pattern && s.ignoreCase === ignoreCase;
	pattern = s.pattern;
	ignoreCase = s.ignoreCase;
	zoomTo(s.zoom);
	if (!sameSearch)
		search();
	if (!isSeen(focus))
		focus = s.zoom;
	if (ring.getAttribute("display") !== "none")
		drawRing();
	write(caseButton, ignoreCase ? "[x] ignore case" : "[ ] ignore case");
	display(caseButton, pattern);
	writeAddress();
}

function step(change) {
	past.push(state());
	future = [];
	apply(Object.assign(state(), change));
}

function undo() {
	if (past.length) {
		future.push(state());
		apply(past.pop());
	} else if (zoomed) {
		apply(Object.assign(state(), { zoom: 0 }));
	}
}

function redo() {
	if (future.length) {
		past.push(state());
		apply(future.pop());
	}
}

function writeAddress() {
	const parts = [];
	if (zoomed)
		parts.push("z=" + zoomed);
	if (pattern)
		parts.push("s=" + encodeURIComponent(pattern));
	if (pattern && ignoreCase)
		parts.push("i=1");
	if (!parts.length && location.hash.length < 2)
		return;
	try {
		history.replaceState(null, "", "#" + parts.join("&"));
	} catch (e) {
		// Some viewers have no address. The picture works without.
	}
}

function readAddress() {
	const s = { zoom: 0, pattern: "", ignoreCase: false };
	for (const part of location.hash.slice(1).split("&")) {
		const value = part.slice(2);
		if (/^z=\d{1,9}$/.test(part) && +value < count)
			s.zoom = +value;
		else if (part.startsWith("s="))
			try {
				s.pattern = decodeURIComponent(value);
			} catch (e) {
				s.pattern = "";
			}
		else if (part === "i=1")
			s.ignoreCase = true;
	}
	return s;
}

// --- controls ------------------------------------------------------------------------------------

function add(to, tag, attributes, text) {
	const e = document.createElementNS(SVG, tag);
	for (const name in attributes)
		e.setAttribute(name, attributes[name]);
	if (text)
		e.textContent = text;
	to.appendChild(e);
	return e;
}

// A text that is written anew is laid out anew, also if it is the same.
function write(e, text) {
	if (e.textContent !== text)
		e.textContent = text;
}

function display(e, isWanted) {
	if (isWanted)
		e.removeAttribute("display");
	else
		e.setAttribute("display", "none");
}

function button(id, x, y, anchor, text, pressed) {
	const e = add(root, "text", { id: id, x: x, y: y, "text-anchor": anchor, class: "control",
		display: "none" }, text);
	e.addEventListener("click", pressed);
	return e;
}

const right = left + fullWidth;
const resetButton = button("unzoom", left, fontSize * 2, "start", "Reset zoom",
	() => step({ zoom: 0 }));
const undoButton = button("undo", left + fontSize * 7, fontSize * 2, "start", "Undo", undo);
const searchButton = button("search", right, fontSize * 2, "end", "Search", openSearch);
const caseButton = button("ignorecase", right - fontSize * 5, fontSize * 2, "end", "",
	() => step({ ignoreCase: !ignoreCase }));

let box = null;

function closeSearch() {
	if (box) {
		const old = box;
		box = null;
		old.remove();
		display(searchButton, true);
	}
}

function openSearch() {
	if (box)
		return;
	box = add(root, "foreignObject", { x: right - fontSize * 18, y: fontSize / 2,
		width: fontSize * 18, height: fontSize * 2.2 });
	const input = document.createElementNS(HTML, "input");
	const before = state();
	input.setAttribute("id", "pattern");
	input.setAttribute("placeholder", "regular expression");
	input.setAttribute("aria-label", "search: regular expression");
	input.setAttribute("style", "box-sizing:border-box;width:100%;height:100%;font-size:" +
		fontSize + "px");
	input.value = pattern;
	input.addEventListener("input", () => apply(Object.assign(state(), { pattern: input.value })));
	input.addEventListener("keydown", (e) => {
		e.stopPropagation();
		if (e.key === "Enter") {
			past.push(before);
			future = [];
			closeSearch();
			nextMatch(1);
		} else if (e.key === "Escape") {
			closeSearch();
			apply(before);
		}
	});
	box.appendChild(input);
	display(searchButton, false);
	input.focus();
	input.select();
}

const HELP = "Arrows: move. Enter: zoom. u: undo, Ctrl-R: redo, 0: reset. /: search, n N: next and " +
	"previous match, i: ignore case, Esc: end the search.";

const up = inverted ? "ArrowDown" : "ArrowUp", down = inverted ? "ArrowUp" : "ArrowDown";
const keys = {
	[up]: () => focusOn(heaviestChild(focus)),
	[down]: () => focusOn(Math.max(parent[focus], 0)),
	ArrowLeft: () => focusOn(sibling(focus, -1)),
	ArrowRight: () => focusOn(sibling(focus, 1)),
	Home: () => focusOn(0),
	Enter: () => step({ zoom: focus }),
	u: undo,
	Backspace: undo,
	r: redo,
	0: () => step({ zoom: 0 }),
	"/": openSearch,
	F3: openSearch,
	n: () => nextMatch(1),
	N: () => nextMatch(-1),
	i: () => step({ ignoreCase: !ignoreCase }),
	Escape: () => pattern ? step({ pattern: "" }) : zoomed ? undo() : 0,
	"?": () => { details.textContent = HELP; },
};
const controlKeys = { f: openSearch, i: keys.i, r: redo, z: undo };

function pressed(e) {
	const table = e.ctrlKey || e.metaKey ? controlKeys : keys;
	if (e.altKey || !Object.hasOwn(table, e.key) || (e.ctrlKey && e.key === "r" && !future.length))
		return;
	e.preventDefault();
	table[e.key]();
}

function boxAt(e) {
	return e.target.box === undefined ? -1 : e.target.box;
}

readBoxes();
scale = fullWidth / all;
const paint = new Paint(boxes, rects);
const texts = new Labels(labels, { names: names, end: end, edges: edges, top: top, fontSize: fontSize,
	rowHeight: rowHeight, font: root.getAttribute("font-family") });
details.setAttribute("role", "status");
display(searchButton, true);
frames.addEventListener("click", (e) => {
	const i = boxAt(e);
	if (i >= 0) {
		focus = i;
		step({ zoom: i });
	}
});
frames.addEventListener("mouseover", (e) => describe(boxAt(e)));
frames.addEventListener("mouseout", () => describe(-1));
window.addEventListener("keydown", pressed);
window.addEventListener("hashchange", () => apply(readAddress()));
// A picture that is taller than the window begins where its widest boxes are.
if (!inverted && window.scrollTo)
	window.scrollTo(0, root.getBoundingClientRect().height);
apply(readAddress());
})();
