// Writes the screenshots of the documentation: node screenshots.mjs PAGE FOLDER

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { launch, open, program } from './browser.mjs';

const [file, folder] = process.argv.slice(2);
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

mkdirSync(folder, { recursive: true });
const browser = await launch();
try {
  for (const [name, options] of [
    ['page', { width: 1280, height: 1150 }],
    ['changes', { width: 1280, height: 1150, colorScheme: 'dark', fragment }],
    ['narrow', { width: 390, height: 1400 }],
  ]) {
    const { context, page } = await open(browser, file, options);
    await page.waitForTimeout(700);
    await page.screenshot({ path: join(folder, `${name}.png`) });
    await context.close();
  }
} finally {
  await browser.close();
}
