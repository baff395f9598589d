// Which records count, and where each stands (L5, T, and the refusing halves of P, A, R, C, M).
//
// Strategy: records come sorted by (createdAt, uri) once; whatever is listed later is listed by walking them, so
// nothing is sorted again. Kinds are judged in the order of their table: an anchor is judged before what hangs on it,
// so one look at the anchor settles the way to the space (L5, T7). A record that counts gets `space`, `anchor`,
// `place` (the space, project or goal whose view it is in) and a place in its anchor's `on` lists.

import { KINDS } from './structure.js';
import { foldMembership, isAdmin } from './trust.js';

const MEMBERSHIP = new Set(['addMember', 'removeMember']);
const FREE = new Set(['agent', 'image']); // bound to every space of their author (T7)
const VIEWS = new Set(['space', 'project', 'goal']);
const UNDEFINABLE = new Set(['review', 'answer']);

const onlyIf = (fits, rule, reason) => (record, world) => (fits(record, world) ? null : [rule, reason]);
const byAnchorsAuthor = ({ author, anchor }) => author === anchor.author;
const byAdmin = ({ author, space }) => isAdmin(space, author);
const byEither = (record) => byAnchorsAuthor(record) || byAdmin(record);

// For each kind, its family's rules in numerical order.
const FAMILY = {
  editProject: [onlyIf(byAnchorsAuthor, 'P1', 'not by the author of the project')],
  archiveProject: [onlyIf(byAnchorsAuthor, 'P1', 'not by the author of the project')],
  setAutoReview: [onlyIf(byAdmin, 'P2', 'not by an admin')],
  artifactType: [
    onlyIf(({ value }) => !UNDEFINABLE.has(value.name), 'A1', 'this type cannot be defined'),
    onlyIf(byAdmin, 'A2', 'not by an admin'),
  ],
  artifactRequest: [onlyIf(isAskable, 'R1', 'lacks what its type needs')],
  artifact: [onlyIf(isDelivery, 'R2', 'its request asks for something else')],
  review: [onlyIf(isReviewAsked, 'R2', 'its request asks for something else')],
  retractRequest: [onlyIf(byEither, 'R3', 'by neither its author nor an admin')],
  claim: [onlyIf(({ anchor }) => anchor.value.assignee === undefined, 'C1', 'the request is assigned')],
  retractBless: [onlyIf(byEither, 'M2', 'by neither its author nor an admin')],
  setGuestComments: [onlyIf(byAdmin, 'M3', 'not by an admin')],
};

function isAskable({ value }) {
  if (value.type === 'review') return 'subject' in value;
  return value.type !== 'answer' || ['subject', 'goal', 'assignee'].every((field) => field in value);
}

function isDelivery({ value, space, anchor }, world) {
  const request = world.counted(value.request.uri);
  if (request?.kind !== 'artifactRequest' || request.space !== space) return true; // unresolved: kept (L5)
  return request.anchor === anchor && request.value.type === value.type && !UNDEFINABLE.has(value.type);
}

function isReviewAsked({ value, space }, world) {
  const request = value.request && world.counted(value.request.uri);
  if (request?.kind !== 'artifactRequest' || request.space !== space) return true;
  return request.value.type === 'review' && request.value.subject.uri === value.subject.uri;
}

/** Judges all records; `rule` of each becomes null or [rule, reason]. */
export function judge(records) {
  const byUri = new Map(records.map((record) => [record.uri, record]));
  const counted = (uri) => (byUri.get(uri)?.rule === null ? byUri.get(uri) : undefined);
  const world = { counted, records, spaces: [], spacesOf: new Map() };
  const byKind = {};
  for (const record of records) (byKind[record.kind] ??= []).push(record);
  for (const kind of Object.keys(KINDS)) {
    for (const record of byKind[kind] ?? []) judgeOne(record, world);
    if (kind === 'removeMember') foldTrust(records, world);
  }
  for (const record of records) if (record.rule === null) attach(record, world);
  return world;
}

function judgeOne(record, world) {
  if (record.kind === 'space') {
    world.spaces.push(Object.assign(record, { rule: null, space: record, place: record })); // T1
  } else if (FREE.has(record.kind)) {
    record.rule = world.spacesOf.has(record.author) ? null : ['T5', 'author is a member of no space'];
  } else record.rule = anchored(record, world);
}

function anchored(record, world) {
  const field = KINDS[record.kind].anchors.find((name) => name in record.value);
  const anchor = world.counted(record.value[field].uri);
  if (anchor === undefined) return ['L5', `${record.value[field].uri} is absent or ignored`];
  const { space } = anchor;
  Object.assign(record, { anchor, space, place: VIEWS.has(record.kind) ? record : anchor.place });
  if (MEMBERSHIP.has(record.kind)) return null; // judged by the fold of its space
  const wrong = record.kind === 'goal' ? misplaced(record, world) : null;
  if (wrong !== null) return wrong;
  if (!space.members.has(record.author)) return ['T5', 'author is no member of the space'];
  for (const rule of FAMILY[record.kind] ?? []) {
    const broken = rule(record, world);
    if (broken !== null) return broken;
  }
  return null;
}

// T7: a goal is placed by its space and its project.
function misplaced(goal, world) {
  const { uri } = goal.value.project;
  goal.project = world.counted(uri);
  if (goal.project === undefined) return ['L5', `${uri} is absent or ignored`];
  return goal.project.space === goal.space ? null : ['T7', 'its project is in another space'];
}

function foldTrust(records, world) {
  const events = new Map(world.spaces.map((space) => [space, []]));
  const placed = records.filter(({ kind, rule }) => MEMBERSHIP.has(kind) && rule === null);
  for (const event of placed) events.get(event.space).push(event);
  for (const space of world.spaces) {
    foldMembership(space, events.get(space));
    for (const did of space.members.keys()) {
      if (!world.spacesOf.has(did)) world.spacesOf.set(did, []);
      world.spacesOf.get(did).push(space);
    }
  }
}

function attach(record, world) {
  if (record.kind === 'agent') world.spacesOf.get(record.author).forEach((space) => stand(record, space, space));
  else if (record.kind === 'image') return;
  else stand(record, record.anchor, record.place);
  if (record.kind === 'goal') list(record.project, 'goal').push(record);
}

function stand(record, anchor, place) {
  (place.records ??= []).push(record);
  if (anchor) list(anchor, record.kind).push(record);
}

/** What hangs on a record, by kind, in (createdAt, uri) order. */
export function list(record, kind) {
  record.on ??= {};
  return (record.on[kind] ??= []);
}
