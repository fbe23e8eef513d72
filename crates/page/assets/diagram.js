// The interleaving: a lane a thread, time goes down, arrows for what comes before what.
const ROW = 34;
const TOP = 10;
const LEFT = 46; // The numbers of the steps.
const CHANNEL = 40; // Room for arrows to the left of each lane.
const CHARACTER = 7.2;
const LONGEST = 40;

const REASONS = {
  spawn: "spawns it", join: "has ended, is joined", lock: "gives the lock back", message: "the message",
  wake: "wakes it", value: "the value that is read", done: "is done",
};

/** Draws a finding. `choose(row)` is called when somebody points at a row of it. */
class Diagram {
  constructor(finding, choose) {
    this.finding = finding;
    this.choose = choose;
    this.open = new Set();
    this.conflict = new Set(finding.conflict);
    this.element = el("div", { class: "diagram", role: "group", "aria-label": "What happened, step by step" });
    this.draw();
  }

  /** The rows that are shown: those of folds that were opened follow their fold. */
  layRows() {
    this.rows = [];
    this.finding.rows.forEach((row, index) => {
      this.rows.push({ ...row, index });
      if (this.open.has(index)) for (const hidden of row.hidden) this.rows.push({ ...hidden, within: index });
    });
    this.position = new Map(this.rows.map((row, shown) => [row.index, shown]).filter(([index]) => index !== undefined));
  }

  label(row) {
    const place = row.place === undefined ? "" : shortPlace(row.place);
    return { text: clip(row.text, LONGEST), place: clip(place, 24) };
  }

  layLanes() {
    const widths = this.finding.lanes.map((lane) => Math.max(9, clip(lane.label, 22).length));
    for (const row of this.rows) {
      const { text, place } = this.label(row);
      const length = text.length + (place ? place.length * 0.92 + 1.5 : 0);
      if (row.lane !== undefined) widths[row.lane] = Math.max(widths[row.lane], length);
    }
    let x = LEFT;
    this.x = widths.map((width) => {
      const lane = x + CHANNEL;
      x = lane + 22 + width * CHARACTER + 10;
      return lane;
    });
    this.width = Math.max(x + 4, 320);
    this.height = TOP + this.rows.length * ROW + 8;
  }

  y(shown) {
    return TOP + shown * ROW + ROW / 2;
  }

  draw() {
    this.layRows();
    this.layLanes();
    const picture = svg("svg", { width: "100%", height: this.height, style: `min-width:${this.width}px` });
    const id = `head-${this.finding.id}`;
    picture.append(svg("defs", {},
      ["", "-on"].map((on) => svg("marker", {
        id: id + on, class: `head${on}`, viewBox: "0 0 8 8", refX: 6.5, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto",
      }, svg("path", { d: "M0 .8 7 4 0 7.2z" })))));
    this.band = svg("rect", { class: "band", x: 0, width: "100%", height: ROW, y: 0 });
    picture.append(this.band);
    this.drawLives(picture);
    this.arrows = this.drawArrows(picture, id);
    this.groups = this.rows.map((row, shown) => this.drawRow(row, shown));
    picture.append(...this.groups);
    this.element.replaceChildren(this.drawHeads(), picture);
  }

  drawHeads() {
    const heads = svg("svg", { class: "heads", width: "100%", height: 46, style: `min-width:${this.width}px` });
    this.finding.lanes.forEach((lane, index) => {
      heads.append(svg("g", { class: `t${index % 8}` },
        svg("circle", { class: "knob", cx: this.x[index], cy: 31, r: 5 }),
        svg("text", { class: "lane-name", x: this.x[index] + 14, y: 22 }, clip(lane.label, 24)),
        svg("text", { class: "lane-place", x: this.x[index] + 14, y: 38 },
          lane.spawned === undefined ? "" : `spawned at ${shortPlace(lane.spawned)}`),
        svg("title", {}, lane.label)));
    });
    return el("div", { class: "heads-frame" }, heads);
  }

  drawLives(picture) {
    this.finding.lanes.forEach((_, lane) => {
      const own = this.rows.map((row, shown) => (row.lane === lane ? shown : -1)).filter((shown) => shown >= 0);
      if (own.length === 0) return;
      const [first, last] = [own[0], own[own.length - 1]];
      const top = lane === 0 ? 0 : this.y(first);
      picture.append(svg("line", { class: `life t${lane % 8}`, x1: this.x[lane], x2: this.x[lane], y1: top, y2: this.y(last) }));
      for (const shown of own) {
        if (this.rows[shown].role === "end" || this.rows[shown].role === "race") continue;
        picture.append(svg("line", {
          class: `run t${lane % 8}`, x1: this.x[lane], x2: this.x[lane], y1: this.y(shown) - ROW / 2, y2: this.y(shown) + ROW / 2,
        }));
      }
    });
  }

  drawArrows(picture, id) {
    // Arrows that run down beside the same lane keep apart, the short ones nearest to it.
    const arrows = this.finding.arrows.map(([from, to, why]) => ({ from, to, why }));
    const taken = this.finding.lanes.map(() => []);
    const byLength = [...arrows].sort((a, b) => a.to - a.from - (b.to - b.from));
    for (const arrow of byLength) {
      const [from, to] = [this.position.get(arrow.from), this.position.get(arrow.to)];
      const lane = this.rows[to].lane;
      const clashes = (slot) => taken[lane].some((other) => other.slot === slot && from < other.to && other.from < to);
      arrow.slot = 0;
      while (arrow.slot < 3 && clashes(arrow.slot)) arrow.slot += 1;
      taken[lane].push({ from, to, slot: arrow.slot });
      arrow.path = svg("path", { class: `arrow why-${arrow.why}`, d: this.route(arrow, from, to), "marker-end": `url(#${id})` },
        svg("title", {}, `${this.rows[from].text} → ${this.rows[to].text}: ${REASONS[arrow.why]}`));
      arrow.heads = [`url(#${id})`, `url(#${id}-on)`];
      picture.append(arrow.path);
    }
    return arrows;
  }

  /** Along the gap below the first row, down beside the lane, and into the second row. */
  route(arrow, from, to) {
    const [x1, x2] = [this.x[this.rows[from].lane], this.x[this.rows[to].lane]];
    const [y1, y2] = [this.y(from), this.y(to)];
    const side = x2 - 13 - arrow.slot * 6;
    const gap = y1 + ROW / 2 + (arrow.slot - 1) * 2;
    const turn = 5;
    const way = Math.sign(side - x1) || 1;
    return `M${x1} ${y1 + 6}V${gap - turn}Q${x1} ${gap} ${x1 + way * turn} ${gap}H${side - way * turn}` +
      `Q${side} ${gap} ${side} ${gap + turn}V${Math.max(y2 - turn, gap + turn)}Q${side} ${y2} ${side + turn} ${y2}H${x2 - 6}`;
  }

  drawRow(row, shown) {
    const y = this.y(shown);
    const lane = row.lane ?? 0;
    const x = this.x[lane];
    const matters = this.conflict.has(row.index);
    const { text, place } = this.label(row);
    const width = text.length * CHARACTER + (place ? place.length * CHARACTER * 0.92 + 10 : 0) + 14;
    const kinds = ["row", `t${lane % 8}`, row.role ?? "step"];
    if (matters) kinds.push("matters");
    if (row.within !== undefined) kinds.push("within");
    if (row.lane === undefined) kinds.push("nobody");
    const folded = row.role === "fold" && row.hidden?.length > 0;
    const group = svg("g", { class: kinds.join(" "), "data-row": shown },
      svg("rect", { class: "hit", x: 0, y: y - ROW / 2, width: "100%", height: ROW }),
      svg("text", { class: "step-number", x: LEFT - 12, y: y + 4 }, row.step && row.role !== "fold" ? String(row.step) : ""),
      svg("rect", { class: "box", x: x + 10, y: y - 12, width, height: 24, rx: 5 }),
      row.lane === undefined ? null : this.knob(row, matters, x, y),
      svg("text", { class: "what", x: x + 17, y: y + 4.5 }, (folded ? (this.open.has(row.index) ? "▾ " : "▸ ") : "") + text),
      place ? svg("text", { class: "where", x: x + 17 + text.length * CHARACTER + 10, y: y + 4.5 }, place) : null);
    group.addEventListener("click", () => (folded ? this.toggle(row.index) : this.choose(shown)));
    group.addEventListener("mouseenter", (event) => showTip(row, event));
    group.addEventListener("mousemove", moveTip);
    group.addEventListener("mouseleave", hideTip);
    return group;
  }

  knob(row, matters, x, y) {
    if (row.role === "end") return svg("path", { class: "knob", d: `M${x - 5} ${y - 5}l10 10m0-10l-10 10` });
    if (matters) return svg("path", { class: "knob", d: `M${x} ${y - 7}l7 7-7 7-7-7z` });
    return svg("circle", { class: "knob", cx: x, cy: y, r: row.role === "fold" ? 3 : 5 });
  }

  toggle(index) {
    const current = this.rows[this.current];
    if (!this.open.delete(index)) this.open.add(index);
    this.draw();
    // Whoever stood on a row stands on it still, if it is there.
    const same = this.rows.findIndex((row) => row.step === current?.step && row.text === current?.text);
    this.choose(same >= 0 ? same : this.position.get(index));
  }

  /** Marks a row as the one that is looked at; those after it have not happened yet. */
  select(shown) {
    this.current = shown;
    this.band.setAttribute("y", this.y(shown) - ROW / 2);
    this.groups.forEach((group, index) => {
      group.classList.toggle("selected", index === shown);
      group.classList.toggle("later", index > shown);
      group.setAttribute("aria-current", index === shown ? "step" : "false");
    });
    for (const arrow of this.arrows) {
      const [from, to] = [this.position.get(arrow.from), this.position.get(arrow.to)];
      const on = from === shown || to === shown;
      arrow.path.classList.toggle("on", on);
      arrow.path.classList.toggle("later", to > shown && !on);
      arrow.path.setAttribute("marker-end", arrow.heads[on ? 1 : 0]);
    }
  }

  /** Scrolls within the diagram so that the row can be seen. */
  reveal(shown) {
    const [y, box, heads] = [this.y(shown), this.element, 48];
    if (y < box.scrollTop + ROW) box.scrollTop = y - ROW * 2;
    if (y > box.scrollTop + box.clientHeight - heads - ROW) box.scrollTop = y - box.clientHeight + heads + ROW * 2;
    const row = this.rows[shown];
    if (row.lane === undefined) return;
    const left = this.x[row.lane] - CHANNEL;
    const right = this.x[row.lane] + 22 + this.label(row).text.length * CHARACTER;
    if (left < box.scrollLeft) box.scrollLeft = left - 10;
    if (right > box.scrollLeft + box.clientWidth) box.scrollLeft = Math.min(left - 10, right - box.clientWidth + 30);
  }
}

function showTip(row, event) {
  const tip = $("#tip");
  const place = row.place === undefined ? null : [
    el("span", { class: "where" }, fullPlace(row.place)),
    linesAround(row.place, 0).length ? source(row.place, 1) : null,
  ];
  tip.replaceChildren(el("strong", {}, row.text), ...[place].flat().filter(Boolean));
  tip.hidden = false;
  moveTip(event);
}

function moveTip(event) {
  const tip = $("#tip");
  const x = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8);
  const below = event.clientY + 18;
  const y = below + tip.offsetHeight > innerHeight ? event.clientY - tip.offsetHeight - 10 : below;
  tip.style.transform = `translate(${Math.max(4, x)}px, ${Math.max(4, y)}px)`;
}

function hideTip() {
  $("#tip").hidden = true;
}
