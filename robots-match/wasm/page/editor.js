// The text of a file with line numbers, colours, marks and corrections. A text field takes the input; everything else is
// drawn beside and below it and is hidden from screen readers, which read the field and the list of findings.

const KEY = /^([ \t]*)([^:#]*)(:?)([^#]*)(#.*)?$/u;
const KINDS = { "user-agent": "agent", allow: "allow", disallow: "disallow" };
const MOST_RAIL = 200;

// The number of lines that are drawn before and after those that are seen.
const SPARE = 25;

class Editor {
  constructor(index) {
    const root = byId(`editor-${index}`);
    this.index = index;
    this.field = root.querySelector("textarea");
    this.gutter = root.querySelector(".gutter");
    this.drawn = root.querySelector(".drawn");
    this.rail = root.querySelector(".rail");
    this.lines = [];
    this.marks = new Map();
    this.shown = null;
    this.undo = [];
    this.field.addEventListener("scroll", () => this.follow());
    this.rail.addEventListener("scroll", () => {
      if (this.rail.scrollTop !== this.field.scrollTop) this.field.scrollTop = this.rail.scrollTop;
    });
    this.gutter.addEventListener("click", (event) => {
      const line = event.target.closest("[data-line]");
      if (line !== null) this.go(Number(line.dataset.line));
    });
    new ResizeObserver(() => this.follow()).observe(this.field);
  }

  get height() {
    return parseFloat(getComputedStyle(this.field).lineHeight);
  }

  // Draws the lines that are seen, at the place where the field shows them.
  follow() {
    const { height, field } = this;
    const first = Math.floor(field.scrollTop / height);
    const last = Math.ceil((field.scrollTop + field.clientHeight) / height);
    if (this.shown === null || first < this.shown[0] || last > this.shown[1]) {
      const from = Math.max(0, first - SPARE);
      const to = Math.min(this.lines.length, last + SPARE);
      this.shown = [from === 0 ? -Infinity : from, to === this.lines.length ? Infinity : to];
      this.from = from;
      const lines = this.lines.slice(from, to);
      this.drawn.firstElementChild.replaceChildren(...lines.map((text, at) => drawLine(text, this.marks.get(from + at + 1))));
      this.gutter.firstElementChild.replaceChildren(...lines.map((_, at) => element("div",
        { className: markClass(this.marks.get(from + at + 1)), data: { line: from + at + 1 } }, String(from + at + 1))));
    }
    const down = this.from * height - field.scrollTop;
    this.drawn.firstElementChild.style.transform = `translate(${-field.scrollLeft}px, ${down}px)`;
    this.gutter.firstElementChild.style.transform = `translateY(${down}px)`;
    this.rail.scrollTop = field.scrollTop;
  }

  set text(text) {
    if (this.field.value !== text) this.field.value = text;
  }

  // Replaces a range, and remembers the text before.
  replace(text, message) {
    this.undo.push(this.field.value);
    this.field.value = text;
    this.field.dispatchEvent(new Event("input", { bubbles: true }));
    const back = element("button", { type: "button", on: { click: () => {
      const before = this.undo.pop();
      if (before === undefined) return;
      this.field.value = before;
      this.field.dispatchEvent(new Event("input", { bubbles: true }));
      showNotice("The correction was undone.");
    } } }, "Undo");
    showNotice(message, back);
  }

  // Moves the caret to a line and shows it.
  go(line) {
    const lines = this.field.value.split("\n");
    const start = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
    this.field.focus();
    this.field.setSelectionRange(start, start + (lines[line - 1] || "").length);
    this.reveal(line);
  }

  reveal(line) {
    const { height } = this;
    const top = (line - 1) * height;
    const inside = top >= this.field.scrollTop && top + 2 * height <= this.field.scrollTop + this.field.clientHeight;
    if (!inside) this.field.scrollTop = Math.max(0, top - this.field.clientHeight / 3);
    this.follow();
  }

  // Draws the text. `marks` maps line numbers to what is shown there.
  draw(marks) {
    this.lines = this.field.value.split("\n");
    this.marks = marks;
    this.shown = null;
    this.drawRail(marks, this.lines.length);
    this.follow();
  }

  // Draws the corrections beside their lines.
  drawRail(marks, count) {
    const fixes = [...marks].filter(([, mark]) => mark.fix).slice(0, MOST_RAIL);
    const height = element("div", { className: "height" });
    height.style.height = `calc(var(--line) * ${count})`;
    const buttons = fixes.map(([line, mark]) => {
      const button = element("button", { type: "button", title: mark.help,
        "aria-label": `Fix line ${line}: ${mark.help}`, on: { click: mark.fix } }, "Fix");
      button.style.top = `calc(var(--line) * ${line - 1})`;
      return button;
    });
    height.append(...buttons);
    this.rail.replaceChildren(height);
    this.rail.hidden = buttons.length === 0;
  }
}

const markClass = (mark) => (mark ? [mark.verdict, mark.severity, mark.changed && "changed"] : []).filter(Boolean).join(" ");

const drawLine = (text, mark) => {
  const line = element("div", { className: markClass(mark) });
  const [, space, key, colon, value, comment] = KEY.exec(text) || [null, "", text, "", "", ""];
  const kind = colon ? KINDS[key.trim().toLowerCase()] || "other" : "plain";
  line.append(space, element("span", { className: `key ${kind}` }, key), colon, element("span", { className: "value" }, value || ""));
  if (comment) line.append(element("span", { className: "comment" }, comment));
  if (mark && mark.note) line.append(element("span", { className: `beside ${mark.severity}` }, mark.note));
  line.append("\n");
  return line;
};
