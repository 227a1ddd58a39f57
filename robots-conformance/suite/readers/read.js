// Counts the questions of a document: node read.js FOLDER DOCUMENT
const { readFileSync } = require('node:fs');
const [folder, document] = process.argv.slice(2);
let count = 0, allowed = 0;
for (const line of readFileSync(`${folder}/verdicts.tsv`, 'utf8').split('\n').slice(1, -1)) {
  const [, of, level, readings, needs, agents, url, decision, , file] = line.split('\t');
  if (of !== document || !['MUST', 'SHOULD', 'TEXT'].includes(level) || readings || needs) continue;
  const body = readFileSync(`${folder}/files/${file}`); // Ask your parser about `body`, `agents` and `url` here.
  count += 1, allowed += decision === 'allow';
}
console.log(document, count, 'questions,', allowed, 'allowed');
