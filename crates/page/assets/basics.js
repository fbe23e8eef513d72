// Everything that comes from the data goes into the page as text, never as markup.
const data = JSON.parse(document.getElementById("data").textContent);
const $ = (selector, from = document) => from.querySelector(selector);
const $$ = (selector, from = document) => [...from.querySelectorAll(selector)];

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

const el = (name, attributes, ...children) =>
  fill(document.createElement(name), attributes, children);
const svg = (name, attributes, ...children) =>
  fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);

const number = (value) => value.toLocaleString("en");
const plural = (count, noun) => `${number(count)} ${noun}${count === 1 ? "" : "s"}`;
const clip = (text, most) => (text.length > most ? text.slice(0, most - 1).trimEnd() + "…" : text);
const testName = (test) => `${test.binary} ${test.name}`;

/** `shop.rs:17`. */
function shortPlace(index) {
  const place = data.places[index];
  return `${data.files[place.file].short}:${place.line}`;
}

/** `src/shop.rs:17:9`. */
function fullPlace(index) {
  const place = data.places[index];
  return `${data.files[place.file].name}:${place.line}:${place.column}`;
}

/** Tells people who do not see the page what has changed. */
function say(text) {
  $("#said").textContent = text;
}

/** A button that puts a text on the clipboard. */
function copyButton(text, what) {
  const button = el("button", { type: "button", class: "copy", "aria-label": `Copy ${what}` }, "Copy");
  button.addEventListener("click", async () => {
    let copied = true;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // Pages of files may not be given the clipboard; the old way needs no permission.
      const area = el("textarea", { class: "unseen", readonly: true }, text);
      document.body.append(area);
      area.select();
      copied = document.execCommand("copy");
      area.remove();
    }
    button.textContent = copied ? "Copied" : "Not allowed";
    say(button.textContent);
    setTimeout(() => (button.textContent = "Copy"), 1500);
  });
  return button;
}
