// The differences of two files: for each crawler a path for each rule that causes a change, or that nothing changes.

const MOST_STATES = 50_000;
const MOST_MILLISECONDS = 1500;
// The most changes of a crawler in each direction.
const MOST_CHANGES = 20;

const witnessLine = (verdict, index) => (verdict.rule
  ? [element("button", { type: "button", className: "link", on: { click: () => editors[index].go(verdict.rule.line) } }, `line ${verdict.rule.line}`), " ", ruleText(verdict.rule)]
  : [reason(verdict)]);

// Returns why a verdict changes, in words.
const causeText = ({ cause, line }) => {
  if (cause === "added") return [`Line ${line} of the second file is new for the crawler.`];
  if (cause === "removed") return [`Line ${line} of the first file is gone for the crawler.`];
  return ["Both files have the rules, and other groups or another order make the difference."];
};

const drawChange = (change, crawlers) => {
  const { path, before, after, isShortest } = change;
  const ask = element("button", { type: "button", on: { click: () => {
    if (!state.urls.includes(path)) {
      if (state.urls.length >= MOST_URLS) state.urls.pop();
      state.urls.push(path);
    }
    for (const name of crawlers.slice(0, 1)) addCrawlers([name]);
    state.selected = [state.urls.indexOf(path), Math.max(0, state.crawlers.indexOf(crawlers[0]))];
    byId("urls").value = state.urls.join("\n");
    refresh();
    byId("why").scrollIntoView({ block: "nearest" });
  } } }, "Ask about this path");
  const title = after.allowed ? "Newly allowed" : "Newly disallowed";
  return element("li", { className: `change ${after.allowed ? "allowed" : "disallowed"}` },
    element("p", {}, element("span", { className: `badge ${after.allowed ? "allowed" : "disallowed"}` }, symbol(after.allowed), title),
      " ", code(visible(path)), isShortest ? element("span", { className: "faint" }, " the shortest such path") : null),
    element("p", {}, ...causeText(change)),
    element("dl", {}, element("dt", {}, "First file"), element("dd", {}, `${word(before)}: `, ...witnessLine(before, 0)),
      element("dt", {}, "Second file"), element("dd", {}, `${word(after)}: `, ...witnessLine(after, 1))), ask);
};

const drawUndecided = (title) => element("li", { className: "change" },
  element("p", {}, `${title}: not decided. The search reached its limit.`));

const drawIncomplete = (title) => element("li", { className: "change" },
  element("p", {}, `${title}: not complete. Other rules may change paths, too.`));

// Returns the numbers of the lines of each file that the other one does not have at this place.
const changedLines = () => {
  const [one, other] = state.files.map((text) => text.split("\n"));
  let start = 0;
  while (start < one.length && start < other.length && one[start] === other[start]) start += 1;
  let ends = [one.length, other.length];
  while (ends[0] > start && ends[1] > start && one[ends[0] - 1] === other[ends[1] - 1]) ends = ends.map((end) => end - 1);
  const parts = [one.slice(start, ends[0]), other.slice(start, ends[1])];
  const kept = commonLines(parts);
  return parts.map((part, index) => {
    const changed = new Set();
    part.forEach((_, at) => { if (!kept[index].has(at)) changed.add(start + at + 1); });
    return changed;
  });
};

// The most pairs of lines that are compared. The lines of longer files are kept if the other file has them anywhere.
const MOST_PAIRS = 4_000_000;

// Returns the positions of the lines of a longest common sequence in both parts.
const commonLines = ([one, other]) => {
  if (one.length * other.length > MOST_PAIRS) {
    return [[one, other], [other, one]].map(([own, others]) => {
      const all = new Set(others);
      return new Set([...own.keys()].filter((at) => all.has(own[at])));
    });
  }
  const width = other.length + 1;
  const lengths = new Uint32Array((one.length + 1) * width);
  for (let a = one.length - 1; a >= 0; a -= 1) {
    for (let b = other.length - 1; b >= 0; b -= 1) {
      lengths[a * width + b] = one[a] === other[b] ? lengths[(a + 1) * width + b + 1] + 1
        : Math.max(lengths[(a + 1) * width + b], lengths[a * width + b + 1]);
    }
  }
  const kept = [new Set(), new Set()];
  for (let a = 0, b = 0; a < one.length && b < other.length;) {
    if (one[a] === other[b]) {
      kept[0].add(a);
      kept[1].add(b);
      a += 1;
      b += 1;
    } else if (lengths[(a + 1) * width + b] >= lengths[a * width + b + 1]) a += 1;
    else b += 1;
  }
  return kept;
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
    const changes = fileOf(0, name).robots.changes(fileOf(1, name).robots, name, MOST_CHANGES, MOST_STATES);
    // Crawlers with the same changes are shown together.
    const key = JSON.stringify(changes);
    if (!found.has(key)) found.set(key, { changes, crawlers: [] });
    found.get(key).crawlers.push(name);
  }
  const all = [...found.values()];
  const isSame = ({ changes: { list, undecided } }) => list.length === 0 && undecided.length === 0;
  const changed = all.filter((one) => !isSame(one));
  const same = all.filter(isSame).flatMap(({ crawlers }) => crawlers);
  const crawlerList = (crawlers) => visible(crawlers.map((name) => (name === "*" ? "* (crawlers that neither file names)" : name)).join(", "));
  const rows = changed.map(({ changes: { list, undecided, incomplete }, crawlers }) => element("li", { className: "crawler" },
    element("h3", {}, crawlerList(crawlers)),
    element("ul", {}, ...list.map((change) => drawChange(change, crawlers)), ...undecided.map(drawUndecided),
      ...incomplete.map(drawIncomplete))));
  if (same.length > 0) {
    rows.push(element("li", { className: "crawler" }, element("h3", {}, crawlerList(same)),
      element("p", {}, "Nothing changes. This is proved for every path, not sampled.")));
  }
  if (left > 0) rows.push(element("li", {}, `${plural(left, "crawler")} not compared, because the time for this page was used up.`));
  byId("changes").replaceChildren(...rows);
  const count = changed.flatMap(({ crawlers }) => crawlers).length;
  const number = changed.reduce((sum, { changes: { list } }) => sum + list.length, 0);
  byId("change-count").textContent = count === 0 && left === 0 ? "Nothing changes for any crawler"
    : `${plural(number, "change")} for ${plural(count, "crawler")} of ${names.size}`;
};
