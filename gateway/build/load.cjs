// Loads the programs of this folder, where `npm run build` puts it beside them. Each is a few scripts; with each lies the
// code that V8 has made of it before, where a warm-up has left it. Plain CommonJS: nothing is loaded before it.
'use strict';
const { readFileSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const { basename, join } = require('node:path');
const { pathToFileURL } = require('node:url');
const { setFlagsFromString } = require('node:v8');
const { Script } = require('node:vm');
const { crc32 } = require('node:zlib');

const modules = new Map();
/** Modules without code, to which Node ties the source maps of scripts. It forgets a map with its module. */
const mapHolders = [];
/** The scripts that were loaded, by path, while their code is recorded. */
let recorded;

/**
 * By how much V8 lets the young generation grow when much of it stays. Nearly all that a start makes stays, which V8 would
 * take for load and answer with 32 MiB that an idle process does not need.
 */
const GROWTH = { atStart: 1, usual: 2 };
/** How long a start takes at most where nothing else keeps the processors busy. */
const START_MS = 3_000;
let isStarting = false;

/** The `require` of scripts: among themselves they go by file name. */
const requireHere = Object.assign((id) => (id.startsWith('./') ? load(id.slice(2)) : require(id)), require);

/** @returns the exports of the script; it runs once */
function load(name) {
  const known = modules.get(name);
  if (known !== undefined) {
    return known.exports;
  }
  const path = join(__dirname, name);
  const script = compile(path);
  recorded?.set(path, script);
  const module = { exports: {} };
  modules.set(name, module);
  const run = script.runInThisContext();
  run(module.exports, requireHere, module, path, __dirname, pathToFileURL(path).href);
  return module.exports;
}

function compile(path) {
  const source = readFileSync(path);
  if (process.sourceMapsEnabled) {
    addSourceMap(path);
  }
  // Bundles are plain ASCII.
  const make = () =>
    new Script(source.toString('latin1'), { filename: path, cachedData: readCode(path, source) });
  return isStarting ? withFlagsOfCode(make) : make();
}

/** Starts a program. The young generation begins to grow with the load when the start is over. */
function start(name) {
  isStarting = true;
  setGrowth(GROWTH.atStart);
  setTimeout(() => {
    isStarting = false;
    setGrowth(GROWTH.usual);
  }, START_MS).unref();
  return load(name);
}

/** V8 takes code only under the flags that it was made under: those of a process that is not starting. */
function withFlagsOfCode(work) {
  setGrowth(GROWTH.usual);
  try {
    return work();
  } finally {
    setGrowth(GROWTH.atStart);
  }
}

const setGrowth = (factor) => setFlagsFromString(`--semi-space-growth-factor=${factor}`);

/** Node reads source maps of modules alone, not of scripts. */
function addSourceMap(path) {
  const holder = new Module(path);
  holder._compile(`//# sourceMappingURL=${basename(path)}.map`, path);
  mapHolders.push(holder);
}

/**
 * The code of a script, if it is there, whole, and made of this very script. V8 itself checks that this version of it has
 * made the code, under the same flags. Whatever is wrong with it, the script starts without, only slower.
 */
function readCode(path, source) {
  try {
    const file = readFileSync(codeFile(path));
    const code = file.subarray(4);
    return file.readUInt32LE() === checksum(code, source) ? code : undefined;
  } catch {
    return undefined;
  }
}

const codeFile = (path) => `${path}.code`;

/** V8 compares no more of a source than its length. */
function checksum(code, source) {
  return crc32(source, crc32(code));
}

/** Runs the warm-up, and keeps the code of all scripts that it has loaded, with the functions that it has called. */
async function record(warmUp) {
  recorded = new Map();
  // Until then no code is dropped as old. Code that was made under other flags is not taken, so the flag goes back.
  setFlagsFromString('--no-flush-bytecode');
  await load(warmUp).warmedUp;
  setFlagsFromString('--flush-bytecode');
  recorded.delete(join(__dirname, warmUp));
  for (const [path, script] of recorded) {
    const code = script.createCachedData();
    const sum = Buffer.alloc(4);
    sum.writeUInt32LE(checksum(code, readFileSync(path)));
    writeFileSync(codeFile(path), Buffer.concat([sum, code]));
  }
}

module.exports = start;
/** Loads what is no program: the package's exports. Its process is not this product's, so V8's flags stay as they are. */
module.exports.load = load;

if (require.main === module) {
  record(process.argv[2]).then(
    () => process.exit(0),
    (error) => {
      process.stderr.write(`${error.stack}\n`);
      process.exit(1);
    },
  );
}
