// Answers questions of the suite for robots-parser: `node robots-parser.js FOLDER`, where npm has installed it in FOLDER.
'use strict';

const { createRequire } = require('node:module');
const path = require('node:path');
const readline = require('node:readline');

const installed = createRequire(path.resolve(process.argv[2] ?? '.', 'package.json'));
const robotsParser = installed('robots-parser');
const { version } = installed('robots-parser/package.json');

function asked(message) {
  const body = Buffer.from(message.file.base64, 'base64').toString('utf8');
  const file = new URL('/robots.txt', message.target).href;
  const robots = robotsParser(file, body);
  const allow = robots.isAllowed(message.target, message.agents[0]);
  if (allow === undefined) return { error: 'says that the URL is not of this file' };
  const line = robots.getMatchingLineNumber(message.target, message.agents[0]);
  return { allow, line: line > 0 ? line : 0 };
}

readline.createInterface({ input: process.stdin, crlfDelay: Infinity }).on('line', (line) => {
  const message = JSON.parse(line);
  if (message.cmd === 'stop') process.exit(0);
  let answer;
  if (message.cmd === 'start') {
    const implementation = { name: 'robots-parser', version, language: 'JavaScript', documents: ['draft-koster-rep-00'] };
    const can = ['verdict', 'line', 'url', 'odd-agent', 'bytes', 'nul', 'byte-order-mark', 'long-line', 'size-limit'];
    answer = { protocol: 1, implementation, can };
  } else {
    try {
      answer = asked(message);
    } catch (error) {
      answer = { error: `${error.name}: ${error.message}` };
    }
    answer.seq = message.seq;
  }
  process.stdout.write(JSON.stringify(answer) + '\n');
});
