// Elements. All text becomes text nodes, so nothing that is pasted, dropped or shared is ever read as HTML.

const byId = (id) => document.getElementById(id);

const element = (name, properties, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties || {})) {
    if (key === "on") {
      for (const [event, listener] of Object.entries(value)) made.addEventListener(event, listener);
    } else if (key.startsWith("aria-") || key === "role") {
      made.setAttribute(key, value);
    } else if (key === "data") {
      Object.assign(made.dataset, value);
    } else {
      made[key] = value;
    }
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
};

const code = (text) => element("code", {}, text);

// Shows a text of one line: control characters would hide or reorder what follows.
const visible = (text) => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (one) => `\\u{${one.codePointAt(0).toString(16)}}`);

// Returns a text of the module as a sentence, in which what is between backticks is code.
const sentence = (text) => {
  const parts = visible(text).split("`");
  const first = parts[0].charAt(0).toUpperCase() + parts[0].slice(1);
  const shown = [first, ...parts.slice(1)].map((part, at) => (at % 2 === 1 ? code(part) : part));
  return /[.!?]$/.test(text) ? shown : [...shown, "."];
};

const plural = (count, one, many) => `${count} ${count === 1 ? one : many || `${one}s`}`;

// A message for all, also for those who do not see the page.
let announced = 0;
const announce = (text) => {
  clearTimeout(announced);
  announced = setTimeout(() => { byId("status").textContent = text; }, 400);
};
const showNotice = (text, ...actions) => {
  const close = element("button", { type: "button", on: { click: () => { byId("notice").hidden = true; } } }, "Close");
  byId("notice").replaceChildren(element("span", {}, text), element("span", { className: "row" }, ...actions, close));
  byId("notice").hidden = text === "";
};
