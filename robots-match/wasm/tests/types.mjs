// Compiles an example in TypeScript against the types of the npm package: node types.mjs PACKAGE

import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const [folder] = process.argv.slice(2);
const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
const scratch = mkdtempSync(join(resolve('.'), 'types-'));
const compile = (text) => {
  writeFileSync(join(scratch, 'example.ts'), text.replace('robots-match', resolve(folder, 'index.js')));
  const options = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext'];
  return spawnSync(process.execPath, [compiler, ...options, join(scratch, 'example.ts')], { encoding: 'utf8' });
};
const example = (line) => `import { RobotsTxt, knownCrawlers, type Verdict } from 'robots-match';
const robots = new RobotsTxt(new Uint8Array(), 'google');
const verdict: Verdict = robots.check('ExampleBot', '/');
const line: number | undefined = verdict.rule?.line;
const names: string[] = knownCrawlers().map((known) => known.name);
const path: string | undefined = robots.rules('a').difference(robots.rules('b')).newlyAllowed.witness?.path;
const fix: string | undefined = robots.lint().findings[0]?.fix?.replacement;
${line}
export { line, names, path, fix };
`;
try {
  const good = compile(example(''));
  if (good.status !== 0) throw new Error(good.stdout);
  const bad = compile(example('const wrong: number = verdict.allowed;'));
  if (bad.status === 0 || !bad.stdout.includes("'boolean' is not assignable")) throw new Error(`accepted: ${bad.stdout}`);
} finally {
  rmSync(scratch, { recursive: true });
}
console.log('an example in TypeScript compiles, and one with a wrong type does not');
