// The selected verdict: the four profiles side by side, and the explanation.

const SHOWN = 6;

const lineButton = (line, text) => element("button", { type: "button", className: "link", on: { click: () => editors[state.shown].go(line) } },
  text || `line ${line}`);

const ruleText = (rule) => code(visible(`${rule.effect === "allow" ? "Allow" : "Disallow"}: ${rule.pattern}`));

// The documents by their names: who follows them, and when to choose them.
const HELP = {
  [AUTO]: "Google's crawlers as Google's parser does, all others as the standard says. Choose it if you do not know which one.",
  rfc9309: "The standard of 2022: Bing, Yandex and most AI crawlers say that they follow it.",
  google: "What Google's parser does, which also reads misspelt lines such as Disalow. Choose it for Googlebot and Google's other crawlers.",
  "draft-koster-rep-00": "The draft before the standard, of 2019. A crawler obeys only the first group that names it. Choose it to see what software of 2019 to 2022 does.",
  "koster-1996": "The draft of 1996. The first rule that matches decides, * and $ have no meaning, and a blank line ends a group. Choose it for very old software.",
};
const followersOf = (name) => (profiles.find((one) => one.name === name) || { followers: name }).followers;
const upper = (text) => text.charAt(0).toUpperCase() + text.slice(1);

const drawProfiles = (chosen) => {
  const verdicts = fileOf(state.shown, chosen.agent).robots.verdictsByDocument(chosen.agent, requested(chosen.url));
  byId("profiles").replaceChildren(...profiles.map(({ name, followers }, at) => {
    const { verdict } = verdicts[at];
    return element("li", { className: `profile ${verdict.allowed ? "allowed" : "disallowed"}${name === documentFor(chosen.agent) ? " current" : ""}` },
      element("h4", {}, upper(followers)),
      element("p", { className: "followers" }, name),
      element("p", { className: "verdict" }, symbol(verdict.allowed), word(verdict)),
      verdict.rule
        ? element("p", {}, lineButton(verdict.rule.line), " ", ruleText(verdict.rule))
        : element("p", {}, reason(verdict)));
  }));
};

const STATUSES = {
  named: (group) => ["The group for ", code(visible(group.agents.join(", "))), " names this crawler (", lineButton(group.line), ")."],
  wildcard: (group) => ["No group names this crawler, so the group for ", code("*"), " applies (", lineButton(group.line), ")."],
  replaced: () => ["The group for ", code("*"), " does not apply, because another group names this crawler."],
  "wildcard-ignored": () => ["This crawler does not obey groups for ", code("*"), "."],
  "later-token": (group) => ["The group for ", code(visible(group.agents.join(", "))), " does not apply, because a group for an earlier name of this crawler does."],
  "not-first": () => ["A later group does not apply, because under this profile only the first one does."],
};

const outcome = ({ outcome: found, bytes }, explained) => {
  const [winner] = explained.matched;
  const counted = plural(bytes, "byte");
  switch (found) {
    case "decides":
      if (explained.matched.length === 1) return "decides: it is the only rule that matches";
      return explained.firstMatchDecides ? "decides: it is the first rule that matches" : `decides: it is the longest rule that matches (${counted})`;
    case "shorter": return `matches, but is shorter (${counted})`;
    case "other-kind": return "matches and is as long, but an Allow rule decides among equals";
    case "later": return `matches, but line ${winner.rule.line} comes first`;
    case "duplicate": return `is the same rule as line ${winner.rule.line}`;
    default: return found;
  }
};

const explain = (index) => {
  const { agent, url } = selection();
  return fileOf(index, agent).robots.explain(agent, requested(url));
};

const drawExplanation = () => {
  const explained = explain(state.shown);
  const items = [];
  const add = (...parts) => items.push(element("li", {}, ...parts));
  const more = (list) => { if (list.length > SHOWN) add(`${list.length - SHOWN} more like these`); };
  if (explained.verdict.reason === "robots-txt") {
    add(code("/robots.txt"), " itself is always allowed.");
  } else if (explained.verdict.reason === "not-url") {
    add("This is neither a URL nor a path. Write a URL such as ", code("https://example.com/page"), ", or a path that begins with ", code("/"), ".");
  } else {
    add("Patterns are compared with ", code(visible(explained.compared)), ".");
    if (explained.groups.length === 0) add("No group is for this crawler, so everything is allowed.");
    for (const group of explained.groups.slice(0, SHOWN)) add(...(STATUSES[group.status] || (() => [group.status]))(group));
    for (const matched of explained.matched.slice(0, SHOWN)) {
      const line = element("li", { className: matched.outcome === "decides" ? "decides" : "" },
        lineButton(matched.rule.line), " ", ruleText(matched.rule), ` ${outcome(matched, explained)}.`);
      items.push(line);
    }
    more(explained.matched);
    if (explained.verdict.reason === "no-rule") add("No rule that applies matches, so the URL is allowed.");
    for (const near of explained.nearMisses.slice(0, SHOWN)) {
      add(lineButton(near.rule.line), " ", ruleText(near.rule), near.kind === "slash"
        ? " would match with a slash at the end of the path." : " differs from the path only in upper and lower case.");
    }
    for (const rule of explained.otherMatches.slice(0, SHOWN)) {
      add(lineButton(rule.line), " ", ruleText(rule), " matches, but is in a group that does not apply.");
    }
    more(explained.otherMatches);
  }
  byId("explanation").replaceChildren(...items);
  return explained;
};

// Draws what the page itself says, if something of it was entered.
const drawPage = (chosen) => {
  const [fields, html] = ["page-fields", "page-html"].map((id) => byId(id).value);
  byId("page-answer").hidden = fields.trim() === "" && html.trim() === "";
  if (byId("page-answer").hidden) return;
  const { fetched, document: title, answers, problems } = fileOf(state.shown, chosen.agent).robots.page(chosen.agent, requested(chosen.url), fields, html, Date.now());
  byId("page-document").textContent = fetched ? `Read as ${title} says.`
    : "The crawler may not fetch the page, so it sees none of this; only the URL can be known, and may be listed.";
  const rows = fetched ? answers : [];
  byId("page-answers").replaceChildren(...rows.flatMap(({ question, text, limited, rule, source }) => [
    element("dt", {}, upper(question)),
    element("dd", { className: limited ? "limited" : "" }, limited ? symbol(false) : null, upper(text),
      !rule ? null : element("span", { className: "faint" }, " ", code(visible(rule)), ` ${visible(source)}`))]));
  byId("page-problems").replaceChildren(...problems.map((problem) => element("li", {}, ...sentence(problem))));
};

// Returns the explanation, whose rules are marked in the text.
const drawDetails = () => {
  const chosen = selection();
  byId("why").hidden = chosen === null;
  if (chosen === null) return null;
  const explained = drawExplanation();
  drawProfiles(chosen);
  drawPage(chosen);
  const { verdict } = explained;
  byId("why-title").replaceChildren(
    element("span", { className: `badge ${verdict.allowed ? "allowed" : "disallowed"}` }, symbol(verdict.allowed), word(verdict)),
    element("span", {}, visible(chosen.agent)), element("span", { className: "faint" }, describe(chosen.agent)));
  byId("why-url").textContent = visible(chosen.url);
  return explained;
};
