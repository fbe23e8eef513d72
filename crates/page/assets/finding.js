// A finding: what is wrong, how it came about, the source on both sides, how to see it again.
class FindingView {
  constructor(finding, index) {
    this.finding = finding;
    this.diagram = new Diagram(finding, (shown) => this.step(shown));
    this.panes = [this.pane(), this.pane()];
    this.active = 0;
    const test = data.tests[finding.test];
    const [kind, ...title] = finding.headline.split(": ");
    const before = data.findings[index - 1];
    const after = data.findings[index + 1];
    $("#view-finding").replaceChildren(
      el("p", { class: "crumbs" },
        el("a", { href: "#overview" }, "Overview"), " / ",
        el("a", { href: `#findings-${finding.test}` }, test.name), " / ", el("code", {}, finding.id),
        el("span", { class: "turn" },
          before ? el("a", { href: `#finding-${before.id}`, rel: "prev" }, "‹ before") : null,
          after ? el("a", { href: `#finding-${after.id}`, rel: "next" }, "next ›") : null)),
      el("h1", { id: "finding-title" }, el("span", { class: "kind" }, kind), title.join(": ")),
      finding.details?.length ? el("pre", { class: "details" }, finding.details.join("\n")) : "",
      el("div", { class: "two" }, this.explanation(), this.again()),
      this.player(),
      this.diagram.element,
      this.legend(),
      el("div", { class: "panes" }, this.panes.map((pane) => pane.element)),
      this.rest());
    this.step(Math.max(0, this.diagram.rows.findIndex((row) => this.diagram.conflict.has(row.index))));
  }

  explanation() {
    const { facts, notes, created } = this.finding;
    const fact = ({ text, place }) => el("li", {}, el("span", {}, text),
      place === undefined ? null : el("span", { class: "where", title: fullPlace(place) }, shortPlace(place)),
      place === undefined || linesAround(place, 0).length === 0 ? null
        : el("code", { class: "excerpt" }, coloured(linesAround(place, 0)[0][1].trim())));
    const group = (subject, some, calls = []) => el("div", { class: "facts" }, el("h3", {}, subject),
      el("ul", {}, some.map(fact), calls.map((call) => el("li", { class: "call" }, `in ${call}`))));
    return el("section", { class: "card", "aria-label": "What is wrong" },
      el("h2", {}, "What is wrong"),
      el("div", { class: "groups" }, facts.map((block) => group(block.subject, block.facts, block.calls)),
        created?.length ? group("created at", created) : null),
      (notes ?? []).map((note) => el("p", { class: "note" }, note)));
  }

  again() {
    const { command, schedule, execution, strategy, replayed, in_last_run } = this.finding;
    return el("section", { class: "card", "aria-label": "See it again" },
      el("h2", {}, "See it again"),
      el("div", { class: "command" }, el("pre", { tabindex: "0" }, command), copyButton(command, "the command")),
      el("p", {}, "The decisions that lead there:"),
      el("div", { class: "command" }, el("pre", { class: "schedule", tabindex: "0" }, schedule), copyButton(schedule, "the schedule")),
      el("p", { class: "muted" }, `Found in execution ${number(execution)} by ${strategy}. `,
        replayed ? "It came again when this schedule was run a second time."
          : "It did not come again, or there was no time to see: something else may decide as well.",
        in_last_run === false ? " The last run of the test has not met it." : ""));
  }

  player() {
    this.slider = el("input", { type: "range", min: 0, max: this.diagram.rows.length - 1, value: 0, "aria-label": "Step",
      oninput: () => this.step(Number(this.slider.value)) });
    this.playButton = el("button", { type: "button", class: "play", "aria-label": "Play", onclick: () => this.toggle() }, "▶");
    this.now = el("output", { class: "now" });
    const button = (name, label, onclick) => el("button", { type: "button", "aria-label": name, title: name, onclick }, label);
    return el("div", { class: "player" },
      el("h2", {}, "How it came about"),
      el("div", { class: "controls" },
        button("First step", "⇤", () => this.step(0)), button("Step before", "←", () => this.move(-1)),
        this.playButton, button("Next step", "→", () => this.move(1)),
        button("Last step", "⇥", () => this.step(this.diagram.rows.length - 1)),
        button("Next operation that matters", "◆", () => this.nextConflict())),
      this.slider, this.now);
  }

  legend() {
    const item = (mark, text) => el("span", {}, el("i", { class: `key ${mark}`, "aria-hidden": "true" }), text);
    return el("p", { class: "legend muted" },
      item("key-matters", "what matters most"), item("key-run", "runs"), item("key-hb", "comes before, by a lock, a message, a spawn or join"),
      item("key-value", "value that is read"),
      `${plural(this.finding.rows.filter((row) => (row.role ?? "step") === "step" || row.role === "release").length, "step")} of ${number(this.finding.steps)} shown`);
  }

  pane() {
    const title = el("h3", {});
    const body = el("div", { class: "pane-body" });
    return { lane: undefined, title, body, element: el("section", { class: "pane card" }, title, body) };
  }

  rest() {
    const { printed } = this.finding;
    return printed ? el("section", { class: "card" }, el("h2", {}, "What the test printed"), el("pre", { class: "printed", tabindex: "0" }, printed)) : "";
  }

  move(by) {
    this.step(this.diagram.current + by);
  }

  step(shown) {
    shown = Math.max(0, Math.min(this.diagram.rows.length - 1, shown));
    const row = this.diagram.rows[shown];
    if (!row) return;
    this.diagram.select(shown);
    this.diagram.reveal(shown);
    this.slider.max = this.diagram.rows.length - 1;
    this.slider.value = shown;
    const thread = row.lane === undefined ? "" : `thread ${this.finding.lanes[row.lane].label}: `;
    this.slider.setAttribute("aria-valuetext", thread + row.text);
    this.now.replaceChildren(el("b", {}, `${shown + 1}/${this.diagram.rows.length}`), ` ${thread}${row.text}`);
    this.showSources(shown);
  }

  /** Both panes show where their threads are; the one that moves is marked. */
  showSources(shown) {
    const lane = this.diagram.rows[shown].lane;
    const lanes = this.finding.lanes.length;
    if (this.panes[0].lane === undefined) this.choosePanes(lane ?? 0);
    if (lane !== undefined) {
      let active = this.panes.findIndex((pane) => pane.lane === lane);
      if (active < 0) {
        active = 1 - this.active;
        this.panes[active].lane = lane;
        // They stand in the order of the lanes.
        if (this.panes[0].lane > this.panes[1].lane) {
          [this.panes[0].lane, this.panes[1].lane] = [this.panes[1].lane, this.panes[0].lane];
          active = 1 - active;
        }
      }
      this.active = active;
    }
    this.panes.forEach((pane, index) => {
      pane.element.hidden = index === 1 && lanes < 2;
      const at = this.placeOf(pane.lane, shown);
      pane.element.className = `pane card t${(pane.lane ?? 0) % 8}${index === this.active ? " active" : ""}`;
      pane.title.replaceChildren(
        el("span", { class: "dot", "aria-hidden": "true" }), `thread ${this.finding.lanes[pane.lane]?.label ?? ""}`,
        at ? el("span", { class: "where" }, at.row.text) : "");
      if (pane.place === at?.row.place && pane.body.firstChild) return;
      pane.place = at?.row.place;
      pane.body.replaceChildren(at ? source(at.row.place) : el("p", { class: "muted gone" }, "It has not come to a line that is known."));
    });
  }

  /** The two threads that the finding is about, in the order of their lanes. */
  choosePanes(lane) {
    const about = this.finding.conflict.map((index) => this.finding.rows[index].lane).filter((it) => it !== undefined);
    const wanted = [...new Set([...about.reverse(), lane, ...this.finding.lanes.keys()])].slice(0, 2).sort((a, b) => a - b);
    this.panes.forEach((pane, index) => (pane.lane = wanted[index] ?? wanted[0]));
  }

  /** The last row of a thread, up to this one, whose line is known; else the first after it. */
  placeOf(lane, shown) {
    const known = (row) => row.lane === lane && row.place !== undefined;
    for (let index = shown; index >= 0; index -= 1) if (known(this.diagram.rows[index])) return { row: this.diagram.rows[index] };
    const later = this.diagram.rows.find(known);
    return later ? { row: { ...later, text: "has not come here yet" } } : null;
  }

  nextConflict() {
    const rows = this.diagram.rows;
    for (let i = 1; i <= rows.length; i += 1) {
      const shown = (this.diagram.current + i) % rows.length;
      if (this.diagram.conflict.has(rows[shown].index)) return this.step(shown);
    }
  }

  toggle() {
    if (this.timer) return this.stop();
    if (this.diagram.current >= this.diagram.rows.length - 1) this.step(0);
    this.playButton.textContent = "❚❚";
    this.playButton.setAttribute("aria-label", "Stop");
    this.timer = setInterval(() => {
      if (this.diagram.current >= this.diagram.rows.length - 1) this.stop();
      else this.move(1);
    }, 800);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = undefined;
    this.playButton.textContent = "▶";
    this.playButton.setAttribute("aria-label", "Play");
  }

  key(event) {
    const keys = {
      ArrowRight: () => this.move(1), ArrowDown: () => this.move(1), j: () => this.move(1),
      ArrowLeft: () => this.move(-1), ArrowUp: () => this.move(-1), k: () => this.move(-1),
      Home: () => this.step(0), End: () => this.step(this.diagram.rows.length - 1),
      c: () => this.nextConflict(), " ": () => this.toggle(),
      n: () => this.turn("next"), p: () => this.turn("prev"),
    };
    const act = keys[event.key];
    if (!act) return false;
    act();
    return true;
  }

  turn(where) {
    $(`#view-finding a[rel=${where}]`)?.click();
  }
}
