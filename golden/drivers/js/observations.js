// Observations and their wire form (O1, O2, O5, O6).

import { cidOfBytes, encode, isObject } from './canonical.js';
import { atUri, instant, isDid, isTid } from './formats.js';
import { readJson } from './reader.js';
import { KINDS, PREFIX } from './structure.js';

const isText = (value) => typeof value === 'string';

/** One line of JSON Lines: {observation, faults}; a blank line is neither. */
export function readLine(line) {
  if (/^\s*$/.test(line)) return { observation: null, faults: [] };
  try {
    const { value, faults } = readJson(line);
    return faults.length > 0 ? { observation: null, faults } : readObservation(value);
  } catch (error) {
    return { observation: null, faults: [`${error.message} @ $`] };
  }
}

/** An observation out of its wire form, a value of the data model. */
export function readObservation(wire) {
  if (!isObject(wire)) return { observation: null, faults: ['not an object @ $'] };
  const given = (key) => wire[key] ?? null; // O5: null means absent
  const [uri, cid, value, rev, seenAt] = ['uri', 'cid', 'value', 'rev', 'seenAt'].map(given);
  const bytes = value === null ? null : encode(value);
  const made = bytes === null ? null : cidOfBytes(bytes);
  const seen = isText(seenAt) ? instant(seenAt) : null;
  const wrong = [
    [!isText(uri), 'no string @ $.uri'],
    [(value === null) === (wire.deleted !== true), 'exactly one of value and deleted: true @ $'],
    [rev !== null && !(isText(rev) && isTid(rev)), 'no TID @ $.rev'],
    [seenAt !== null && seen === null, 'no datetime @ $.seenAt'],
    [cid !== null && made !== null && cid !== made, `not the CID of the value, ${made} @ $.cid`],
  ];
  const faults = wrong.filter(([bad]) => bad).map(([, fault]) => fault);
  const observation = { uri, cid: made, value, size: bytes?.length ?? 0, rev, seen };
  return { observation: faults.length > 0 ? null : observation, faults };
}

/** O6: {author, kind, rkey} of a URI that names a record of ours, or null. */
export function recordParts(uri) {
  const parts = atUri(uri);
  if (parts === null || parts.rkey === undefined || !isDid(parts.authority)) return null;
  const kind = parts.collection.startsWith(PREFIX) ? parts.collection.slice(PREFIX.length) : '';
  return Object.hasOwn(KINDS, kind) ? { author: parts.authority, kind, rkey: parts.rkey } : null;
}
