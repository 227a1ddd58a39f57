// Runs a script in the CPython that the package pyodide has: `node cpython.mjs FOLDER SCRIPT ARGUMENT...`, where npm has installed
// it in FOLDER. Releases of CPython that no distribution has yet can be asked so.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, script, ...words] = process.argv.slice(2);
const installed = createRequire(path.resolve(folder, 'package.json')).resolve('pyodide/pyodide.mjs');
const { loadPyodide } = await import(pathToFileURL(installed));
const python = await loadPyodide();
python.setStdin({ read: (buffer) => fs.readSync(0, buffer) });
python.setStdout({ write: (buffer) => fs.writeSync(1, buffer) });
python.globals.set('words', python.toPy([script, ...words]));
python.runPython('import sys\nsys.argv = words');
python.runPython(fs.readFileSync(script, 'utf8'), { filename: script });
