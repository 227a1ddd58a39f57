// Tests the page in headless Chromium: node page.mjs PAGE

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import { launch, open, program } from './browser.mjs';

const [file] = process.argv.slice(2);
if (program === undefined) {
  console.log('skipped: chromium is not installed, so the page was not shown in a browser');
  process.exit(0);
}
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const browser = await launch();

const isQuiet = ({ messages, requests }) => {
  assert.deepEqual(messages, []);
  assert.ok(requests.every((url) => /^(file|data|blob):/.test(url)), requests.join('\n'));
};
const findings = async (page) => {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).slice(0, 3).join(' ')}`);
};
const fragmentOf = (value) => `#1.${deflateRawSync(JSON.stringify(value)).toString('base64url')}`;
const view = (changes) => fragmentOf({ v: 1, a: 'User-agent: *\nDisallow: /a\n', p: 'rfc9309', c: ['Bot'], u: ['/a'], ...changes });
const settle = (page) => page.waitForTimeout(700);

try {
  // Accessibility and layout, with one file and with two.
  for (const width of [390, 800, 1440]) {
    for (const colorScheme of ['light', 'dark']) {
      for (const fragment of ['', view({ b: 'User-agent: *\nDisallow: /b\nDisallow: c\n', c: ['Googlebot', 'GPTBot'] })]) {
        const shown = await open(browser, file, { width, colorScheme, fragment });
        const name = `${width} ${colorScheme} ${fragment === '' ? 'one file' : 'two files'}`;
        await settle(shown.page);
        assert.deepEqual(await findings(shown.page), [], name);
        const wide = await shown.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wide <= 0, `${name}: ${wide} pixels too wide`);
        isQuiet(shown);
        await shown.context.close();
      }
    }
  }
  console.log('axe has no findings at 390, 800 and 1440 pixels, light and dark, with one file and two');

  // Typing changes verdicts and marks.
  const shown = await open(browser, file, { width: 1440, fragment: view({}) });
  const { page } = shown;
  const answer = async () => (await page.textContent('.group .what')).slice(1);
  assert.equal(await answer(), 'Disallowed: line 2');
  assert.equal(await page.textContent('#editor-0 .drawn .decides .value'), ' /a');
  assert.equal(await page.textContent('#summary'), '0 allowed, 1 disallowed');
  await page.fill('#text-0', 'User-agent: *\nDisallow: /b\nDisallow: c\n');
  await page.waitForFunction(() => document.querySelector('.group .what').textContent === '✓Allowed: no rule matches');
  await page.fill('#urls', '/b/1\n/x');
  await page.waitForFunction(() => document.querySelectorAll('.answer').length === 2);
  assert.equal(await answer(), 'Disallowed: line 2');
  assert.equal(await page.locator('.profile').count(), 4);

  // A correction beside its line, and back.
  await page.click('.rail button');
  await page.waitForFunction(() => document.getElementById('text-0').value.includes('Disallow: /c\n'));
  await page.click('#notice button');
  await page.waitForFunction(() => document.getElementById('text-0').value.includes('Disallow: c\n'));

  // Crawlers, by keyboard only.
  await page.focus('#crawler');
  await page.keyboard.type('google');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.getElementById('crawler-hint').textContent.includes('Googlebot'));
  await page.focus('#crawler-hint button');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelectorAll('.chip').length === 2);
  await page.focus('#verdicts > li:nth-child(2) .answer');
  await page.keyboard.press('Space');
  await page.waitForFunction(() => document.getElementById('why-url').textContent === '/x');
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute('aria-pressed')), 'true');

  // Rules are written by a button, with the proof, and are taken back.
  const beforeRules = await page.inputValue('#text-0');
  await page.click('[data-block="ai-training"]');
  await page.waitForFunction(() => document.getElementById('text-0').value.includes('User-agent: GPTBot\n'));
  assert.match(await page.textContent('#notice'), /\d+ crawlers may access nothing any more: .* which is proved\./);
  assert.match(await page.textContent('#notice'), /not legal advice/);
  await page.click('[data-block="ai-training"]');
  await page.waitForFunction(() => document.getElementById('notice').textContent.includes('has this access already'));
  await page.fill('#text-0', beforeRules);
  await page.waitForFunction(() => document.querySelector('.group .what').textContent === '✕Disallowed: line 2');

  // A second file.
  await page.click('#compare');
  await page.fill('#text-1', 'User-agent: *\nDisallow: /b/\n');
  await page.waitForFunction(() => /^\d+ changes? for/.test(document.getElementById('change-count').textContent));
  const change = await page.textContent('.change');
  assert.match(change, /Newly allowed \/b the shortest such path/);
  // Every change has a card, with the line that causes it, and the lines that differ are marked in both files.
  await page.fill('#text-1', 'User-agent: *\nDisallow: /b\nDisallow: c\nDisallow: /pro\nDisallow: /static/\n');
  await page.waitForFunction(() => document.querySelectorAll('.change').length === 2);
  assert.deepEqual(await page.locator('.change code:first-of-type').allTextContents(), ['/pro', 'Disallow: /pro', '/static/', 'Disallow: /static/']);
  assert.match(await page.textContent('.change:nth-child(2)'), /Line 5 of the second file is new/);
  assert.deepEqual(await page.locator('#editor-1 .gutter .changed').allTextContents(), ['4', '5']);
  assert.equal(await page.locator('#editor-0 .gutter .changed').count(), 0);
  await page.fill('#text-1', 'User-agent: *\nDisallow: /b/\n');
  await page.waitForFunction(() => document.querySelectorAll('.change').length === 1);
  await settle(page);

  // The view is in the address, and opens again.
  const address = await page.evaluate(() => location.hash);
  assert.match(address, /^#1\./);
  isQuiet(shown);
  await shown.context.close();
  const again = await open(browser, file, { width: 1440, fragment: address });
  assert.equal(await again.page.inputValue('#text-1'), 'User-agent: *\nDisallow: /b/\n');
  assert.equal(await again.page.textContent('#why-url'), '/x');

  // A long file is too long for an address.
  const long = Array.from({ length: 9000 }, (_, at) => `Disallow: /${(at * 7919 * 104729).toString(36)}`).join('\n');
  await again.page.evaluate((text) => {
    const field = document.getElementById('text-0');
    field.value = text;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }, `User-agent: *\n${long}\n`);
  await again.page.waitForFunction(() => document.getElementById('share').textContent === 'Download view');
  assert.equal(await again.page.evaluate(() => location.hash), '');
  await again.page.evaluate(() => { document.getElementById('text-0').scrollTop = 1e9; });
  await again.page.waitForFunction(() => document.querySelector('#editor-0 .gutter div div:last-child').textContent === '9002');
  assert.ok(await again.page.locator('#editor-0 .gutter div div').count() < 200);
  const [saved] = await Promise.all([again.page.waitForEvent('download'), again.page.click('#share')]);
  assert.equal(saved.suggestedFilename(), 'robots-view.json');
  isQuiet(again);
  await again.context.close();
  console.log('typing, corrections, crawlers, two files and shared views work, also by keyboard');

  // With two files, what changes comes first on a telephone, and no card is longer than what it shows on a wide screen.
  const pair = view({ b: 'User-agent: *\nDisallow: /a\nDisallow: /b\n', c: ['Googlebot', 'bingbot'], u: ['/a', '/b'], s: [1, 0] });
  const compared = await open(browser, file, { width: 390, height: 1400, fragment: pair });
  await compared.page.waitForSelector('#changes-section:not([hidden])');
  const first = await compared.page.evaluate(() => ['changes-section', 'verdicts-section', 'text-0'].map((id) => document.getElementById(id).getBoundingClientRect().top));
  assert.ok(first[0] < first[1] && first[1] < first[2], `on a telephone, the changes come first: ${first}`);
  await compared.page.setViewportSize({ width: 1280, height: 1400 });
  const empty = await compared.page.evaluate(() => {
    const card = document.querySelector('.question');
    return card.getBoundingClientRect().bottom - card.lastElementChild.getBoundingClientRect().bottom;
  });
  assert.ok(empty < 40, `${empty} pixels of the card are empty`);
  isQuiet(compared);
  await compared.context.close();

  // Equal verdicts are one group, the explanation is beside the question, and findings are sorted by weight.
  const many = view({ a: 'User-agent: *\nDisallow: /a\nDisalow: /b\nDisallow: c\n\nUser-agent: GPTBot\nDisallow: /\n',
    c: ['Googlebot', 'bingbot', 'CCBot', 'GPTBot'], u: ['/a', '/x'], s: [1, 3] });
  const grouped = await open(browser, file, { width: 390, height: 1400, fragment: many });
  assert.deepEqual(await grouped.page.locator('.url:nth-child(1) .members').evaluateAll((lists) => lists.map((list) => list.children.length)), [3, 1]);
  assert.equal(await grouped.page.evaluate(() => document.getElementById('why').closest('.url').querySelector('.address').textContent), '/x');
  const tops = await grouped.page.evaluate(() => ['verdicts-section', 'text-0', 'findings'].map((id) => document.getElementById(id).getBoundingClientRect().top));
  assert.ok(tops[0] < tops[1] && tops[1] < tops[2] && tops[0] < 400, `on a telephone, the verdicts come first: ${tops}`);
  assert.deepEqual(await grouped.page.locator('.finding .tag').allTextContents().then((tags) => [...tags].sort((a, b) => 'error warning note'.indexOf(a) - 'error warning note'.indexOf(b))),
    await grouped.page.locator('.finding .tag').allTextContents());
  await grouped.page.check('#only');
  await grouped.page.waitForFunction(() => document.querySelectorAll('.group.allowed').length === 0);
  // At first, each crawler is read as the command reads it: Google's parser knows misspelt lines, and others do not.
  const own = await open(browser, file, { width: 1280, fragment: view({ a: 'User-agent: *\nDisalow: /b\n', p: 'auto', c: ['Googlebot', 'bingbot'], u: ['/b'], s: [0, 0] }) });
  assert.deepEqual(await own.page.locator('.group .answer').allTextContents(), ['Googlebot', 'bingbot']);
  assert.equal(await own.page.locator('.group.disallowed .answer').textContent(), 'Googlebot');
  assert.equal(await own.page.locator('.profile.current .followers').textContent(), 'google');
  await own.context.close();
  // Each document has a text that says when to choose it.
  const documents = await grouped.page.locator('#profile option').evaluateAll((options) => options.map((option) => option.value));
  for (const name of documents) {
    await grouped.page.selectOption('#profile', name);
    await grouped.page.waitForFunction(() => document.getElementById('profile-help').textContent.length > 40);
  }
  // The fields and the HTML of a page are read by the document of the crawler, if robots.txt lets it fetch the page.
  await grouped.page.fill('#urls', '/x');
  await grouped.page.waitForFunction(() => document.querySelectorAll('.url').length === 1);
  await grouped.page.uncheck('#only');
  await grouped.page.click('#page-rules summary');
  await grouped.page.fill('#page-fields', 'X-Robots-Tag: noindex');
  await grouped.page.fill('#page-html', '<!doctype html><title>x</title><meta name=robots content="max-snippet:20">');
  await grouped.page.click('.answer:text-is("Googlebot")');
  await grouped.page.waitForFunction(() => document.getElementById('page-document').textContent.includes('Google'));
  const said = await grouped.page.locator('#page-answers dd').allTextContents();
  assert.match(said[0], /No noindex X-Robots-Tag$/);
  assert.match(said[1], /At most 20 characters max-snippet: ?20 meta element/);
  await grouped.page.click('.answer:text-is("GPTBot")');
  await grouped.page.waitForFunction(() => document.getElementById('page-document').textContent.includes('may not fetch'));
  assert.deepEqual(await findings(grouped.page), []);
  // A page from a disk says that its link works only there.
  await grouped.page.click('#share');
  await grouped.page.waitForFunction(() => document.getElementById('notice').textContent.includes('works only on this computer'));
  await grouped.page.click('#notice button:last-of-type');
  await grouped.context.close();
  // In forced colours, marks are lines.
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, forcedColors: 'active' });
  const forced = await context.newPage();
  await forced.goto(pathToFileURL(resolve(file)).href + many);
  await forced.waitForSelector('body[data-ready="true"]');
  const marks = await forced.evaluate(() => ['.drawn .decides', '.answer[aria-pressed="true"]'].map((one) => getComputedStyle(document.querySelector(one)).outlineStyle));
  assert.deepEqual(marks, ['solid', 'solid']);
  const styles = await forced.evaluate(() => ['error', 'warning'].map((one) => getComputedStyle(document.querySelector(`.gutter .${one}`) || document.body).borderLeftStyle));
  assert.equal(styles[0], 'double');
  await context.close();
  console.log('equal verdicts are grouped, the explanation is beside the question, and marks stay in forced colours');

  // Hostile fragments.
  const bomb = deflateRawSync(Buffer.alloc(64 << 20));
  const markup = '<img src=x onerror=alert(1)><script>alert(1)</script>';
  for (const [fragment, isRead] of [
    ['#1.', false], ['#1.%00', false], ['#1.AAAA', false], ['#2.abc', false], [`#1.${'A'.repeat(9000)}`, false],
    [`#1.${bomb.toString('base64url').slice(0, 8000)}`, false],
    [fragmentOf(null), false], [fragmentOf([]), false], [view({ v: 2 }), false], [view({ p: 'constructor' }), false],
    [view({ c: [{}] }), false], [view({ u: 'x' }), false], [view({ s: [-1, 0] }), false], [view({ w: 1 }), false],
    [view({ c: Array(99).fill('a') }), false], [`#1.${deflateRawSync('['.repeat(100_000)).toString('base64url')}`, false],
    [view({ a: `User-agent: ${markup}\nDisallow: ${markup}\n`, u: [`/${markup}`], c: ['__proto__'] }), true],
    [view({ a: `${markup}\u202E\n`, b: markup, u: [`\u202E${markup}`, '__proto__'], s: [1, 0] }), true],
  ]) {
    const hostile = await open(browser, file, { width: 800, fragment });
    await settle(hostile.page);
    const notice = await hostile.page.textContent('#notice');
    assert.equal(notice.includes('could not be read'), !isRead, `${fragment.slice(0, 80)}: ${notice}`);
    assert.equal(await hostile.page.locator('img, script:not(:last-of-type), iframe').count(), 0);
    isQuiet(hostile);
    await hostile.context.close();
  }

  // The policy refuses what a flaw could do.
  const strict = await open(browser, file, { width: 800 });
  const refused = await strict.page.evaluate(async () => {
    const results = [];
    await fetch('https://example.com/').catch(() => results.push('fetch'));
    setTimeout('globalThis.evaluated = true');
    await new Promise((resolve) => { setTimeout(resolve, 100); });
    if (globalThis.evaluated === undefined) results.push('eval');
    const script = document.createElement('script');
    script.textContent = 'globalThis.ran = true';
    document.body.append(script);
    if (globalThis.ran === undefined) results.push('script');
    return results;
  });
  assert.deepEqual(refused, ['fetch', 'eval', 'script']);
  await strict.context.close();
  console.log('hostile fragments are refused or shown as text; the policy refuses requests, eval and scripts');
} finally {
  await browser.close();
}
