// SPDX-License-Identifier: MIT
//
// Figures as text, and elements of the page. Text enters the page as text nodes only.

const whole = new Intl.NumberFormat("en");

function percentText(part, all) {
	return (all ? 100 * part / all : 0).toFixed(2) + " %";
}

function signedPercent(share) {
	return (share < 0 ? "\u2212" : "+") + Math.abs(100 * share).toFixed(2) + " %";
}

// A weight in the measure's own unit.
function weightText(model, measure, value, side) {
	const figure = value * measure.units[Math.min(side, measure.units.length - 1)];

	if (measure.unit === "ns")
		return durationText(figure);
	return whole.format(figure) + (measure.unit === "samples" && figure === 1
		? " sample" : measure.unit === "samples" ? " samples" : "");
}

function durationText(ns) {
	for (const [unit, size] of [["s", 1e9], ["ms", 1e6], ["\u00b5s", 1e3]])
		if (Math.abs(ns) >= size)
			return (ns / size).toFixed(3) + " " + unit;
	return whole.format(ns) + " ns";
}

// The same without zeros at the end: 20 ms.
function roundText(ns) {
	return durationText(ns).replace(/(\.\d*?)0+ /, "$1 ").replace(". ", " ");
}

// A time of the recording in seconds since its first sample, exact enough for `step` ns.
function timeText(ns, step) {
	const places = Math.min(9, Math.max(0, Math.ceil(9 - Math.log10(step || 1))));

	return (ns / 1e9).toFixed(places) + " s";
}

function byId(id) {
	return document.getElementById(id);
}

// An element with properties, data and children, which are elements or text.
function element(tag, properties, ...children) {
	const made = document.createElement(tag);

	for (const [key, value] of Object.entries(properties || {})) {
		if (key.startsWith("on"))
			made.addEventListener(key.slice(2), value);
		else if (key === "class")
			made.className = value;
		else if (typeof value === "boolean")
			made.toggleAttribute(key, value);
		else
			made.setAttribute(key, value);
	}
	made.append(...children);
	return made;
}

// A name without what is in <> and in the () of its arguments, and without the type before it, which
// tells the functions of C++ apart least: "std::map::insert".
function briefName(text) {
	const ends = { "<": ">", "(": ")" };
	const open = [];
	let brief = "";

	if (text.length > 2000 || !/[<(]/.test(text) || text[0] === "[") // an object: [memfd:a (deleted)]
		return text;
	const whole = text.replaceAll("(anonymous namespace)", "{anonymous}");
	const operator = /\boperator *(\(\)|[^\w\s(]+|[\w ]+)/.exec(whole);
	for (const c of operator ? whole.slice(0, operator.index) : whole) {
		if (ends[c])
			open.push(ends[c]);
		else if (c === open[open.length - 1])
			open.pop();
		else if (!open.length)
			brief += c;
	}
	const words = brief.split(" ").filter((word) => word && word !== "const");
	const last = operator && brief.endsWith(" ") ? "" : words.pop() || "";
	return open.length ? text : last + (operator ? operator[0] : "") || text;
}

// A name in so many letters: the end of a brief name says most.
function labelText(text, length) {
	if (text.length <= length)
		return text;
	const brief = briefName(text);
	if (brief.length <= length)
		return brief;
	if (brief === text && /[<(]/.test(text))
		return shorten(text, length);
	const parts = brief.split("::");
	let end = parts.pop();
	if (!parts.length || end.length + 1 > length)
		return shorten(end || brief, length);
	while (parts[parts.length - 1].length + end.length + 3 <= length)
		end = parts.pop() + "::" + end;
	return "\u2026" + end;
}

// Names that begin like long ones differ at their ends: a title has the whole name.
function shorten(text, length) {
	if (text.length <= length)
		return text;
	const head = Math.ceil((length - 1) * 2 / 3);
	return text.slice(0, head) + "\u2026" + text.slice(text.length - (length - 1 - head));
}
