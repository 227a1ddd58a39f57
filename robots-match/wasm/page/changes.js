// The differences of two files: for each crawler a path in each direction, or that nothing changes.

const MOST_STATES = 50_000;
const MOST_MILLISECONDS = 1500;

const witnessLine = (verdict, index) => (verdict.rule
  ? [element("button", { type: "button", className: "link", on: { click: () => editors[index].go(verdict.rule.line) } }, `line ${verdict.rule.line}`), " ", ruleText(verdict.rule)]
  : [reason(verdict)]);

const drawDirection = (title, change, crawlers) => {
  if (change.result === "nothing") return null;
  if (change.result === "undecided") {
    return element("li", { className: "change" }, element("p", {}, `${title}: not decided. The search reached its limit.`));
  }
  const { path, before, after, isShortest } = change.witness;
  const ask = element("button", { type: "button", on: { click: () => {
    if (!state.urls.includes(path)) {
      if (state.urls.length >= MOST_URLS) state.urls.pop();
      state.urls.push(path);
    }
    for (const name of crawlers.slice(0, 1)) addCrawlers([name]);
    state.selected = [state.urls.indexOf(path), Math.max(0, state.crawlers.indexOf(crawlers[0]))];
    byId("urls").value = state.urls.join("\n");
    refresh();
  } } }, "Ask about this path");
  return element("li", { className: `change ${after.allowed ? "allowed" : "disallowed"}` },
    element("p", {}, element("span", { className: `badge ${after.allowed ? "allowed" : "disallowed"}` }, symbol(after.allowed), title),
      " ", code(visible(path)), isShortest ? element("span", { className: "faint" }, " the shortest such path") : null),
    element("dl", {}, element("dt", {}, "First file"), element("dd", {}, `${word(before)}: `, ...witnessLine(before, 0)),
      element("dt", {}, "Second file"), element("dd", {}, `${word(after)}: `, ...witnessLine(after, 1))), ask);
};

const drawChanges = () => {
  byId("changes-section").hidden = state.files[1] === null;
  if (state.files[1] === null) return;
  const names = new Map();
  const inFiles = [0, 1].flatMap((index) => fileOf(index).robots.namedCrawlers());
  for (const name of ["*", ...state.crawlers, ...inFiles]) names.set(name.toLowerCase(), names.get(name.toLowerCase()) || name);
  const until = performance.now() + MOST_MILLISECONDS;
  const found = new Map();
  let left = 0;
  for (const name of names.values()) {
    if (performance.now() > until) {
      left += 1;
      continue;
    }
    const difference = rulesOf(0, name).difference(rulesOf(1, name), MOST_STATES);
    // Crawlers with the same changes are shown together.
    const key = JSON.stringify(difference);
    if (!found.has(key)) found.set(key, { difference, crawlers: [] });
    found.get(key).crawlers.push(name);
  }
  const all = [...found.values()];
  const changed = all.filter(({ difference }) => !difference.isNothing);
  const same = all.filter(({ difference }) => difference.isNothing).flatMap(({ crawlers }) => crawlers);
  const crawlerList = (crawlers) => visible(crawlers.map((name) => (name === "*" ? "* (crawlers that neither file names)" : name)).join(", "));
  const rows = changed.map(({ difference, crawlers }) => element("li", { className: "crawler" },
    element("h3", {}, crawlerList(crawlers)),
    element("ul", {}, drawDirection("Newly disallowed", difference.newlyDisallowed, crawlers),
      drawDirection("Newly allowed", difference.newlyAllowed, crawlers))));
  if (same.length > 0) {
    rows.push(element("li", { className: "crawler" }, element("h3", {}, crawlerList(same)),
      element("p", {}, "Nothing changes. This is proved for every path, not sampled.")));
  }
  if (left > 0) rows.push(element("li", {}, `${plural(left, "crawler")} not compared, because the time for this page was used up.`));
  byId("changes").replaceChildren(...rows);
  const count = changed.flatMap(({ crawlers }) => crawlers).length;
  byId("change-count").textContent = count === 0 && left === 0 ? "Nothing changes for any crawler" : `Changes for ${plural(count, "crawler")} of ${names.size}`;
};
