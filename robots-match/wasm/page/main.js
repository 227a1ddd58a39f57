// Starts the module, listens to the fields and draws the page.

const { RobotsTxt, knownCrawlers, documents, documentOf, suggest } = wasm_bindgen;
let profiles = [];
// The values of the field for the document.
const choices = () => [AUTO, ...profiles.map(({ name }) => name)];
let probe = null;
let editors = [];

const DELAY = 80;
let waiting = 0;
const refreshSoon = () => {
  clearTimeout(waiting);
  waiting = setTimeout(refresh, DELAY);
};

// Marks the rule that decides, and other rules that match.
const markRules = (marks, explained) => {
  for (const matched of [...explained.matched].reverse()) {
    const mark = marks.get(matched.rule.line) || {};
    const decides = matched.outcome === "decides";
    mark.verdict = decides ? `decides ${explained.verdict.allowed ? "allowed" : "disallowed"}` : "matches";
    marks.set(matched.rule.line, mark);
  }
};

const refresh = () => {
  clearTimeout(waiting);
  const two = state.files[1] !== null;
  if (!two) state.shown = 0;
  document.body.classList.toggle("two", two);
  byId("second").hidden = !two;
  byId("compare").textContent = two ? "Close second file" : "Compare with a second file";
  byId("which").hidden = !two;
  byId(`which-${state.shown}`).checked = true;
  byId("profile").value = state.profile;
  byId("profile-help").textContent = HELP[state.profile] || "";
  drawCrawlers();
  const summary = drawVerdicts();
  const explained = drawDetails();
  const found = [0, two ? 1 : null].map((index) => (index === null ? null : findIn(index)));
  drawFindings(found[state.shown]);
  const changed = two ? changedLines() : null;
  found.forEach((one, index) => {
    if (one === null) return;
    const marks = one.marks;
    if (explained !== null) markRules(marks, index === state.shown ? explained : explain(index));
    if (changed !== null) for (const line of changed[index]) marks.set(line, { ...marks.get(line), changed: true });
    editors[index].draw(marks);
  });
  drawChanges();
  announce(`${summary}. ${byId("finding-count").textContent}.`);
  keepFragment();
};

const showState = () => {
  state.files.forEach((text, index) => { editors[index].text = text || ""; });
  byId("urls").value = state.urls.join("\n");
  refresh();
};

const setFile = (index, text) => {
  state.files[index] = text;
  editors[index].text = text;
};

// Takes over a view from outside. Returns what was wrong with its crawlers, or an empty text.
const adopt = (view) => {
  forget();
  Object.assign(state, view, { crawlers: [] });
  return addCrawlers(view.crawlers);
};

const openFiles = async (files, index) => {
  for (const [at, file] of [...files].slice(0, 2).entries()) {
    if (file.size > 2 * MOST_BYTES) {
      showNotice(`${visible(file.name)} is larger than 2 MiB, so it was not opened.`);
      continue;
    }
    const { text, lossless } = decodeFile(new Uint8Array(await file.arrayBuffer()));
    const view = file.name.endsWith(".json") ? readState(text, choices()) : null;
    if (view !== null) {
      showNotice(adopt(view) || "The view was opened.");
    } else if (text.length > MOST_BYTES) {
      showNotice(`${visible(file.name)} is larger than 1 MiB, so it was not opened.`);
    } else {
      setFile(Math.min(1, index + at), text);
      showNotice(lossless ? `${visible(file.name)} was opened. It stays on this computer.`
        : `${visible(file.name)} is not UTF-8: bytes that are not text were replaced, so line numbers are right and some patterns may differ.`);
    }
  }
  showState();
};

const listen = () => {
  editors.forEach((editor, index) => {
    editor.field.addEventListener("input", () => {
      state.files[index] = editor.field.value;
      refreshSoon();
    });
    byId(`open-${index}`).addEventListener("change", (event) => {
      openFiles(event.target.files, index);
      event.target.value = "";
    });
  });
  byId("urls").addEventListener("input", () => {
    state.urls = byId("urls").value.split("\n").map((url) => url.trim().slice(0, MOST_URL)).filter(Boolean).slice(0, MOST_URLS);
    refreshSoon();
  });
  byId("add-crawler").addEventListener("submit", (event) => {
    event.preventDefault();
    enterCrawler();
  });
  byId("purpose").addEventListener("change", (event) => {
    const names = known.filter((one) => one.purpose === event.target.value).map((one) => one.name);
    byId("crawler-hint").textContent = addCrawlers(names);
    event.target.value = "";
    refresh();
  });
  byId("clear-crawlers").addEventListener("click", () => {
    state.crawlers = [];
    refresh();
    byId("crawler").focus();
  });
  byId("profile").addEventListener("change", (event) => {
    state.profile = event.target.value;
    forget();
    refresh();
  });
  for (const index of [0, 1]) {
    byId(`which-${index}`).addEventListener("change", () => {
      state.shown = index;
      refresh();
    });
  }
  for (const id of ["page-fields", "page-html"]) byId(id).addEventListener("input", refreshSoon);
  byId("only").addEventListener("change", refresh);
  byId("compare").addEventListener("click", () => {
    if (state.files[1] === null) setFile(1, state.files[0]);
    else state.files[1] = null;
    refresh();
    if (state.files[1] !== null) editors[1].field.focus();
  });
  for (const button of document.querySelectorAll("[data-block], [data-allow]")) {
    button.addEventListener("click", () => writeRules(button.dataset));
  }
  byId("fix-all").addEventListener("click", fixAll);
  byId("share").addEventListener("click", share);
  byId("save").addEventListener("click", () => download("robots.txt", state.files[state.shown], "text/plain"));
  document.addEventListener("dragover", (event) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    document.body.classList.add("dragging");
  });
  document.addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) document.body.classList.remove("dragging");
  });
  document.addEventListener("drop", (event) => {
    document.body.classList.remove("dragging");
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    openFiles(event.dataTransfer.files, event.target.closest("#second") ? 1 : 0);
  });
  addEventListener("hashchange", async () => {
    if (location.hash !== "" && location.hash !== ownFragment) await openFragment();
  });
};

const openFragment = async () => {
  if (location.hash === "") return;
  const read = await readFragment(location.hash, choices());
  if (read === null) {
    showNotice("The link could not be read: it is damaged or too long. The example is shown instead.");
    return;
  }
  const problem = adopt(read);
  if (problem !== "") showNotice(problem);
  showState();
};

const start = async () => {
  const module = await inflate(fromBase64(MODULE), 4 * MOST_BYTES);
  await wasm_bindgen({ module_or_path: module });
  known = knownCrawlers();
  profiles = documents();
  probe = new RobotsTxt(new Uint8Array(), "rfc9309");
  byId("profile").append(element("option", { value: AUTO }, "Each crawler does"));
  byId("profile").append(...profiles.map(({ name, followers }) => element("option", { value: name, title: name }, upper(followers.replace(/^.* that follows? /, "")))));
  fillCrawlerLists();
  editors = [new Editor(0), new Editor(1)];
  listen();
  await openFragment();
  showState();
  document.body.dataset.ready = "true";
};

start().catch((error) => {
  showNotice(`This page could not start: ${error.message}. It needs a browser from 2023 or newer.`);
});
