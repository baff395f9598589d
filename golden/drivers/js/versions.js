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
const AFTER_ALL = '~'; // sorts after every rev and every instant; '' sorts before

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
  const bound = (unknown, isBetter) => (version) =>
    fields.map((field) => version.sightings.map((sighting) => sighting[field])
      .reduce((best, one) => (one !== null && (best === unknown || isBetter(one, best)) ? one : best), unknown));
  const by = (key) => (a, b) => {
    const [keysA, keysB] = [key(a), key(b)];
    const i = fields.findIndex((_, n) => keysA[n] !== keysB[n]);
    return i < 0 ? byCodePoint(a.cid, b.cid) : keysA[i] < keysB[i] ? -1 : 1;
  };
  return { earliest: by(bound(AFTER_ALL, (a, b) => a < b)), latest: by(bound('', (a, b) => a > b)) };
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
  const seen = all.map(({ cid }) => cid);
  const base = { kept: null, edits: null, cid: seen[0] ?? null, seen };
  if (parts === null) return { ...base, ignored: { rule: 'O6', reason: 'not the URI of a record of ours' } };

  const survives = (sighting) => deletions.every((deletion) => isLater(sighting, deletion)); // V5
  const faults = new Map(all.map(({ cid, value, size }) => [cid, structuralFault(parts.kind, value, size)]));
  const valid = all.filter(({ cid }) => faults.get(cid) === null);
  const living = DELETABLE.has(parts.kind) ? valid.map((version) => surviving(version, survives)) : valid;
  const choice = pick(parts.kind, living.filter(({ sightings }) => sightings.length > 0), order);

  const reason = ({ cid }) => (faults.get(cid) !== null ? 'invalid' : choice.refused.get(cid) ?? 'deleted');
  const others = all.filter(({ cid }) => cid !== choice.kept?.cid).map((one) => ({ cid: one.cid, reason: reason(one) }));
  const deleted = deletions.length > 0 && !all.some(({ sightings }) => sightings.some(survives));
  const edits = others.length > 0 || deleted ? { uri, kept: choice.kept?.cid ?? null, others, deleted } : null;
  const ignored = choice.kept !== null ? null : whyNone(faults.get(seen[0]), valid, choice);
  return { ...base, ...choice, edits, ignored, cid: choice.kept?.cid ?? base.cid };
}

const surviving = (version, survives) => ({ ...version, sightings: version.sightings.filter(survives) });

function whyNone(firstFault, valid, { refused }) {
  if (firstFault !== undefined && valid.length === 0) return firstFault; // L6, L1: what the earliest version breaks
  if (refused.size > 0) return { rule: 'C2', reason: 'no version keeps the lease contract' };
  return { rule: 'V5', reason: 'deleted' };
}

// Among living versions: {kept, refused: Map of CID → reason, closed: V4's effective value}.
function pick(kind, living, order) {
  if (living.length === 0) return { kept: null, refused: new Map() };
  const earliest = living.toSorted(order.earliest)[0];
  const latest = (some) => some.toSorted(order.latest).at(-1) ?? null;
  const make = (kept, reason, extra) => ({
    kept,
    refused: new Map(living.filter((version) => version !== kept).map((version) => [version.cid, reason(version)])),
    ...extra,
  });
  if (kind === 'agent') return make(latest(living), () => 'superseded'); // V2
  if (kind === 'claim') return pickClaim(earliest, living, order, make);
  if (kind === 'goal') {
    const unclosed = new Map(living.map((version) => [version.cid, cidOf(withoutClosed(version.value))]));
    const alike = living.filter(({ cid }) => unclosed.get(cid) === unclosed.get(earliest.cid)); // V4
    const closed = latest(alike).value.closed ?? false;
    return make(earliest, (version) => (alike.includes(version) ? 'legacy ending' : 'edit'), { closed });
  }
  return make(earliest, () => 'edit'); // V1
}

function pickClaim(base, living, order, make) {
  const frozen = ({ value }) => `${instant(value.createdAt)} ${value.request.uri}`;
  const inContract = living.filter((version) => frozen(version) === frozen(base) && keepsContract(version.value));
  const expires = ({ value }) => instant(value.expiresAt);
  const byExpiry = (a, b) => (expires(a) < expires(b) ? -1 : expires(a) > expires(b) ? 1 : order.latest(a, b));
  const kept = inContract.toSorted(byExpiry).at(-1) ?? null; // V3
  return make(kept, (version) => {
    if (frozen(version) !== frozen(base)) return 'frozen';
    if (!inContract.includes(version)) return 'C2';
    return order.latest(version, kept) > 0 ? 'shortened' : 'superseded';
  });
}

// C2: 0 < expiresAt − renewedAt ≤ 1 h, renewedAt ≥ createdAt, expiresAt ≤ createdAt + 24 h.
function keepsContract({ createdAt, renewedAt = createdAt, expiresAt }) {
  const [created, renewed, expires] = [createdAt, renewedAt, expiresAt].map(instant);
  return renewed < expires && expires <= later(renewed, HOUR) && renewed >= created && expires <= later(created, 24 * HOUR);
}

function withoutClosed({ closed, ...rest }) {
  return rest;
}
