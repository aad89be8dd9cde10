// SPDX-License-Identifier: MIT
//
// The stack chart: stacks of one thread from left to right as time goes on. A frame that stays on
// the stack from one sample to the next is one box. A click chooses the box's time as the range, and
// where boxes are too narrow to draw, a tenth of the time around it.

const GAP = 4; // a thread without a sample for so many usual steps did not run

// The lane that is drawn: the chosen one, or the one of most samples in the range among those that
// are shown.
function chartLane(model, timeline, state) {
	const lanes = timeline.lanesOf(state);

	if (lanes.includes(state.lane))
		return state.lane;
	const { samples } = model.profile;
	const [from, to] = state.range || [-Infinity, Infinity];
	let most = -1, best = -1;
	for (const i of lanes) {
		const lane = samples.lanes[i];
		const nr = firstFrom(samples, lane, to) - firstFrom(samples, lane, from);
		if (nr > most && (!state.lanes || state.lanes.includes(i))) {
			most = nr;
			best = i;
		}
	}
	return best;
}

function fillLanes(model, timeline, state) {
	const lanes = timeline.lanesOf(state).slice(0, MOST_LANES);
	const lane = chartLane(model, timeline, state);

	byId("lane").replaceChildren(...lanes.map((i) =>
		element("option", { value: String(i) }, timeline.laneName(i))));
	byId("lane").value = String(lane);
}

// The usual time between two samples of a lane: half of the steps are shorter.
function usualStep(samples, lane) {
	const steps = [];
	const stride = Math.max(1, Math.floor((lane.end - lane.first) / 2000));

	for (let k = lane.first + 1; k < lane.end; k += stride)
		steps.push(samples.time[k] - samples.time[k - 1]);
	steps.sort((a, b) => a - b);
	return Math.max(1, steps[steps.length >> 1] || 1);
}

// Calls box(node, depth, from, to) for each frame and the times in which it stays on the stack,
// outer frames first. A frame of the same function that is called anew in between, with no sample
// outside, cannot be told from one that stayed.
function walkChart(tree, samples, lane, range, box) {
	const most = GAP * usualStep(samples, lane);
	const first = firstFrom(samples, lane, range[0]);
	const end = firstFrom(samples, lane, range[1]);
	const open = [], since = [];
	let until = 0;

	const close = (depth, at) => {
		while (open.length > depth) {
			const node = open.pop();
			box(node, open.length + 1, since.pop(), at);
		}
	};
	for (let k = first; k < end; k++) {
		const base = samples.node[k];
		let node = tree.map ? tree.map[base] : base;
		const at = samples.time[k];

		if (node === NOTHING)
			node = 0;
		if (at > until)
			close(0, until);
		const depth = tree.depth[node];
		let same = Math.min(depth, open.length);
		const path = [];
		for (let i = node; i; i = tree.parent[i])
			path.push(i);
		path.reverse();
		for (let d = 0; d < same; d++)
			if (open[d] !== path[d])
				same = d;
		close(same, at);
		for (let d = same; d < depth; d++) {
			open.push(path[d]);
			since.push(at);
		}
		const next = k + 1 < lane.end ? samples.time[k + 1] : at + most / GAP;
		until = Math.min(next - at > most ? at + most / GAP : next, range[1]);
	}
	close(0, until);
}

class Chart extends Flame {
	// The times of the boxes are kept with them.
	layOut(view) {
		const { samples } = view.model.profile;
		const lane = samples.lanes[view.lane];
		const range = view.state.range || [0, view.model.profile.head.time.last + 1];
		const scale = this.width / Math.max(1, range[1] - range[0]);
		const left = new Map();

		this.boxes = [];
		this.deepest = 0;
		if (!lane)
			return;
		walkChart(view.tree, samples, lane, range, (node, depth, from, to) => {
			const x = (from - range[0]) * scale;
			const w = (to - from) * scale;

			this.deepest = Math.max(this.deepest, depth);
			if (w < THINNEST)
				this.leaveOut(this.boxes, left, depth, x, Math.max(w, 0.1));
			else
				this.boxes.push({ node, depth, x, w, time: [from, to] });
		});
		byId("chart-note").textContent = view.tree === view.model.profile.tree ? ""
			: "Steps that were taken shape the stacks.";
	}

	click(e) {
		const box = this.boxAt(e);

		if (!box)
			return;
		if (box.node < 0) {
			this.magnify(e.offsetX / this.width);
			return;
		}
		this.select(box.node);
		if (!e.shiftKey && !e.ctrlKey)
			this.on.range([Math.floor(box.time[0]), Math.ceil(box.time[1])]);
	}

	// Chooses a tenth of the time that is shown, around a place from 0 to 1 in it.
	magnify(place) {
		const { state, model } = this.view();
		const [from, to] = state.range || [0, model.profile.head.time.last + 1];
		const length = Math.max(1, Math.round((to - from) / 10));
		const start = Math.round(from + place * (to - from) - length / 2);
		const first = Math.max(from, Math.min(to - length, start));

		this.on.range([first, first + length]);
	}

	// Enter zooms to the first time of the selected frame.
	key(e) {
		const box = this.boxes.find((b) => b.node === this.selected && b.time);

		if (e.key !== "Enter") {
			super.key(e);
		} else if (box) {
			this.on.range([Math.floor(box.time[0]), Math.ceil(box.time[1])]);
			e.preventDefault();
			e.stopPropagation();
		}
	}
}
