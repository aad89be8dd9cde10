// SPDX-License-Identifier: MIT
//
// Time: a strip of all chosen lanes, a lane for each thread, a heat map of short steps. Dragging
// in any of them chooses a range that all views follow; with Shift held, a second one to compare.

const LANE = 24;
const MOST_LANES = 500;

// Samples of lanes by bins of time, a sum for each.
function binSamples(samples, lanes, from, step, nr) {
	const bins = new Float64Array(nr);

	for (const lane of lanes)
		for (let k = firstFrom(samples, lane, from); k < lane.end; k++) {
			const bin = Math.floor((samples.time[k] - from) / step);
			if (bin >= nr)
				break;
			bins[bin] += samples.count ? samples.count[k] : 1;
		}
	return bins;
}

class TimeCanvas {
	// how: {draw(pen, width, height), timeAt(x, y, width, height)}; on.range(range, second).
	constructor(canvas, span, how, on) {
		this.canvas = canvas;
		this.span = span;
		this.how = how;
		this.on = on;
		this.from = null;
		canvas.addEventListener("pointerdown", (e) => this.begin(e));
		canvas.addEventListener("pointermove", (e) => this.move(e));
		canvas.addEventListener("pointerup", (e) => this.finish(e));
		canvas.addEventListener("pointercancel", () => { this.from = null; });
	}

	draw() {
		const ratio = window.devicePixelRatio || 1;
		const { canvas } = this;

		this.width = canvas.clientWidth;
		this.height = canvas.clientHeight;
		canvas.width = Math.round(this.width * ratio);
		canvas.height = Math.round(this.height * ratio);
		const pen = canvas.getContext("2d");
		pen.setTransform(ratio, 0, 0, ratio, 0, 0);
		pen.fillStyle = themeColors().back;
		pen.fillRect(0, 0, this.width, this.height);
		if (this.width)
			this.how.draw(pen, this.width, this.height);
	}

	timeOf(e) {
		return this.how.timeAt(e.offsetX, e.offsetY, this.width, this.height);
	}

	begin(e) {
		if (e.button)
			return;
		this.canvas.setPointerCapture(e.pointerId);
		this.from = { x: e.offsetX, y: e.offsetY, time: this.timeOf(e) };
	}

	range(e) {
		const to = this.timeOf(e);

		return [Math.min(this.from.time[0], to[0]), Math.max(this.from.time[1], to[1])];
	}

	move(e) {
		if (this.from)
			this.on.dragged(this.range(e), e.shiftKey);
	}

	finish(e) {
		if (!this.from)
			return;
		const still = Math.abs(e.offsetX - this.from.x) + Math.abs(e.offsetY - this.from.y) < 3;
		const range = this.range(e);
		this.from = null;
		this.on.range(still ? null : range, e.shiftKey);
	}
}

class Timeline {
	// on: {range(range, second), lanes(list or null)}.
	constructor(model, parts, on) {
		const { samples, head } = model.profile;
		const still = { range: (r, second) => this.chosen(r, second),
			dragged: (r, second) => this.dragged(r, second) };

		this.model = model;
		this.on = on;
		this.parts = parts;
		this.samples = samples;
		this.step = head.time.quantum;
		this.span = Math.max(1, head.time.last + 1);
		this.drag = null;
		const flat = (draw) => ({ draw, timeAt: (x, y, width) => this.column(x, width) });
		this.strip = new TimeCanvas(parts.strip, this.span,
			flat((pen, w, h) => this.drawStrip(pen, w, h)), still);
		this.lanes = new TimeCanvas(parts.lanes, this.span,
			flat((pen, w, h) => this.drawLanes(pen, w, h)), still);
		this.heat = new TimeCanvas(parts.heat, this.span, {
			draw: (pen, w, h) => this.drawHeat(pen, w, h),
			timeAt: (x, y, w, h) => this.heatTime(x, y, w, h),
		}, still);
	}

	// The times of the pixel column x.
	column(x, width) {
		const step = this.span / Math.max(1, width);
		const at = Math.max(0, Math.min(width - 1, Math.floor(x)));

		return [Math.floor(at * step), Math.ceil((at + 1) * step)];
	}

	dragged(range, second) {
		this.drag = { range, second };
		this.drawAll();
	}

	chosen(range, second) {
		this.drag = null;
		this.on.range(range, second);
	}

	// The lanes of the measure's event, the busiest first.
	lanesOf(state) {
		const { event } = this.model.measure(state);
		const size = (i) => this.samples.lanes[i].end - this.samples.lanes[i].first;

		return this.samples.lanes.map((_, i) => i)
			.filter((i) => this.samples.lanes[i].event === event)
			.sort((a, b) => size(b) - size(a) || a - b);
	}

	draw(state, whole) {
		this.state = state;
		this.whole = whole;
		this.shown = this.lanesOf(state);
		if (whole)
			this.listLanes(state);
		this.drawAll();
	}

	drawAll() {
		this.strip.draw();
		if (this.whole) {
			this.lanes.draw();
			this.heat.draw();
		}
	}

	chosenLanes() {
		const { lanes } = this.state;
		const chosen = lanes ? this.shown.filter((i) => lanes.includes(i)) : this.shown;

		return chosen.map((i) => this.samples.lanes[i]);
	}

	drawBins(pen, bins, top, height, color) {
		const most = bins.reduce((a, b) => Math.max(a, b), 0);

		pen.fillStyle = color;
		for (let x = 0; x < bins.length; x++)
			if (bins[x]) {
				const h = Math.max(1, bins[x] / most * height);
				pen.fillRect(x, top + height - h, 1, h);
			}
	}

	drawRanges(pen, width, height) {
		const colors = themeColors();
		const { range, range2 } = this.state;
		const mark = (r, color) => {
			if (!r)
				return;
			pen.fillStyle = color;
			pen.fillRect(r[0] / this.span * width, 0,
				Math.max(2, (r[1] - r[0]) / this.span * width), height);
		};

		mark(range, colors.range);
		mark(range2, colors.range2);
		if (this.drag)
			mark(this.drag.range, this.drag.second ? colors.range2 : colors.range);
	}

	drawStrip(pen, width, height) {
		const nr = Math.floor(width);
		const bins = binSamples(this.samples, this.chosenLanes(), 0, this.span / nr, nr);

		this.drawBins(pen, bins, 2, height - 4, themeColors().bar);
		this.drawRanges(pen, width, height);
	}

	drawLanes(pen, width, height) {
		const colors = themeColors();
		const nr = Math.floor(width);

		this.shown.slice(0, MOST_LANES).forEach((i, row) => {
			const bins = binSamples(this.samples, [this.samples.lanes[i]], 0,
				this.span / nr, nr);
			pen.fillStyle = row % 2 ? colors.back : colors.quiet;
			pen.fillRect(0, row * LANE, width, LANE);
			this.drawBins(pen, bins, row * LANE + 2, LANE - 4, colors.bar);
		});
		this.drawRanges(pen, width, height);
	}

	laneName(i) {
		const [pid, tid, comm] = this.model.profile.head.threads[this.samples.lanes[i].thread];

		return comm + " " + (pid === tid ? tid : pid + "/" + tid);
	}

	listLanes(state) {
		const items = this.shown.slice(0, MOST_LANES).map((i) => {
			const lane = this.samples.lanes[i];
			const box = element("input", { type: "checkbox", onchange: () => this.toggle(i) });
			box.checked = !state.lanes || state.lanes.includes(i);
			const name = this.laneName(i);
			return element("li", {}, element("label", {
				title: name + ": " + whole.format(lane.end - lane.first) + " samples",
			}, box, " " + name), element("button", {
				type: "button", title: "Only this thread", "aria-label": "Only " + name,
				onclick: () => this.on.lanes(this.shown.length > 1 ? [i] : null),
			}, "only"));
		});
		const left = this.shown.length - items.length;

		this.parts.names.replaceChildren(...items);
		this.parts.lanes.style.height = Math.max(1, items.length) * LANE + "px";
		this.parts.note.textContent = left > 0 ? left + " lanes more are not shown" : "";
	}

	toggle(i) {
		const now = this.state.lanes || this.shown;
		const next = now.includes(i) ? now.filter((k) => k !== i) : [...now, i];

		this.on.lanes(next.length === this.shown.length ? null : next.sort((a, b) => a - b));
	}

	// Columns of a round length, rows of a fiftieth of it.
	heatShape() {
		const ns = this.span * this.step;
		const lengths = [1e6, 1e7, 1e8, 1e9, 1e10, 6e10, 6e11];
		const length = lengths.find((l) => ns / l <= 400) || ns / 400;
		const columns = Math.max(1, Math.ceil(ns / length));

		return { columns, rows: 50, length: length / this.step };
	}

	heatTime(x, y, width, height) {
		const { columns, rows, length } = this.heatShape();
		const cell = (v, size, nr) => Math.max(0, Math.min(nr - 1, Math.floor(v / size * nr)));
		const at = cell(x, width, columns) * length +
			(rows - 1 - cell(y, height, rows)) * length / rows;

		return [Math.floor(at), Math.ceil(at + length / rows)];
	}

	drawHeat(pen, width, height) {
		const { columns, rows, length } = this.heatShape();
		const bins = binSamples(this.samples, this.chosenLanes(), 0, length / rows,
			columns * rows);
		const most = Math.max(1, bins.reduce((a, b) => Math.max(a, b), 0));
		const w = width / columns, h = height / rows;
		const marks = [[this.state.range, 45], [this.state.range2, 210]];

		if (this.drag)
			marks.push([this.drag.range, this.drag.second ? 210 : 45]);
		for (let i = 0; i < bins.length; i++) {
			const at = i * length / rows;
			const mark = marks.find(([r]) => r && at >= r[0] && at < r[1]);
			const x = Math.floor(i / rows) * w;
			const y = height - (i % rows + 1) * h;
			if (!bins[i] && !mark)
				continue;
			const depth = Math.sqrt(bins[i] / most);
			pen.fillStyle = isDark()
				? `hsl(${mark ? mark[1] : 10} ${mark ? 70 : 75}% ${14 + 50 * depth}%)`
				: `hsl(${mark ? mark[1] : 10} 85% ${94 - 52 * depth}%)`;
			pen.fillRect(x, y, Math.max(1, w - (w > 4 ? 0.5 : 0)), Math.max(1, h));
		}
		this.parts.heatNote.textContent = "A column is " +
			roundText(length * this.step) + ", a row " +
			roundText(length * this.step / rows) + "; time runs up, then right.";
	}
}
