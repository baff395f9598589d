// References between records (L4, C7), the forests and chains they make (M1, X2), and provenance (N).
//
// Strategy: every reference of a record that counts is resolved once, into `link[field]`: {uri, cid, target}, where
// `target` is the record or null. What resolves is written down at the other end too, in `named[field]`, so that
// nobody searches. Cycles are found by walking with a colour, never by recursion.

import { byCodePoint, instant } from './formats.js';

const NEVER_A_BASIS = new Set(['agent', 'image']);
const SUBJECT_KINDS = { review: 'artifact', answer: 'message' };

const any = ({ kind }) => !NEVER_A_BASIS.has(kind);
const of = (kind) => (target) => target.kind === kind;
const underSameAnchor = (kind) => (target, holder) => target.kind === kind && target.anchor === holder.anchor;
const subject = (target, { value }) =>
  Object.hasOwn(SUBJECT_KINDS, value.type) ? target.kind === SUBJECT_KINDS[value.type] : any(target);

// L4: for each kind, its references that are shown, and what each may resolve to.
const FIELDS = {
  goal: { project: of('project') },
  artifactRequest: { subject, basedOn: any },
  artifact: {
    request: of('artifactRequest'),
    prev: (target, holder) => underSameAnchor('artifact')(target, holder) && target.value.type === holder.value.type,
  },
  review: { subject: of('artifact'), request: of('artifactRequest') },
  message: { parent: underSameAnchor('message'), re: of('artifactRequest') },
  blessComment: { comment: of('message') },
};

/** Resolves all references, in place. */
export function link(world) {
  const counting = world.records.filter(({ rule }) => rule === null);
  for (const record of counting) {
    record.link = {};
    for (const [field, accepts] of Object.entries(FIELDS[record.kind] ?? {})) {
      const given = record.value[field];
      const made = (ref) => resolve(ref, record, accepts, world);
      record.link[field] = given === undefined ? null : Array.isArray(given) ? given.map(made) : made(given);
    }
  }
  cutParentCycles(counting.filter(of('message')));
  for (const record of counting) note(record);
  counting.filter(of('artifactRequest')).forEach(rankClaims);
}

function resolve({ uri, cid }, holder, accepts, world) {
  const found = world.counted(uri);
  const target = found !== undefined && found.space === holder.space && accepts(found, holder) ? found : null;
  return { uri, cid, target };
}

function note(record) {
  record.named ??= {};
  for (const [field, made] of Object.entries(record.link)) {
    for (const { target } of [made].flat().filter((one) => one?.target)) {
      target.named ??= {};
      (target.named[field] ??= []).push(record);
    }
  }
}

/** L4: a reference as the views show it. */
export function shown(made) {
  if (made === null) return null;
  const { uri, cid, target } = made;
  const pin = target === null ? null : cid === target.cid ? 'held' : target.seen.has(cid) ? 'edited' : 'unseen';
  return { uri, cid, pin, resolved: target !== null };
}

// M1: the parent of every message on a cycle resolves to nothing.
function cutParentCycles(messages) {
  const walkOf = new Map(); // message → the walk that came by first
  const parent = (message) => message.link.parent?.target ?? undefined;
  for (const start of messages) {
    let at = start;
    while (at !== undefined && !walkOf.has(at)) {
      walkOf.set(at, start);
      at = parent(at);
    }
    while (at !== undefined && walkOf.get(at) === start && parent(at) !== undefined) {
      const next = parent(at);
      at.link.parent.target = null;
      at = next;
    }
  }
}

/** M1: the messages of one anchor, depth first, as [message, depth]. */
export function thread(messages) {
  const stack = messages.filter((message) => !message.link.parent?.target).map((message) => [message, 0]).reverse();
  const order = [];
  while (stack.length > 0) {
    const [message, depth] = stack.pop();
    order.push([message, depth]);
    for (const reply of (message.named.parent ?? []).toReversed()) stack.push([reply, depth + 1]);
  }
  return order;
}

/** X2: the chains of one anchor's artifacts, by the URI of the first version. */
export function chains(artifacts) {
  const groups = new Map(); // artifact → its chain
  for (const artifact of artifacts) {
    if (groups.has(artifact)) continue;
    const chain = new Set([artifact]);
    for (const { link, named } of chain) {
      for (const next of [link.prev?.target ?? [], named.prev ?? []].flat()) chain.add(next); // grows while walked
    }
    for (const version of chain) groups.set(version, chain);
  }
  const found = [...new Set(groups.values())].map((chain) => [...chain].sort((a, b) => a.rank - b.rank));
  return found.sort(([a], [b]) => byCodePoint(a.uri, b.uri)).map((versions) => ({
    versions,
    current: versions.at(-1),
    forks: versions.filter(({ named }) => named.prev === undefined).length > 1,
  }));
}

// C7: a claim is lost when one that ranks before it was declared to last beyond its createdAt.
function rankClaims({ on }) {
  let last = '';
  for (const claim of on?.claim ?? []) {
    const expires = instant(claim.value.expiresAt);
    claim.lost = last > claim.at;
    if (expires > last) last = expires;
  }
}

/** C7: the claim a record names, as the views show it. */
export function shownClaim({ value, space }, requestRef, world) {
  if (value.claim === undefined) return null;
  const claim = world.counted(value.claim.uri);
  const fits = claim?.kind === 'claim' && claim.space === space && claim.anchor.uri === requestRef?.uri;
  return { uri: value.claim.uri, lost: fits ? claim.lost : null };
}

/** R2: is the message the answer that its request asks for? */
export function isAnswer({ link: { re, parent }, author, value }) {
  const request = re?.target?.value;
  if (request?.type !== 'answer' || author !== request.assignee || value.declines === true) return false;
  return parent?.target?.uri === request.subject.uri;
}

// N1: from a record to what it came from.
function sources(record) {
  const ends = (...fields) => fields.flatMap((field) => record.link[field] ?? []).flatMap(({ target }) => target ?? []);
  if (record.kind === 'artifact') return ends('request', 'prev');
  if (record.kind === 'artifactRequest') return ends('basedOn', 'subject');
  if (record.kind === 'review') return ends('subject', 'request');
  if (record.kind === 'message') return isAnswer(record) ? ends('parent') : [];
  return record.kind === 'checkrun' || record.kind === 'merge' ? [record.anchor] : [];
}

/** N2: {upstream, downstream}: functions from a URI to the URIs of its closure, in (createdAt, uri) order. */
export function provenance(world) {
  const up = new Map();
  const down = new Map();
  const counting = world.records.filter(({ rule, kind }) => rule === null && kind !== 'image');
  for (const record of counting) {
    up.set(record, sources(record));
    for (const source of up.get(record)) {
      if (!down.has(source)) down.set(source, []);
      down.get(source).push(record);
    }
  }
  const closure = (edges) => (uri) => {
    const start = world.counted(uri);
    const found = new Set(start === undefined ? [] : [start]);
    for (const record of found) for (const next of edges.get(record) ?? []) found.add(next); // grows while walked
    found.delete(start);
    return [...found].sort((a, b) => a.rank - b.rank).map((record) => record.uri);
  };
  return { upstream: closure(up), downstream: closure(down) };
}
