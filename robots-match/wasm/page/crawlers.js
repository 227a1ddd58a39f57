// The crawlers that are asked about.

const PURPOSES = {
  search: "Search engines", "ai-search": "AI search", "ai-training": "AI training", "ai-data": "AI data",
  "ai-assistant": "AI assistants", "ai-agent": "AI agents", "ai-other": "Other AI", seo: "SEO tools", ads: "Advertising",
  archive: "Archives", social: "Social networks", other: "Other", unknown: "Unknown purpose",
};

let known = [];
const knownCrawler = (name) => known.find((one) => one.name.toLowerCase() === name.toLowerCase());

const describe = (name) => {
  if (name === "*") return "any crawler that no group names";
  const found = knownCrawler(name);
  if (!found) return "not in the catalogue";
  const purpose = PURPOSES[found.purpose] || found.purpose;
  const operator = found.operator ? `${found.operator}, ` : "";
  return `${operator}${purpose}${found.obeysWildcard ? "" : "; ignores groups for *"}${found.isVerified ? "" : "; unverified"}`;
};

const fillCrawlerLists = () => {
  byId("known").replaceChildren(...known.map((one) => element("option", { value: one.name, label: describe(one.name) })));
  const present = Object.keys(PURPOSES).filter((purpose) => known.some((one) => one.purpose === purpose));
  byId("purpose").append(...present.map((purpose) => {
    const count = known.filter((one) => one.purpose === purpose).length;
    return element("option", { value: purpose }, `${PURPOSES[purpose]} (${count})`);
  }));
};

// Adds crawlers that are not there yet. Returns what was wrong, or an empty text.
const addCrawlers = (names) => {
  for (const name of names) {
    if (name.length > MOST_NAME) return "This name is too long.";
    try {
      probe.check(name, "/");
    } catch (error) {
      return error.message;
    }
    if (state.crawlers.includes(name)) continue;
    if (state.crawlers.length >= MOST_CRAWLERS) return `At most ${MOST_CRAWLERS} crawlers are shown. Remove some first.`;
    state.crawlers.push(name);
  }
  return "";
};

const drawCrawlers = () => {
  const chips = state.crawlers.map((name, at) => element("li", { className: "chip", title: describe(name) },
    element("span", {}, visible(name)),
    element("button", { type: "button", "aria-label": `Remove ${visible(name)}`, on: { click: () => {
      state.crawlers.splice(at, 1);
      refresh();
      const next = byId("crawlers").querySelectorAll("button");
      (next[Math.min(at, next.length - 1)] || byId("crawler")).focus();
    } } }, "×")));
  byId("crawlers").replaceChildren(...chips);
  byId("clear-crawlers").hidden = chips.length < 2;
};

const enterCrawler = () => {
  const name = byId("crawler").value.trim();
  if (name === "") return;
  const problem = addCrawlers([(knownCrawler(name) || { name }).name]);
  const meant = problem === "" && name !== "*" && !name.includes(",") ? suggest(name) : undefined;
  const hint = byId("crawler-hint");
  hint.replaceChildren(problem);
  if (meant && !knownCrawler(name)) {
    const instead = element("button", { type: "button", className: "link", on: { click: () => {
      state.crawlers = state.crawlers.filter((one) => one !== name);
      addCrawlers([meant]);
      hint.replaceChildren();
      refresh();
    } } }, meant);
    hint.replaceChildren(`“${visible(name)}” is not in the catalogue. Did you mean `, instead, "?");
  }
  if (problem === "") byId("crawler").value = "";
  refresh();
};
