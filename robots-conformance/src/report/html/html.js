'use strict';
// Filters for the rows. The fragment holds their values, as #document=google&profile=google, so that a link can select
// rows.
(() => {
  const form = document.getElementById('filters');
  const said = document.getElementById('said');
  const names = ['document', 'profile', 'kind', 'result', 'cites', 'text'];
  const statements = [...document.querySelectorAll('tr[data-statement]')].map(row => ({
    row, of: row.dataset.statement, words: row.textContent.toLowerCase(),
  }));
  const tables = [...document.querySelectorAll('details[data-table]')].map(details => ({
    details,
    of: details.dataset.document,
    failed: details.dataset.failed !== undefined,
    files: [...details.querySelectorAll('[data-file]')],
    rows: [...details.querySelectorAll('tr[data-kind]')].map(row => ({
      row,
      kind: row.dataset.kind,
      words: `${details.dataset.table} ${row.textContent}`.toLowerCase(),
      files: [...row.querySelectorAll('a.t')].map(link => link.hash.slice(1)),
      cites: [...row.querySelectorAll('a.c')].map(link => link.textContent),
      results: new Map([...row.querySelectorAll('td[data-profile]')].map(cell => [cell.dataset.profile, cell.dataset.result])),
    })),
  }));
  const all = tables.reduce((sum, table) => sum + table.rows.length, 0);
  const group = name => [...document.querySelectorAll(`section[data-group="${name}"]`)];

  const has = (row, wanted) => {
    if (wanted.kind && row.kind !== wanted.kind) return false;
    if (wanted.cites && !row.cites.includes(wanted.cites)) return false;
    const results = wanted.profile ? [row.results.get(wanted.profile)] : [...row.results.values()];
    if (results[0] === undefined) return false;
    // A row that fails under one profile counts as failed.
    const result = ['failed', 'known'].find(result => results.includes(result)) ?? 'held';
    if (wanted.result && result !== wanted.result) return false;
    return wanted.words.every(word => row.words.includes(word));
  };

  const apply = () => {
    const wanted = Object.fromEntries(names.map(name => [name, form.elements[name].value.trim()]));
    wanted.words = wanted.text.toLowerCase().split(/\s+/).filter(word => word);
    const any = names.some(name => wanted[name]);
    let shown = 0;
    for (const table of tables) {
      let here = 0;
      for (const row of table.rows) {
        row.row.hidden = !((!wanted.document || table.of === wanted.document) && has(row, wanted));
        if (!row.row.hidden) here += 1;
      }
      const about = new Set(table.rows.filter(row => !row.row.hidden).flatMap(row => row.files));
      for (const file of table.files) file.hidden = !about.has(file.id);
      table.details.hidden = here === 0;
      table.details.open = any || table.failed;
      shown += here;
    }
    let listed = 0;
    for (const { row, of, words } of statements) {
      const id = row.querySelector('th').textContent;
      row.hidden = !((!wanted.document || of === wanted.document) && (!wanted.cites || id === wanted.cites)
        && wanted.words.every(word => words.includes(word)));
      if (!row.hidden) listed += 1;
    }
    for (const section of group('statements')) section.querySelector('details').open = Boolean(wanted.cites || wanted.text);
    for (const section of [...group('statements'), ...group('rows')]) {
      section.hidden = any && !section.querySelector('tr[data-statement]:not([hidden]), tr[data-kind]:not([hidden])');
    }
    if (wanted.profile) document.body.dataset.profile = wanted.profile;
    else delete document.body.dataset.profile;
    said.textContent = `${shown} of ${all} rows, ${listed} of ${statements.length} statements`;
  };

  // A fragment with an equals sign holds filters; any other is the id of a place on the page.
  const read = () => {
    const fragment = location.hash.slice(1);
    if (fragment.includes('=')) {
      const given = new URLSearchParams(fragment);
      for (const name of names) form.elements[name].value = given.get(name) ?? '';
      apply();
      return;
    }
    let id = fragment;
    try { id = decodeURIComponent(fragment); } catch { /* not percent-encoded: the id is used as written */ }
    const place = id && document.getElementById(id);
    if (!place) return;
    if (place.closest('[hidden]')) { form.reset(); apply(); }
    for (let up = place; up; up = up.parentElement) if (up.localName === 'details') up.open = true;
    place.scrollIntoView();
  };

  const write = () => {
    const given = new URLSearchParams(names.map(name => [name, form.elements[name].value.trim()]).filter(([, value]) => value));
    try { history.replaceState(null, '', `#${given}`); } catch { /* filters work without a fragment, too */ }
    apply();
  };

  let later = 0;
  form.addEventListener('input', () => { clearTimeout(later); later = setTimeout(write, 120); });
  form.addEventListener('submit', event => { event.preventDefault(); write(); });
  form.addEventListener('reset', () => setTimeout(write, 0));
  const turn = open => tables.forEach(table => { table.details.open = open; });
  document.getElementById('open').addEventListener('click', () => turn(true));
  document.getElementById('close').addEventListener('click', () => turn(false));
  addEventListener('hashchange', read);
  addEventListener('beforeprint', () => document.querySelectorAll('details').forEach(details => { details.open = true; }));
  form.hidden = false;
  apply();
  read();
})();
