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
// Returns the name of the document by which a crawler is read, or a file without a crawler.
const documentFor = (agent) => {
  if (state.profile !== AUTO) return state.profile;
  return agent === null ? profiles[0].name : documentOf(agent);
};
const fileOf = (index, agent = null) => {
  const profile = documentFor(agent);
  const key = `${index} ${profile}`;
  let found = compiled.get(key);
  if (!found || found.text !== state.files[index]) {
    if (found) {
      for (const one of found.rules.values()) one.free();
      found.robots.free();
    }
    const text = state.files[index];
    const bytes = encode(text);
    found = { text, bytes, robots: new RobotsTxt(bytes, profile), rules: new Map() };
    compiled.set(key, found);
  }
  return found;
};
const rulesOf = (index, agent) => {
  const { robots, rules } = fileOf(index, agent);
  if (!rules.has(agent)) rules.set(agent, robots.rules(agent));
  return rules.get(agent);
};

const selection = () => {
  const [url, crawler] = state.selected;
  const at = [Math.min(url, state.urls.length - 1), Math.min(crawler, state.crawlers.length - 1)];
  return at[0] < 0 || at[1] < 0 ? null : { at, url: state.urls[at[0]], agent: state.crawlers[at[1]] };
};

// The explanation, which moves to the URL that is chosen.
const why = byId("why");

const symbol = (allowed) => element("span", { className: "symbol", "aria-hidden": "true" }, allowed ? "✓" : "✕");

// The crawlers of a URL that have the same verdict for the same reason.
const groupsOf = (url) => {
  const groups = new Map();
  const other = state.files[1] === null ? null : 1 - state.shown;
  state.crawlers.forEach((agent, column) => {
    const verdict = rulesOf(state.shown, agent).check(requested(url));
    const second = other === null ? null : rulesOf(other, agent).check(requested(url));
    const differs = second !== null && second.allowed !== verdict.allowed;
    const key = JSON.stringify([verdict.allowed, reason(verdict), differs]);
    if (!groups.has(key)) groups.set(key, { verdict, second: differs ? second : null, other, members: [] });
    groups.get(key).members.push({ agent, column });
  });
  // What is disallowed is looked for.
  return [...groups.values()].sort((one, two) => one.verdict.allowed - two.verdict.allowed);
};

const drawVerdicts = () => {
  const counts = { allowed: 0, disallowed: 0 };
  const chosen = selection();
  const only = byId("only").checked;
  const rows = state.urls.map((url, row) => {
    const groups = groupsOf(url);
    for (const { verdict, members } of groups) counts[verdict.allowed ? "allowed" : "disallowed"] += members.length;
    const isChosen = (column) => chosen !== null && chosen.at[0] === row && chosen.at[1] === column;
    const shown = groups.filter(({ verdict, members }) => !only || !verdict.allowed || members.some(({ column }) => isChosen(column)));
    if (shown.length === 0) return null;
    const answers = shown.map(({ verdict, second, other, members }) => element("li", { className: `group ${verdict.allowed ? "allowed" : "disallowed"}` },
      element("p", { className: "what" }, symbol(verdict.allowed), `${word(verdict)}: ${reason(verdict)}`),
      second && element("p", { className: "other" }, `${word(second).toLowerCase()} in the ${other === 0 ? "first" : "second"} file`),
      element("ul", { className: "members" }, ...members.map(({ agent, column }) => element("li", {}, element("button", {
        type: "button", className: "answer", "aria-pressed": String(isChosen(column)), title: describe(agent),
        data: { row, column }, on: { click: () => select(row, column) },
      }, visible(agent)))))));
    const isHere = chosen !== null && chosen.at[0] === row;
    // The explanation is beside the question.
    return element("li", { className: "url" },
      element("p", { className: "address" }, visible(url)),
      element("ul", { className: "answers" }, ...answers), isHere ? why : null);
  }).filter(Boolean);
  const held = document.activeElement && document.activeElement.closest("#verdicts .answer");
  byId("verdicts").replaceChildren(...rows);
  if (!why.isConnected) byId("verdicts-section").append(why);
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
  why.scrollIntoView({ block: "nearest" });
};
