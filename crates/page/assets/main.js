// What is shown: by the part of the address after #, so that everything can be linked to.
let view = null;
const wanted = { text: "", states: new Set(), kinds: new Set(), test: null };

function show(name) {
  for (const part of ["overview", "finding", "coverage"]) $(`#view-${part}`).hidden = part !== name;
  for (const link of $$(".top nav a")) {
    const here = link.hash === `#${name}` || (name === "finding" && link.hash === "#findings");
    if (here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

function route() {
  view?.stop?.();
  view = null;
  hideTip();
  const [, name, rest] = /^#([a-z]+)-?(.*)$/.exec(decodeURIComponent(location.hash)) ?? [];
  if (name === "finding") {
    const index = data.findings.findIndex((finding) => finding.id === rest);
    if (index >= 0) {
      show("finding");
      view = new FindingView(data.findings[index], index);
      document.title = `${data.findings[index].headline} · Selvedge`;
      scrollTo(0, 0);
      return;
    }
    say("There is no such finding.");
  }
  document.title = `${data.project} · Selvedge`;
  if (name === "coverage") {
    const [, test, metric] = /^(\d*)-?(.*)$/.exec(rest);
    show("coverage");
    view = new CoverageView(test === "" ? -1 : Number(test), metric);
    return;
  }
  show("overview");
  if (name === "findings" && rest !== "") wanted.test = Number(rest);
  filter();
  if (name === "findings") $("#findings").scrollIntoView();
  if (name === "test") $(`#test-${Number(rest)}`)?.scrollIntoView();
}

/** Shows the tests and findings that are wanted. */
function filter() {
  const text = wanted.text.toLowerCase();
  const fits = (element) => text === "" || element.textContent.toLowerCase().includes(text);
  const stateOf = (test) => data.tests[test].state;
  const stateFits = (test) => wanted.states.size === 0 || wanted.states.has(stateOf(test));
  const testFits = (test) => wanted.test === null || wanted.test === test;
  let [findings, tests] = [0, 0];
  for (const item of $$(".findings > li")) {
    const test = Number(item.dataset.test);
    const kindFits = wanted.kinds.size === 0 || wanted.kinds.has(item.dataset.kind);
    item.hidden = !(fits(item) && kindFits && stateFits(test) && testFits(test));
    findings += item.hidden ? 0 : 1;
  }
  for (const row of $$(".tests tbody tr")) {
    row.hidden = !(fits(row) && stateFits(Number(row.dataset.test)));
    tests += row.hidden ? 0 : 1;
  }
  for (const [id, count] of [["#no-findings", findings], ["#no-tests", tests]]) if ($(id)) $(id).hidden = count > 0;
  const chip = $("#test-filter");
  if (chip) {
    chip.hidden = wanted.test === null;
    chip.textContent = wanted.test === null ? "" : `only ${data.tests[wanted.test]?.name ?? ""} ✕`;
  }
  say(`${plural(findings, "finding")}, ${plural(tests, "test")}`);
}

function chips(name, set) {
  for (const chip of $$(`.chip[data-${name}]`)) {
    chip.addEventListener("click", () => {
      if (!set.delete(chip.dataset[name])) set.add(chip.dataset[name]);
      chip.setAttribute("aria-pressed", set.has(chip.dataset[name]));
      filter();
    });
  }
}

/** Dark or light: as the system is, until somebody says otherwise. */
function theme(chosen) {
  if (chosen) document.documentElement.dataset.theme = chosen;
  try {
    if (chosen) localStorage.setItem("selvedge-theme", chosen);
    else if (localStorage.getItem("selvedge-theme")) document.documentElement.dataset.theme = localStorage.getItem("selvedge-theme");
  } catch {
    // Pages of files may have no storage; then the choice holds for this page.
  }
}

function otherTheme() {
  const now = document.documentElement.dataset.theme
    ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  theme(now === "dark" ? "light" : "dark");
}

function help() {
  if ($("#help").open) $("#help").close();
  else $("#help").showModal();
}

function key(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if ($("#help").open) {
    if (event.key === "?") help();
    return;
  }
  const writes = event.target.matches("input:not([type=range]), select, textarea");
  if (event.key === "Escape") {
    if (writes) event.target.blur();
    else if (location.hash !== "#overview") location.hash = "#overview";
    return;
  }
  if (writes) return;
  // Buttons are pressed by the space bar, and the slider has keys of its own that mean the same.
  if (event.key === " " && event.target.matches("button, a, summary")) return;
  if (view?.key?.(event)) return event.preventDefault();
  const keys = { "?": help, t: otherTheme, "/": () => { location.hash = "#overview"; show("overview"); $("#search").focus(); } };
  if (!keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
}

theme();
for (const element of $$("[data-number]")) element.textContent = number(Number(element.textContent));
for (const time of $$("time[data-seconds]")) {
  const date = new Date(Number(time.dataset.seconds) * 1000);
  time.dateTime = date.toISOString();
  time.textContent = date.toLocaleString("en", { dateStyle: "medium", timeStyle: "short" });
}
chips("state", wanted.states);
chips("kind", wanted.kinds);
$("#search").addEventListener("input", (event) => { wanted.text = event.target.value; filter(); });
$("#test-filter")?.addEventListener("click", () => { wanted.test = null; filter(); });
$("#theme").addEventListener("click", otherTheme);
$("#help-button").addEventListener("click", help);
addEventListener("keydown", key);
addEventListener("hashchange", route);
route();
