// Writes the screenshots of the documentation: node screenshots.mjs PAGE FOLDER REPORT...

import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import { launch, open, program } from './browser.mjs';
import { withPalette } from './palette.mjs';

const [file, folder, ...reports] = process.argv.slice(2);
if (program === undefined) {
  console.log('skipped: chromium is not installed, so no screenshots were made');
  process.exit(0);
}
const before = `User-agent: *
Disallow: /cart
Disallow: /search
Allow: /search/about
Disallow: /*.pdf

User-agent: GPTBot
Disallow: /
`;
const two = { v: 1, a: before, b: before.replace('/*.pdf', '/*.pdf$').replace('Disallow: /cart\n', '').replace('GPTBot', 'GPTBot\nUser-agent: CCBot'),
  w: 1, p: 'rfc9309', c: ['Googlebot', 'GPTBot', 'CCBot'], u: ['/cart', '/guide.pdf?page=2', '/about'], s: [1, 0] };
const fragment = `#1.${deflateRawSync(JSON.stringify(two)).toString('base64url')}`;

const save = (name, picture) => {
  const small = withPalette(picture);
  const path = join(folder, `${name}.png`);
  writeFileSync(path, small.length < picture.length ? small : picture);
  console.log(`${path}: ${Math.min(small.length, picture.length)} bytes`);
};

mkdirSync(folder, { recursive: true });
const browser = await launch();
try {
  for (const [name, options] of [
    ['page', { width: 1280, height: 1150 }],
    ['changes', { width: 1280, height: 1150, colorScheme: 'dark', fragment }],
    ['narrow', { width: 390, height: 1400 }],
    ['narrow-dark', { width: 390, height: 1400, colorScheme: 'dark' }],
    ['forced', { width: 1280, height: 1150, forcedColors: 'active' }],
  ]) {
    const { context, page } = await open(browser, file, options);
    await page.waitForTimeout(700);
    save(name, await page.screenshot());
    await context.close();
  }
  for (const report of reports) {
    for (const [suffix, width] of [['', 1280], ['-narrow', 390]]) {
      const page = await browser.newPage({ viewport: { width, height: 600 } });
      await page.goto(pathToFileURL(resolve(report)).href);
      save(basename(report, '.html') + suffix, await page.screenshot({ fullPage: true }));
      await page.close();
    }
  }
} finally {
  await browser.close();
}
