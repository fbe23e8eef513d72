// Lines of source, as they were when the report was made.
const WORDS = new Set(("as async await break const continue crate dyn else enum extern false fn for if impl in let " +
  "loop match mod move mut pub ref return self Self static struct super trait true type unsafe use where while").split(" "));
const TOKEN = /(\/\/.*$)|("(?:[^"\\]|\\.)*"?|b?'(?:[^'\\]|\\.)')|('[a-z_]\w*)|([A-Za-z_]\w*!?)|(\d\w*(?:\.\d\w*)?)/g;

/** A line with its words told apart. */
function coloured(text) {
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [token, comment, string, lifetime, word, digits] = match;
    const kind = comment ? "comment" : string ? "string" : lifetime || digits ? "literal"
      : WORDS.has(word) ? "word" : word.endsWith("!") ? "macro" : /^[A-Z]/.test(word) ? "type" : null;
    if (!kind) continue;
    parts.push(text.slice(end, match.index), el("span", { class: `s-${kind}` }, token));
    end = match.index + token.length;
  }
  return [...parts, text.slice(end)];
}

/** The lines around a place that the report has, as pairs of number and text. */
function linesAround(index, around) {
  const place = data.places[index];
  const excerpt = data.files[place.file].excerpts
    .find((some) => some.first <= place.line && place.line < some.first + some.lines.length);
  if (!excerpt) return [];
  const from = Math.max(place.line - around, excerpt.first);
  const to = Math.min(place.line + around, excerpt.first + excerpt.lines.length - 1);
  return Array.from({ length: to - from + 1 }, (_, i) => [from + i, excerpt.lines[from + i - excerpt.first]]);
}

/** An excerpt with the line of the place marked; says so if there is none. */
function source(index, around = 7) {
  const place = data.places[index];
  const lines = linesAround(index, around);
  if (lines.length === 0) {
    const file = data.files[place.file];
    const why = file.excerpts.length === 0
      ? `${file.name} could not be read when this report was made.`
      : `${file.name} had no line ${place.line} when this report was made.`;
    return el("p", { class: "muted gone" }, why);
  }
  const indent = Math.min(...lines.filter(([, text]) => text.trim()).map(([, text]) => text.search(/\S/)));
  return el("pre", { class: "source", tabindex: "0", "aria-label": fullPlace(index) },
    lines.map(([line, text]) => {
      const current = line === place.line;
      return el("span", { class: current ? "line current" : "line", "aria-current": current && "true" },
        el("span", { class: "line-number" }, String(line)),
        el("code", {}, coloured(text.slice(indent)), "\n"));
    }));
}
