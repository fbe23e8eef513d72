// Coverage: the metrics of a test, how they grew, what was covered and what was not, by file.
function knownOf(metric) {
  return metric.covered_count + Math.max(metric.uncovered_count, Math.round(metric.remaining?.unseen ?? 0));
}

function bar(covered, of) {
  const percent = of === 0 ? 100 : Math.floor((covered * 100) / of);
  return el("span", { class: "bar", "aria-hidden": "true" }, el("span", { style: `width:${percent}%` }));
}

class CoverageView {
  constructor(testIndex, metricName) {
    const measured = [...data.tests.keys()].filter((index) => data.tests[index].metrics?.length);
    const view = $("#view-coverage");
    const title = el("h1", { id: "coverage-title" }, "Coverage");
    if (measured.length === 0) {
      view.replaceChildren(title, el("p", { class: "muted" }, "No metric was kept. Run ", el("code", {}, "cargo selvedge coverage"), " first."));
      return;
    }
    this.index = measured.includes(testIndex) ? testIndex : measured[0];
    this.test = data.tests[this.index];
    const select = el("select", { id: "coverage-test", onchange: () => (location.hash = `#coverage-${select.value}`) },
      measured.map((index) => el("option", { value: index, selected: index === this.index }, testName(data.tests[index]))));
    this.metric = this.test.metrics.find((metric) => metric.name === metricName)
      ?? this.test.metrics.find((metric) => knownOf(metric) > metric.covered_count) ?? this.test.metrics[0];
    view.replaceChildren(title,
      el("p", { class: "choose" }, el("label", { for: "coverage-test" }, "Test "), select,
        el("span", { class: "muted" }, ` ${plural(this.test.executions, "execution")}`)),
      el("div", { class: "metrics" }, this.test.metrics.map((metric) => this.metricLink(metric))),
      this.details(), this.strategies() ?? "");
  }

  metricLink(metric) {
    const of = knownOf(metric);
    return el("a", { class: "metric", href: `#coverage-${this.index}-${encodeURIComponent(metric.name)}`, "aria-current": metric === this.metric && "true" },
      el("span", { class: "metric-name" }, metric.name), bar(metric.covered_count, of),
      el("span", { class: "of" }, `${number(metric.covered_count)} of ${number(of)}`),
      el("span", { class: "muted about" }, metric.about));
  }

  details() {
    const metric = this.metric;
    const left = metric.remaining;
    const words = [`${plural(metric.covered_count, "requirement")} covered`];
    if (metric.uncovered_count) words.push(`${number(metric.uncovered_count)} known and not covered`);
    if (left) words.push(`about ${number(Math.round(left.unseen))} unseen by estimate`, `the next execution covers something new with probability ${left.next.toPrecision(2)}`);
    if (left?.saturated !== undefined) words.push(`saturated after ${plural(left.saturated, "execution")}`);
    return el("section", { class: "card" }, el("h2", {}, metric.name), el("p", { class: "muted" }, words.join(" · ")),
      growthChart(metric, this.test.executions, this.rivals()),
      this.requirements("Not covered", metric.uncovered, metric.uncovered_count, true),
      this.requirements("Covered", metric.covered, metric.covered_count, metric.uncovered_count === 0));
  }

  /** Requirements by the file of their first place. */
  requirements(title, list, count, open) {
    if (count === 0) return null;
    const files = new Map();
    for (const requirement of list) {
      const place = requirement.parts.find((part) => part.place !== undefined)?.place;
      const file = place === undefined ? "elsewhere" : data.files[data.places[place].file].name;
      files.set(file, [...(files.get(file) ?? []), requirement]);
    }
    const cut = count - list.length;
    return el("section", { class: title === "Covered" ? "reached" : "missed" }, el("h3", {}, `${title} (${number(count)})`),
      [...files].sort(([a], [b]) => (a < b ? -1 : 1)).map(([file, some], index) => {
        const box = el("details", { open: open && index === 0 }, el("summary", {}, el("code", {}, file), el("span", { class: "count" }, number(some.length))));
        const fillIn = () => box.childElementCount === 1 && box.append(el("ul", { class: "requirements" }, some.map((one) => this.requirement(one))));
        box.addEventListener("toggle", fillIn);
        if (box.open) fillIn();
        return box;
      }),
      cut > 0 ? el("p", { class: "muted" }, `${number(cut)} more are in the report that --format json makes.`) : null);
  }

  requirement(requirement) {
    const item = el("li", {});
    const shown = el("div", { class: "shown" });
    requirement.parts.forEach((part, index) => {
      if (index > 0) item.append(", ");
      if (part.text) item.append(part.text, part.place === undefined ? "" : " ");
      if (part.place === undefined) return;
      item.append(el("button", { type: "button", class: "link", "aria-label": `Show ${fullPlace(part.place)}`,
        onclick: () => {
          const again = shown.dataset.place === String(part.place);
          shown.replaceChildren(...(again ? [] : [source(part.place, 4)]));
          shown.dataset.place = again ? "" : part.place;
        } }, shortPlace(part.place)));
    });
    item.append(shown);
    return item;
  }

  /** What each strategy has reached of the metric that is shown. */
  rivals() {
    return (this.test.strategies ?? []).map((one, index) => {
      const reached = one.metrics.find((other) => other.metric === this.metric.name);
      return { ...one, lane: `t${(index + 2) % 8}`, covered: reached?.covered ?? 0, growth: reached?.growth ?? [] };
    });
  }

  strategies() {
    const all = this.rivals();
    if (all.length === 0) return null;
    const most = Math.max(...all.map((one) => one.covered));
    const heads = ["Strategy", "Executions", "Findings", `Covered of ${this.metric.name}`];
    return el("section", { class: "card" }, el("h2", {}, "Strategies"),
      el("p", { class: "muted" }, "The last run of each on the same build; their curves are above."),
      el("div", { class: "scroll" }, el("table", {},
        el("thead", {}, el("tr", {}, heads.map((head, index) => el("th", { scope: "col", class: (index === 1 || index === 2) && "number" }, head)))),
        el("tbody", {}, all.map((one) => el("tr", {},
          el("th", { scope: "row" }, el("span", { class: `dot ${one.lane}`, "aria-hidden": "true" }), one.name),
          el("td", { class: "number" }, number(one.executions)), el("td", { class: "number" }, number(one.findings)),
          el("td", {}, bar(one.covered, most), ` ${number(one.covered)}`)))))));
  }
}
