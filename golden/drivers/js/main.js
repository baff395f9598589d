// The driver: golden/PROTOCOL.md's line protocol on standard input and output, or one fold from a file.
//
//   node main.js              answers requests, one JSON object a line
//   node main.js fold FILE    prints the index (§15) of a JSON Lines file or a golden scenario; `-` is standard input

import { readFileSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { cidOfBytes, encode, isObject } from './canonical.js';
import { fold } from './fold.js';
import { readLine, readObservation } from './observations.js';
import { DEEPEST, readJson } from './reader.js';
import { writeJson } from './writer.js';

const { version } = JSON.parse(readFileSync(new URL('./package.json', import.meta.url)));
const PROTOCOL = 1;
const AROUND = 2; // levels of a request around what would be a line

const COMMANDS = {
  start: () => ({ ok: true, name: 'radial-js', version, protocol: PROTOCOL }),
  stop: () => ({ ok: true }),
  run: ({ records, ask }) => {
    const folded = fold(observations(records));
    return { answers: ask.map((one) => answer(folded, one)) };
  },
  encode: ({ value }) => {
    const bytes = encode(value);
    return { hex: Buffer.from(bytes).toString('hex'), cid: cidOfBytes(bytes) };
  },
  parse: ({ line }) => {
    const { observation, faults } = readLine(line);
    return faults.length > 0 ? { ok: false, faults } : { ok: true, cid: observation?.cid ?? null };
  },
};

function observations(records) {
  const read = records.map(readObservation);
  const faults = read.flatMap((one, i) => one.faults.map((fault) => `records[${i}]: ${fault}`));
  if (faults.length > 0) throw new Error(faults.join('; '));
  return read.map(({ observation }) => observation);
}

// The keys of a question, and what they ask. `at` and `sightings` belong to `live` and `winner`.
const QUESTIONS = {
  live: (folded, uris, ask) => each(uris, (uri) => folded.live(uri, ask.sightings ?? [], ask.at)),
  winner: (folded, uris, ask) => each(uris, (uri) => folded.winner(uri, ask.sightings ?? [], ask.at)),
  upstream: (folded, uris) => each(uris, folded.upstream),
  downstream: (folded, uris) => each(uris, folded.downstream),
  capable: (folded, asked) => asked.map(({ space, type }) => ({ space, type, agents: folded.capable(space, type) })),
  explain: (folded, uris) => uris.map(folded.explain),
};
const each = (keys, value) => Object.fromEntries(keys.map((key) => [key, value(key)]));

function answer(folded, ask) {
  const asked = Object.keys(QUESTIONS).filter((key) => ask[key] != null);
  return { index: folded.index, ...each(asked, (key) => QUESTIONS[key](folded, ask[key], ask)) };
}

// Answers one line; true when it was the last.
function respond(line) {
  if (line.trim() === '') return false;
  const { value: request, faults } = read(line);
  const seq = request.seq === undefined ? {} : { seq: request.seq };
  process.stdout.write(`${writeJson({ ...seq, ...carryOut(request, faults) })}\n`);
  return request.cmd === 'stop';
}

function read(text) {
  try {
    const { value, faults } = readJson(text, DEEPEST + AROUND);
    return isObject(value) ? { value, faults } : { value: {}, faults: ['not an object'] };
  } catch (error) {
    return { value: {}, faults: [error.message] };
  }
}

function carryOut(request, faults) {
  try {
    if (faults.length > 0 && request.cmd !== 'parse') throw new Error(faults.join('; '));
    if (!Object.hasOwn(COMMANDS, request.cmd)) throw new Error(`no such command: ${request.cmd}`);
    return COMMANDS[request.cmd](request);
  } catch (error) {
    return { error: error.message };
  }
}

async function serve() {
  const decoder = new StringDecoder('utf8');
  let rest = [];
  for await (const chunk of process.stdin) {
    const [head, ...lines] = decoder.write(chunk).split('\n');
    rest.push(head);
    for (const line of lines) {
      if (respond(rest.join(''))) return;
      rest = [line];
    }
  }
}

function foldFile(path) {
  const text = readFileSync(path === '-' ? 0 : path, 'utf8');
  const scenario = read(text).value; // O5: recognised by its `format` key
  const lines = 'format' in scenario ? scenario.records.map(readObservation) : text.split('\n').map(readLine);
  const bad = lines.flatMap(({ faults }, i) => (faults.length > 0 ? [`${i + 1}: ${faults.join('; ')}`] : []));
  if (bad.length > 0) {
    process.stderr.write(`${bad.join('\n')}\n`);
    process.exitCode = 1;
    return;
  }
  const { index } = fold(lines.map(({ observation }) => observation).filter((one) => one !== null));
  process.stdout.write(`${writeJson(index, '\n', '  ')}\n`);
}

const [command, path] = process.argv.slice(2);
if (command === 'fold') foldFile(path);
else await serve();
