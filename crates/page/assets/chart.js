// How coverage grew, as steps, with where it stood still and how much is thought to be left.
function growthChart(metric, executions, others) {
  const [width, height, left, right, top, bottom] = [640, 240, 52, 16, 16, 34];
  const last = metric.growth[metric.growth.length - 1] ?? [0, 0];
  const most = Math.max(executions, last[0], 1, ...others.map((other) => other.executions));
  const unseen = metric.remaining?.unseen ?? 0;
  const highest = Math.max(metric.covered_count + Math.max(unseen, metric.uncovered_count), 1) * 1.06;
  const x = (execution) => left + (execution / most) * (width - left - right);
  const y = (covered) => height - bottom - (covered / highest) * (height - top - bottom);
  const steps = (growth, end) => growth.reduce(
    (path, [execution, covered]) => `${path}H${x(execution).toFixed(1)}V${y(covered).toFixed(1)}`, `M${x(0)} ${y(0)}`) + `H${x(end)}`;
  const path = steps(metric.growth, Math.max(executions, last[0]));
  const picture = svg("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img",
    "aria-label": `${metric.name}: ${metric.covered_count} requirements after ${executions} executions` });
  for (const tick of ticks(highest)) {
    picture.append(svg("line", { class: "grid", x1: left, x2: width - right, y1: y(tick), y2: y(tick) }),
      svg("text", { class: "tick", x: left - 8, y: y(tick) + 4, "text-anchor": "end" }, number(tick)));
  }
  for (const tick of ticks(most)) {
    picture.append(svg("text", { class: "tick", x: x(tick), y: height - bottom + 16, "text-anchor": "middle" }, number(tick)));
  }
  picture.append(svg("text", { class: "tick", x: (left + width - right) / 2, y: height - 3, "text-anchor": "middle" }, "executions"));
  if (unseen >= 0.5) {
    const all = metric.covered_count + unseen;
    picture.append(
      svg("rect", { class: "unseen-band", x: left, width: width - left - right, y: y(all), height: y(metric.covered_count) - y(all) }),
      svg("line", { class: "estimate", x1: left, x2: width - right, y1: y(all), y2: y(all) }),
      svg("text", { class: "tick", x: width - right - 4, y: y(all) - 5, "text-anchor": "end" }, `estimated ${number(Math.round(all))}`));
  }
  picture.append(svg("path", { class: "area", d: `${path}V${y(0)}H${x(0)}z` }));
  others.forEach((other, index) => picture.append(
    svg("path", { class: `curve other ${other.lane}`, d: steps(other.growth, other.executions) }, svg("title", {}, other.name))));
  picture.append(svg("path", { class: "curve", d: path }));
  const saturated = metric.remaining?.saturated;
  if (saturated !== undefined) {
    const atEnd = x(saturated) > width * 0.7;
    picture.append(
      svg("line", { class: "saturated", x1: x(saturated), x2: x(saturated), y1: top, y2: height - bottom }),
      svg("circle", { class: "saturated-knob", cx: x(saturated), cy: y(coveredAt(metric, saturated)), r: 4.5 }),
      svg("text", { class: "tick strong", x: x(saturated) + (atEnd ? -8 : 8), y: height - bottom - 10, "text-anchor": atEnd ? "end" : "start" },
        `saturated after ${number(saturated)}`));
  }
  return el("figure", {}, picture);
}

function coveredAt(metric, execution) {
  return metric.growth.filter(([at]) => at <= execution).pop()?.[1] ?? 0;
}

/** Round numbers from 0 up, about four of them. */
function ticks(highest) {
  const rough = highest / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5, 10].find((factor) => factor * power >= rough) * power);
  const all = [];
  for (let tick = 0; tick <= highest; tick += step) all.push(tick);
  return all;
}
