// SPDX-License-Identifier: MIT
//
// Colors: of the theme, and of frames by kind, object, name or difference. Labels keep a contrast
// of at least 4.5 to 1 in both themes.

const KINDS = ["user", "kernel", "inlined", "run-time compiled", "unknown", "command"];
const KIND_COMMAND = 5;
const KIND_HUES = [38, 205, 95, 285, 0, 330];

let dark = false;

// Each drawing of the page asks for the theme once: the colors of thousands of boxes depend on it.
function readTheme() {
	const { theme } = document.documentElement.dataset;

	dark = theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

function isDark() {
	return dark;
}

function themeColors() {
	return isDark()
		? { back: "#16181d", text: "#f2f2f2", boxText: "#f4f4f4", left: "#4a4d55",
			hit: "#c040c0", hitText: "#ffffff", quiet: "#2a2e37", bar: "#5b8fd6",
			range: "rgba(255,200,80,0.30)", range2: "rgba(120,200,255,0.30)" }
		: { back: "#ffffff", text: "#111111", boxText: "#111111", left: "#b9bcc4",
			hit: "#f5a3f5", hitText: "#111111", quiet: "#eceef2", bar: "#3569b2",
			range: "rgba(230,150,0,0.28)", range2: "rgba(0,130,220,0.26)" };
}

function hashText(text) {
	let hash = 2166136261;

	for (let i = 0; i < text.length; i++)
		hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
	return (hash ^ (hash >>> 13)) >>> 0;
}

function boxColor(hue, saturation, spread) {
	return isDark() ? `hsl(${hue} ${saturation}% ${25 + spread * 8}%)`
		: `hsl(${hue} ${saturation + 15}% ${72 + spread * 10}%)`;
}

function kindColor(kind, hash) {
	return kind === 4 ? boxColor(0, 0, (hash % 64) / 64)
		: boxColor(KIND_HUES[kind] + (hash % 21) - 10, 50, (hash >>> 8) % 64 / 64);
}

function hashColor(hash) {
	return boxColor(hash % 360, 45, (hash >>> 9) % 64 / 64);
}

// Orange: more, blue: less; people who tell red from green badly see both.
function deltaColor(share) {
	const depth = Math.min(1, Math.sqrt(Math.abs(share) * 10));
	const hue = share > 0 ? 28 : 212;

	if (Math.abs(share) < 0.00005)
		return isDark() ? "hsl(220 6% 30%)" : "hsl(220 10% 90%)";
	return isDark() ? `hsl(${hue} ${30 + 50 * depth}% ${30 + 2 * depth}%)`
		: `hsl(${hue} ${50 + 45 * depth}% ${90 - 24 * depth}%)`;
}

// Colors of all names, made when first asked for.
class NameColors {
	constructor(model) {
		this.model = model;
		this.made = new Map();
	}

	of(name, way) {
		const key = `${way}${isDark()}`;
		let colors = this.made.get(key);

		if (!colors)
			this.made.set(key, colors = []);
		if (!colors[name])
			colors[name] = this.make(name, way);
		return colors[name];
	}

	make(name, way) {
		const { model } = this;
		const hash = hashText(model.names[name]);

		if (way === "object")
			return hashColor(hashText(model.objectOf(name)));
		if (way === "name")
			return hashColor(hash);
		return kindColor(model.profile.kind[name], hash);
	}
}
