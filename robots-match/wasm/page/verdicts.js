// The verdicts: each URL with a button for each crawler.

const word = (verdict) => (verdict.allowed ? "Allowed" : "Disallowed");

const REASONS = {
  "no-rule": "no rule matches",
  "no-group": "no group applies",
  "robots-txt": "/robots.txt is always allowed",
  "not-url": "neither a URL nor a path that begins with /",
};
// The module says in its text what a file is that is not a robots.txt file.
const reason = (verdict) => {
  if (verdict.rule) return `line ${verdict.rule.line}`;
  const [, found] = verdict.text.split(": the robots.txt is ");
  const why = REASONS[verdict.reason] || verdict.reason;
  return found ? `${why}: the file is ${found}` : why;
};

// Rules are compiled once for a text, a profile and a crawler.
const compiled = new Map();
const forget = () => {
  for (const { robots, rules } of compiled.values()) {
    for (const one of rules.values()) one.free();
    robots.free();
  }
  compiled.clear();
};
const fileOf = (index) => {
  const key = `${index} ${state.profile}`;
  let found = compiled.get(key);
  if (!found || found.text !== state.files[index]) {
    if (found) {
      for (const one of found.rules.values()) one.free();
      found.robots.free();
    }
    const text = state.files[index];
    const bytes = encode(text);
    found = { text, bytes, robots: new RobotsTxt(bytes, state.profile), rules: new Map() };
    compiled.set(key, found);
  }
  return found;
};
const rulesOf = (index, agent) => {
  const { robots, rules } = fileOf(index);
  if (!rules.has(agent)) rules.set(agent, robots.rules(agent));
  return rules.get(agent);
};

const selection = () => {
  const [url, crawler] = state.selected;
  const at = [Math.min(url, state.urls.length - 1), Math.min(crawler, state.crawlers.length - 1)];
  return at[0] < 0 || at[1] < 0 ? null : { at, url: state.urls[at[0]], agent: state.crawlers[at[1]] };
};

const symbol = (allowed) => element("span", { className: "symbol", "aria-hidden": "true" }, allowed ? "✓" : "✕");

const drawVerdicts = () => {
  const counts = { allowed: 0, disallowed: 0 };
  const chosen = selection();
  const other = state.files[1] === null ? null : 1 - state.shown;
  const rows = state.urls.map((url, row) => element("li", { className: "url" },
    element("p", { className: "address" }, visible(url)),
    element("ul", { className: "answers" }, ...state.crawlers.map((agent, column) => {
      const verdict = rulesOf(state.shown, agent).check(requested(url));
      counts[verdict.allowed ? "allowed" : "disallowed"] += 1;
      const second = other === null ? null : rulesOf(other, agent).check(requested(url));
      const differs = second !== null && second.allowed !== verdict.allowed;
      const isChosen = chosen !== null && chosen.at[0] === row && chosen.at[1] === column;
      const extra = differs ? `${word(second).toLowerCase()} in the ${other === 0 ? "first" : "second"} file` : null;
      return element("li", {}, element("button", {
        type: "button", className: `answer ${verdict.allowed ? "allowed" : "disallowed"}`, "aria-pressed": String(isChosen),
        data: { row, column }, on: { click: () => select(row, column) },
      }, symbol(verdict.allowed),
      element("span", { className: "who" }, visible(agent)),
      element("span", { className: "what" }, `${word(verdict)}: ${reason(verdict)}`),
      extra && element("span", { className: "other" }, extra)));
    }))));
  const held = document.activeElement && document.activeElement.closest("#verdicts .answer");
  byId("verdicts").replaceChildren(...rows);
  if (held) {
    const again = byId("verdicts").querySelector(`[data-row="${held.dataset.row}"][data-column="${held.dataset.column}"]`);
    if (again) again.focus();
  }
  const total = counts.allowed + counts.disallowed;
  const summary = total === 0 ? "Add a crawler and a URL to see verdicts." : `${counts.allowed} allowed, ${counts.disallowed} disallowed`;
  byId("summary").textContent = summary;
  return summary;
};

const select = (row, column) => {
  state.selected = [row, column];
  refresh();
  const chosen = selection();
  const verdict = rulesOf(state.shown, chosen.agent).check(requested(chosen.url));
  if (verdict.rule) editors[state.shown].reveal(verdict.rule.line);
};
