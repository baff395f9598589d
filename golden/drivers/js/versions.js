// Which version of a record counts (O3, O4, V).
//
// Strategy: observations are gathered by URI and CID. One order per URI (O3) serves "earliest" and "latest". A kind
// with a rule of its own has a chooser; each gives the version kept and, for every other, why it is refused.

import { cidOf } from './canonical.js';
import { byCodePoint, instant, later } from './formats.js';
import { recordParts } from './observations.js';
import { structuralFault } from './structure.js';

const DELETABLE = new Set(['claim', 'agent', 'join']); // V5
const HOUR = 3600;
const AFTER_ALL = '~'; // sorts after every rev and every instant
const BEFORE_ALL = '';

/** Observations by URI: {uri, parts, versions: Map of CID → {cid, value, size, sightings}, deletions}. */
export function gather(observations) {
  const groups = new Map();
  for (const { uri, cid, value, size, rev, seen } of observations) {
    if (!groups.has(uri)) groups.set(uri, { uri, parts: recordParts(uri), versions: new Map(), deletions: [] });
    const { versions, deletions } = groups.get(uri);
    if (value !== null && !versions.has(cid)) versions.set(cid, { cid, value, size, sightings: [] });
    (value === null ? deletions : versions.get(cid).sightings).push({ rev, seen });
  }
  return groups.values();
}

// O3: what all sightings have decides the order; O4: a version counts by its least, or its greatest, of each.
function orders(versions) {
  const sightings = versions.flatMap((version) => version.sightings);
  const all = (field) => sightings.every((sighting) => sighting[field] !== null);
  const fields = all('rev') ? ['rev'] : all('seen') ? ['seen'] : ['rev', 'seen'];
  const by = (bound) => (a, b) => {
    for (const field of fields) {
      const [keyA, keyB] = [bound(a, field), bound(b, field)];
      if (keyA !== keyB) return keyA < keyB ? -1 : 1;
    }
    return byCodePoint(a.cid, b.cid);
  };
  return { earliest: by(least), latest: by(greatest) };
}

function least({ sightings }, field) {
  return sightings.reduce((best, one) => (one[field] !== null && one[field] < best ? one[field] : best), AFTER_ALL);
}

function greatest({ sightings }, field) {
  return sightings.reduce((best, one) => (one[field] !== null && one[field] > best ? one[field] : best), BEFORE_ALL);
}

const isLater = (sighting, deletion) => {
  const field = ['rev', 'seen'].find((name) => sighting[name] !== null && deletion[name] !== null);
  return field !== undefined && sighting[field] > deletion[field];
};

/** V: {kept, closed, ignored: {rule, reason} | null, edits: row | null, cid, seen: CIDs} for one URI. */
export function choose({ uri, parts, versions, deletions }) {
  const all = [...versions.values()];
  const order = orders(all);
  all.sort(order.earliest);
  const first = all[0]?.cid ?? null;
  const base = { kept: null, edits: null, cid: first, seen: new Set(versions.keys()) };
  if (parts === null) return { ...base, ignored: { rule: 'O6', reason: 'not the URI of a record of ours' } };

  const survives = (sighting) => deletions.every((deletion) => isLater(sighting, deletion)); // V5
  const faults = new Map(all.map(({ cid, value, size }) => [cid, structuralFault(parts.kind, value, size)]));
  const valid = all.filter(({ cid }) => faults.get(cid) === null);
  const surviving = (version) => ({ ...version, sightings: version.sightings.filter(survives) });
  const living = DELETABLE.has(parts.kind) ? valid.map(surviving) : valid;
  const choice = pick(parts.kind, living.filter(({ sightings }) => sightings.length > 0), order);

  const reason = ({ cid }) => (faults.get(cid) !== null ? 'invalid' : choice.refused.get(cid) ?? 'deleted');
  const notKept = all.filter(({ cid }) => cid !== choice.kept?.cid);
  const others = notKept.map((version) => ({ cid: version.cid, reason: reason(version) }));
  const deleted = deletions.length > 0 && !all.some(({ sightings }) => sightings.some(survives));
  const edits = others.length > 0 || deleted ? { uri, kept: choice.kept?.cid ?? null, others, deleted } : null;
  const ignored = choice.kept !== null ? null : whyNone(faults.get(first), valid, choice);
  return { ...base, ...choice, edits, ignored, cid: choice.kept?.cid ?? base.cid };
}

function whyNone(firstFault, valid, { refused }) {
  if (firstFault !== undefined && valid.length === 0) return firstFault; // L6, L1: what the earliest version breaks
  if (refused.size > 0) return { rule: 'C2', reason: 'no version keeps the lease contract' };
  return { rule: 'V5', reason: 'deleted' };
}

// Among living versions: {kept, refused: Map of CID → reason, closed: V4's effective value}.
function pick(kind, living, order) {
  if (living.length === 0) return { kept: null, refused: new Map() };
  const { kept, reason, closed } = (CHOOSERS[kind] ?? earliestWins)(living, living.toSorted(order.earliest)[0], order);
  const refused = living.filter((version) => version !== kept).map((version) => [version.cid, reason(version)]);
  return { kept, closed, refused: new Map(refused) };
}

const CHOOSERS = { agent: latestWins, claim: longestLease, goal: earliestButClosed };

function earliestWins(living, base) {
  return { kept: base, reason: () => 'edit' }; // V1
}

function latestWins(living, base, order) {
  return { kept: living.toSorted(order.latest).at(-1), reason: () => 'superseded' }; // V2
}

// V3: the request and createdAt are the base's; of the versions in contract the longest lease counts.
function longestLease(living, base, order) {
  const frozen = ({ value }) => `${instant(value.createdAt)} ${value.request.uri}`;
  const expires = ({ value }) => instant(value.expiresAt);
  const byExpiry = (a, b) => (expires(a) < expires(b) ? -1 : expires(a) > expires(b) ? 1 : order.latest(a, b));
  const sound = living.filter((version) => frozen(version) === frozen(base) && keepsContract(version.value));
  const kept = sound.sort(byExpiry).at(-1) ?? null;
  const reason = (version) => {
    if (frozen(version) !== frozen(base)) return 'frozen';
    if (!keepsContract(version.value)) return 'C2';
    return order.latest(version, kept) > 0 ? 'shortened' : 'superseded';
  };
  return { kept, reason };
}

// V4: the base stays; the latest of the versions that are it but for `closed` says whether it is closed.
function earliestButClosed(living, base, order) {
  const rest = ({ value: { closed, ...others } }) => cidOf(others);
  const alike = new Set(living.filter((version) => version === base || rest(version) === rest(base)));
  const { closed = false } = [...alike].sort(order.latest).at(-1).value;
  return { kept: base, reason: (version) => (alike.has(version) ? 'legacy ending' : 'edit'), closed };
}

// C2: 0 < expiresAt − renewedAt ≤ 1 h, renewedAt ≥ createdAt, expiresAt ≤ createdAt + 24 h.
function keepsContract({ createdAt, renewedAt = createdAt, expiresAt }) {
  const [created, renewed, expires] = [createdAt, renewedAt, expiresAt].map(instant);
  if (renewed < created || expires <= renewed) return false;
  return expires <= later(renewed, HOUR) && expires <= later(created, 24 * HOUR);
}
