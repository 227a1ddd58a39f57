"use strict";
// Filters and sorts the table of sites. Without this script, the page shows everything in the order of the inputs.
const table = document.getElementById("sites");
const controls = document.getElementById("controls");
if (table && controls) {
  controls.hidden = false;
  const body = table.tBodies[0];
  const rows = Array.from(body.rows);
  const text = document.getElementById("text");
  const kind = document.getElementById("kind");
  const count = document.getElementById("count");
  const filter = () => {
    const wanted = text.value.trim().toLowerCase();
    let shown = 0;
    for (const row of rows) {
      const has = row.cells[0].textContent.toLowerCase().includes(wanted);
      const is = !kind.value || row.dataset.kinds.split(" ").includes(kind.value);
      row.hidden = !(has && is);
      shown += has && is ? 1 : 0;
    }
    count.textContent = `${shown} of ${rows.length} sites`;
  };
  text.addEventListener("input", filter);
  kind.addEventListener("change", filter);
  filter();
  const heads = Array.from(table.tHead.rows[0].cells);
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.textContent = "";
    head.append(button);
    button.addEventListener("click", () => {
      const ascending = head.getAttribute("aria-sort") !== "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", ascending ? "ascending" : "descending");
      const key = (row) => row.cells[column].dataset.key ?? row.cells[column].textContent;
      const sorted = rows.slice().sort((a, b) => key(a).localeCompare(key(b), "en", { numeric: true }));
      if (!ascending) sorted.reverse();
      body.append(...sorted);
    });
  });
}
// What is folded is printed, too.
window.addEventListener("beforeprint", () => {
  document.querySelectorAll("details").forEach((part) => (part.open = true));
});
