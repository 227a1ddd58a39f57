// The findings of the lints, in a list and beside their lines.

const MOST_FINDINGS = 200;
const ORDER = { error: 0, warning: 1, note: 2 };

const applyFix = (index, fix, message) => {
  const text = state.files[index];
  const bytes = encode(text);
  const start = positionOf(text, bytes, fix.span.start);
  const end = positionOf(text, bytes, fix.span.end);
  const replacement = fix.replacement.replace(/\r\n?/g, "\n");
  editors[index].replace(text.slice(0, start) + replacement + text.slice(end), message);
};

// Returns the correction, or else the suggestion.
const editOf = (finding) => finding.fix || finding.suggestion;

const fixText = (finding) => {
  if (finding.help) return finding.help;
  const { replacement } = editOf(finding);
  return replacement === "" ? "remove it" : `write ${visible(replacement.trim())}`;
};

// Returns the findings of a file, and marks of lines.
const findIn = (index) => {
  const report = fileOf(index).robots.lint(undefined);
  const marks = new Map();
  for (const finding of report.findings) {
    const mark = marks.get(finding.line) || {};
    if (mark.severity === undefined || ORDER[finding.severity] < ORDER[mark.severity]) {
      mark.severity = finding.severity;
      mark.note = visible(finding.message);
    }
    const edit = editOf(finding);
    if (edit && !mark.fix) {
      mark.help = fixText(finding);
      mark.fix = () => applyFix(index, edit, `Line ${finding.line} was corrected.`);
    }
    marks.set(finding.line, mark);
  }
  return { report, marks };
};

const drawFindings = ({ report }) => {
  const { findings } = report;
  const counts = { error: 0, warning: 0, note: 0 };
  for (const finding of findings) counts[finding.severity] += 1;
  const parts = Object.entries(counts).filter(([, count]) => count > 0).map(([severity, count]) => plural(count, severity));
  byId("finding-count").textContent = findings.length === 0 ? "No mistakes found" : parts.join(", ");
  byId("fix-all").hidden = !findings.some((finding) => finding.fix);
  // What matters most comes first.
  const sorted = [...findings].sort((one, two) => ORDER[one.severity] - ORDER[two.severity] || one.line - two.line);
  const rows = sorted.slice(0, MOST_FINDINGS).map((finding) => element("li", { className: `finding ${finding.severity}` },
    element("div", { className: "head" },
      element("span", { className: `tag ${finding.severity}` }, finding.severity),
      lineButton(finding.line, `Line ${finding.line}`),
      element("span", { className: "lint" }, finding.lint)),
    element("p", {}, ...sentence(finding.message)),
    finding.help && element("p", { className: "help" }, ...sentence(finding.help)),
    finding.profiles.length > 0 ? element("p", { className: "help" }, `Concerns ${finding.profiles.map(followersOf).join(", and ")}.`) : null,
    editOf(finding) && element("button", { type: "button", "aria-label": `${finding.fix ? "Apply correction" : "Apply suggestion"} of line ${finding.line}: ${visible(fixText(finding))}`,
      on: { click: () => applyFix(state.shown, editOf(finding), `Line ${finding.line} was corrected.`) } },
      finding.fix ? "Apply correction" : "Apply suggestion")));
  const hidden = Math.max(0, findings.length - MOST_FINDINGS) + report.leftOut;
  if (hidden > 0) rows.push(element("li", {}, `${hidden} more are not listed.`));
  byId("findings").replaceChildren(...rows);
};

const fixAll = () => {
  const { text, made } = fileOf(state.shown).robots.fix();
  if (made === 0) {
    showNotice("No correction is certain to leave all verdicts as they are. Apply them one by one.");
    return;
  }
  editors[state.shown].replace(text.replace(/\r\n?/g, "\n"), `${plural(made, "correction")} made. No verdict has changed under any profile.`);
};
