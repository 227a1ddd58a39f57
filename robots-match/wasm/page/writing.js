// Buttons that write rules into the shown file. The module proves what changes.

const listed = (names) => {
  const shown = names.slice(0, SHOWN).map(visible).join(", ");
  return names.length > SHOWN ? `${shown} and ${names.length - SHOWN} more` : shown;
};

// Returns the names and purposes that a button stands for.
const wanted = (value) => {
  if (value === undefined) return [];
  return value === "listed" ? state.crawlers.filter((name) => name !== "*") : [value];
};

const writeRules = ({ block, allow }) => {
  const names = [wanted(block), wanted(allow)];
  if (names.flat().length === 0) {
    showNotice("No crawler is listed. Add one first; for all crawlers, write the rules for * by hand.");
    return;
  }
  let written;
  try {
    written = fileOf(state.shown).robots.write(...names);
  } catch (error) {
    showNotice(`Nothing was written: ${visible(error.message)}.`);
    return;
  }
  const { text, blocked, opened, unchanged, ignoring, notes } = written;
  if (blocked.length === 0 && opened.length === 0) {
    showNotice("The file has this access already, so nothing was written.");
    return;
  }
  const parts = [
    blocked.length > 0 ? `${plural(blocked.length, "crawler")} may access nothing any more: ${listed(blocked)}.` : "",
    opened.length > 0 ? `${plural(opened.length, "crawler")} may access more: ${listed(opened)}.` : "",
    `Nothing changes for ${unchanged} others, which is proved.`,
    ignoring.length > 0 ? `They may ignore it: ${listed(ignoring)}.` : "",
    ...notes.map((note) => `${visible(note)}.`),
    "The file states a preference; it is not legal advice.",
  ];
  editors[state.shown].replace(text.replace(/\r\n?/g, "\n"), parts.filter(Boolean).join(" "));
};
