// Answers rows for robots-parser. The first line on stdout has the version; after that, each line of JSON on stdin
// gets one line. README.md describes the lines.
'use strict';

const { createRequire } = require('node:module');
const readline = require('node:readline');

// The folder into which npm has installed it is the first argument.
const installed = createRequire(require('node:path').join(process.argv[2], 'package.json'));
const robotsParser = installed('robots-parser');
const { version } = installed('robots-parser/package.json');

function answer(row) {
  if (row.agents.length !== 1) {
    return { unasked: 'several names of one crawler' };
  }
  if (row.url === null) {
    return { unasked: 'text that is not an absolute URL' };
  }
  try {
    const file = new URL('/robots.txt', row.url).href;
    const robots = robotsParser(file, Buffer.from(row.body, 'hex').toString('utf8'));
    const allowed = robots.isAllowed(row.url, row.agents[0]);
    return allowed === undefined ? { error: 'says that the URL is not of this file' } : { allowed };
  } catch (error) {
    return { error: `throws ${error.name}: ${error.message}` };
  }
}

process.stdout.write(JSON.stringify({ version, claims: ['draft-koster-rep-00'] }) + '\n');
readline.createInterface({ input: process.stdin, crlfDelay: Infinity }).on('line', (line) => {
  process.stdout.write(JSON.stringify(answer(JSON.parse(line))) + '\n');
});
