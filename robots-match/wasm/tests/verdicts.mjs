// Compares the verdicts of the npm package with those of the `robots` command:
// node verdicts.mjs PACKAGE ROBOTS INPUTS FOLDER...

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, robots, inputs, ...corpora] = process.argv.slice(2);
const { bodies, texts } = JSON.parse(readFileSync(inputs, 'utf8'));
assert.ok(bodies.length >= 20 && texts.length >= 8);
const { RobotsTxt, documentOf, documents, knownCrawlers, suggest } = await import(pathToFileURL(resolve(folder, 'index.js')).href);

const AGENTS = ['Googlebot', 'GPTBot', 'ExampleBot'];
const MOST_PATTERNS = 8;

const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.toml'))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter((path) => !/[\t\r\n]/.test(path));

// URLs that the rules of a file are about, and some that most files do not mention.
const urlsOf = (text) => {
  const patterns = [...text.matchAll(/^[ \t]*(?:dis)?allow[ \t]*:[ \t]*([^\s#]+)/gim)].map((match) => match[1]);
  const step = Math.max(1, Math.floor(patterns.length / MOST_PATTERNS));
  const chosen = patterns.filter((_, at) => at % step === 0).slice(0, MOST_PATTERNS);
  const paths = chosen.map((pattern) => pattern.replace(/\*/g, 'x').replace(/\$/g, ''));
  // The command takes URLs and paths only.
  const urls = paths.filter((path) => /^(?:\/|[a-z][a-z0-9+.-]*:\/\/)/i.test(path));
  return ['/', '//a', '/robots.txt', 'https://example.com/caf%C3%A9/é?a=%2F&b', ...urls];
};

// The package.
const own = [];
const lines = [];
const files = corpora.flatMap(filesIn);
assert.ok(files.length > 5, `only ${files.length} files`);
const profiles = documents().map(({ name }) => name);
for (const path of files) {
  const body = readFileSync(path);
  const urls = urlsOf(body.toString('utf8'));
  for (const agent of AGENTS) for (const url of urls) lines.push(`${path}\t${agent}\t${url}\n`);
  for (const profile of profiles) {
    const file = new RobotsTxt(body, profile);
    for (const agent of AGENTS) {
      const rules = file.rules(agent);
      for (const url of urls) {
        const { allowed, rule } = rules.check(url);
        (own[profiles.indexOf(profile)] ??= []).push(`${allowed ? 'allowed' : 'disallowed'}\t${rule ? rule.line : 0}`);
      }
      rules.free();
    }
    file.free();
  }
}

// The command.
let compared = 0;
profiles.forEach((profile, at) => {
  const { stdout, stderr, status } = spawnSync(robots, ['batch', '--as-written', '--profile', profile],
    { input: lines.join(''), encoding: 'utf8', maxBuffer: 1 << 30 });
  assert.equal(status, 0, stderr);
  const answers = stdout.trimEnd().split('\n');
  assert.equal(answers.length, lines.length);
  answers.forEach((answer, line) => {
    // After the verdict and the line, there may be notes. The package takes URLs as they are written.
    const [verdict, number] = answer.split('\t');
    assert.equal(own[at][line], `${verdict}\t${number}`, `${profile}: ${lines[line]}`);
    compared += 1;
  });
});
const disallowed = own.flat().filter((answer) => answer.startsWith('disallowed')).length;
assert.ok(disallowed > 0 && disallowed < compared, 'all verdicts are equal');
console.log(`${compared} verdicts of ${files.length} files under ${profiles.length} profiles equal those of the command`);

// Crawlers of the catalogue, whose names the command resolves.
const scratch = mkdtempSync(join(tmpdir(), 'robots-'));
try {
  const path = join(scratch, 'robots.txt');
  const text = 'User-agent: *\nDisallow: /a\nUser-agent: Googlebot\nDisallow: /b\n';
  writeFileSync(path, text);
  const file = new RobotsTxt(new TextEncoder().encode(text));
  for (const agent of ['Googlebot-Image', 'AdsBot-Google', 'Googlebot-News,Googlebot', 'Mozilla/5.0 (compatible; GPTBot/1.0)', '*']) {
    for (const url of ['/a', '/b']) {
      const { stdout } = spawnSync(robots, ['check', '--robots', path, '--agent', agent, url], { encoding: 'utf8' });
      assert.equal(file.check(agent, url).allowed, stdout.startsWith('allowed'), `${agent} ${url}: ${stdout}`);
    }
  }

  // Names of hosts. The command has tables of Unicode; the package asks the class URL.
  const hosts = ['www.xn--a-.com', 'a.xn--.com', 'xn--zzzzzzzz99999.com', 'www.xn--é.com', 'a.xn--xn--abc-ma.com', 'c d.example', 'a%25.example',
    'é。b\u202ec.com', 'a.\u0301x.com', 'www.exämple.com', 'xn--exmple-cua.com.', 'faß.de', 'xn--fa-hia.de', '\u05d0.example', '\u05d0b.example', '☕.example',
    '\u200d.com', 'ex\u00adample.com', 'ＥＸＡＭＰＬＥ.com', 'example..com', '1.2.3.4', '１.２.３.４', '1.2.3.256', '[::1]', '[::g]', 'ex_ample.com', 'a|b.com',
    '1a.\u05d0.com', 'a-.\u05d0.com', '-a.\u05d0.com', 'a-1.\u05d0.com', '\u05d01.com'];
  const records = `${hosts.map((host) => `Sitemap: https://${host}/a.xml\nHost: ${host}\nLicense: https://${host}/b\n`).join('')}User-agent: *\nDisallow:\n`;
  writeFileSync(path, records);
  const { stdout: linted } = spawnSync(robots, ['lint', '--format', 'json', path], { encoding: 'utf8' });
  const expected = JSON.parse(linted).files[0].findings.map(({ line, code, severity, message }) => [line, code, severity, message]);
  const found = new RobotsTxt(new TextEncoder().encode(records)).lint().findings;
  found.forEach(({ line, lint, severity, message }, at) => assert.deepEqual([line, lint, severity, message], expected[at]));
  assert.equal(found.length, expected.length);
  assert.ok(expected.length > hosts.length / 2, `only ${expected.length} findings about hosts`);

  // The other functions.
  assert.deepEqual(file.namedCrawlers(), ['Googlebot']);
  assert.throws(() => file.check('not,,a name', '/'), Error);
  assert.throws(() => new RobotsTxt(new Uint8Array(), 'rfc'), /known name|unknown document/);
  assert.ok(knownCrawlers().length > 100);
  assert.equal(suggest('google'), 'Googlebot');
  assert.deepEqual(['Googlebot', 'bingbot'].map(documentOf), ['google', 'rfc9309']);
  const broken = new RobotsTxt(new TextEncoder().encode('User-agent: *\nDisallow: a\nDisallow: /b%2f'));
  const { findings } = broken.lint();
  const finding = findings.find(({ lint }) => lint === 'pattern-without-slash');
  assert.equal(finding.line, 2);
  assert.equal(finding.suggestion.replacement, '/a');
  assert.ok(broken.fix().text.includes('/b%2F'));
  const explained = file.explain('Googlebot', '/b/c');
  assert.equal(explained.matched[0].outcome, 'decides');
  assert.equal(explained.matched[0].rule.line, 4);
  assert.deepEqual(file.verdictsByDocument('Googlebot', '/b').map(({ profile }) => profile), profiles);
  const after = new RobotsTxt(new TextEncoder().encode('User-agent: *\nDisallow: /a\n'));
  const difference = file.rules('Googlebot').difference(after.rules('Googlebot'));
  assert.equal(difference.newlyAllowed.witness.path, '/b');
  assert.equal(difference.newlyDisallowed.witness.path, '/a');
  assert.ok(file.rules('bingbot').difference(after.rules('bingbot')).isNothing);

  // What is no robots.txt file is named in each verdict, and no text that is no URL has a verdict.
  for (const { name, bytes, kind, shown } of bodies) {
    for (const profile of profiles) {
      const body = new RobotsTxt(Buffer.from(bytes, 'latin1'), profile);
      for (const verdict of [body.check('x', '/a'), body.rules('x').check('/a'), body.explain('x', '/a').verdict]) {
        // An empty file is one that opens everything, as its author may want.
        const isNamed = kind === 'empty' ? verdict.text === 'allowed: no group applies' : verdict.text.includes(shown);
        assert.ok(isNamed, `${name}: ${verdict.text}`);
      }
    }
  }
  for (const url of texts) {
    const verdicts = [file.check('x', url), file.rules('x').check(url), file.explain('x', url).verdict];
    for (const verdict of [...verdicts, ...file.verdictsByDocument('x', url).map((found) => found.verdict)]) {
      assert.deepEqual([verdict.allowed, verdict.reason], [false, 'not-url'], url);
    }
    assert.ok(!file.page('x', url, '', '').fetched, url);
  }

  // Answers about a page depend on the time only if one is given.
  const stated = new RobotsTxt(Buffer.from('User-agent: *\nContent-Usage: /a train-ai=n\n'));
  const old = 'X-Robots-Tag: unavailable_after: 2022-08-04';
  const date = Date.parse('2022-08-04');
  for (const [now, text, count] of [[undefined, 'yes', 0], [date - 1, 'yes', 0], [date, 'yes', 0], [date + 1, 'no', 1], [Date.now(), 'no', 1]]) {
    const { answers, problems } = stated.page('x', '/', old, '', now);
    assert.deepEqual([answers[0].text, problems.length], [text, count], `${now}`);
  }
  // Statements of robots.txt are those about the path of the URL.
  for (const [url, source] of [['/a', 'robots.txt line 2'], ['https://example.com/a', 'robots.txt line 2'], ['https://example.com/b', null]]) {
    assert.equal(stated.page('x', url, '', '').answers.find(({ question }) => question.includes('train')).source, source, url);
  }
} finally {
  rmSync(scratch, { recursive: true });
}
console.log('the classes and functions of the package do what its README says');
