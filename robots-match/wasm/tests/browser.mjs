// Opens the page from disk in Chromium.

import { existsSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

export const program = (process.env.PATH ?? '')
  .split(delimiter)
  .flatMap((folder) => ['chromium', 'chromium-browser'].map((name) => join(folder, name)))
  .find((path) => existsSync(path));

// The most time to wait for the browser, in milliseconds. A busy machine is slow, and no error.
const MOST = 180_000;

export const launch = () =>
  chromium.launch({ executablePath: program, args: ['--no-sandbox', '--disable-gpu'], timeout: MOST });

// Returns the page, with all messages of its console and all requests that it made.
export const open = async (browser, file, { width, height = 900, colorScheme = 'light', forcedColors = 'none', fragment = '' }) => {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, forcedColors, reducedMotion: 'reduce' });
  context.setDefaultTimeout(MOST);
  const page = await context.newPage();
  const messages = [];
  const requests = [];
  page.on('console', (message) => messages.push(message.text()));
  page.on('pageerror', (error) => messages.push(String(error)));
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(pathToFileURL(resolve(file)).href + fragment);
  await page.waitForSelector('body[data-ready="true"]');
  return { context, page, messages, requests };
};
