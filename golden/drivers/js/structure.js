// The records (§13) and whether a value is one (L1, L6).
//
// Strategy: one table of fields per kind of record. A field is a function `(value, path, faults)` that names its
// faults; `optional` wraps one. `anchor` fields say which kind of record they name: the same table places records
// (T7). The order of the table is the order in which kinds are judged: every anchor stands above what hangs on it.

import { depthOf, isLink, isObject } from './canonical.js';
import { atUri, instant, isCidText, isDid, isUri } from './formats.js';

export const PREFIX = 'com.disnetdev.radial.';
const DEEPEST = 64;
const LARGEST = 1_048_576;
const LARGEST_IMAGE = 10_000_000;

const say = (faults, message, path) => faults.push({ message, path });

const check = (message, good) => (value, path, faults) => {
  if (!good(value)) say(faults, message, path);
};
const isText = (value) => typeof value === 'string';
const isInteger = (value) => typeof value === 'bigint' || typeof value === 'number';

const text = check('not a string', isText);
const bool = check('not a boolean', (value) => typeof value === 'boolean');
const from = (least) => check(`not an integer of at least ${least}`, (value) => isInteger(value) && value >= least);
const did = check('not a DID', (value) => isText(value) && isDid(value));
const uri = check('not a URI', (value) => isText(value) && isUri(value));
const cid = check('not a CID', (value) => isText(value) && isCidText(value));
const link = check('not a link', isLink);
const datetime = check('not a datetime', (value) => isText(value) && instant(value) !== null); // L2
const oneOf = (...words) => check(`none of ${words.join(', ')}`, (value) => words.includes(value));

const optional = (field) => Object.assign((...args) => field(...args), { optional: true, anchor: field.anchor });

const object = (fields) => (value, path, faults) => {
  if (!isObject(value)) return say(faults, 'not an object', path);
  for (const [name, field] of Object.entries(fields)) {
    if (name in value) field(value[name], `${path}.${name}`, faults);
    else if (!field.optional) say(faults, 'missing', `${path}.${name}`);
  }
};

const list = (item) => (value, path, faults) => {
  if (!Array.isArray(value)) return say(faults, 'not a list', path);
  value.forEach((one, i) => item(one, `${path}[${i}]`, faults));
};

const mapOf = (item) => (value, path, faults) => {
  if (!isObject(value)) return say(faults, 'not an object', path);
  for (const [key, one] of Object.entries(value)) item(one, `${path}.${key}`, faults);
};

// A strongref whose URI fits; the collection matters for anchors and subjects only.
const refTo = (message, fits) => {
  const at = (value, path, faults) => {
    const parts = isText(value) ? atUri(value) : null;
    if (parts === null) say(faults, 'not an at-uri', path);
    else if (!fits(parts)) say(faults, message, path);
  };
  return object({ uri: at, cid });
};
const ref = refTo('', () => true);
const names = (kind) => refTo(`does not name a ${kind}`, ({ collection }) => collection === PREFIX + kind);
const anchor = (kind) => Object.assign(names(kind), { anchor: kind });
const byDid = refTo('authority is no DID', ({ authority }) => isDid(authority));

const blobOf = (mimeType, most) =>
  object({
    $type: oneOf('blob'),
    ref: link,
    mimeType,
    size: check('not a size in bytes', (size) => isInteger(size) && size >= 0 && size <= most),
  });
const blob = blobOf(text, Infinity);
const picture = blobOf(oneOf('image/png', 'image/jpeg', 'image/webp', 'image/gif'), LARGEST_IMAGE);

const exactlyOne = (a, b) => (value, faults) => {
  if (a in value === b in value) say(faults, `exactly one of ${a}, ${b}`, '$');
};
const atLeastOne = (...fields) => (value, faults) => {
  if (!fields.some((field) => field in value)) say(faults, `at least one of ${fields.join(', ')}`, '$');
};
// L1: the subject of a review request is an artifact, of an answer request a message.
const SUBJECTS = { review: 'artifact', answer: 'message' };
const subjectFits = ({ type, subject }, faults) => {
  const kind = isText(type) && Object.hasOwn(SUBJECTS, type) ? SUBJECTS[type] : null;
  const parts = isObject(subject) && isText(subject.uri) ? atUri(subject.uri) : null; // else it has a fault already
  if (kind !== null && parts !== null && parts.collection !== PREFIX + kind) {
    say(faults, `does not name a ${kind}`, '$.subject.uri');
  }
};

const space = { space: anchor('space') };
const project = { project: anchor('project') };
const goal = { goal: anchor('goal') };
const artifact = { artifact: anchor('artifact') };
const request = { request: anchor('artifactRequest') };
const optionally = (fields) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, optional(field)]));
const maybe = { text: optional(text), bool: optional(bool), ref: optional(ref), datetime: optional(datetime) };
const turn = { model: maybe.text, claim: maybe.ref };
const goalOrProject = optionally({ ...goal, ...project });

const kind = (fields, ...rules) => ({
  anchors: Object.keys(fields).filter((name) => fields[name].anchor !== undefined),
  check: object({ ...fields, createdAt: datetime }),
  rules,
});

export const KINDS = {
  space: kind({ name: text, description: maybe.text }),
  addMember: kind({ ...space, did, kind: oneOf('human', 'agent'), role: oneOf('admin', 'member', 'agent') }),
  removeMember: kind({ ...space, did, membership: ref }),
  join: kind(space),
  setGuestComments: kind({ ...space, enabled: bool }),
  artifactType: kind({ ...space, name: text, brief: text, outputSpec: text, scope: oneOf('goal', 'project') }),
  agent: kind({
    ...{ handleName: text, harness: text, artifactTypes: list(text) },
    models: list(object({ name: text, costHint: maybe.text })),
  }),
  image: kind({ blob: picture, alt: maybe.text, name: maybe.text }),
  project: kind({
    ...{ ...space, name: text, gitUrl: uri, defaultBranch: text },
    checks: optional(list(object({ name: text, command: text }))),
    autoReview: optional(mapOf(bool)),
  }),
  setAutoReview: kind({ ...project, type: text, enabled: bool }),
  editProject: kind(
    { ...project, name: maybe.text, gitUrl: optional(uri), defaultBranch: maybe.text },
    atLeastOne('name', 'gitUrl', 'defaultBranch'),
  ),
  archiveProject: kind({ ...project, archived: bool }),
  goal: kind({ ...space, ...project, title: text, body: text, closed: maybe.bool }),
  closeGoal: kind({ ...goal, closed: bool, disposition: maybe.text }),
  archiveGoal: kind({ ...goal, archived: bool }),
  artifactRequest: kind(
    {
      ...{ ...goalOrProject, type: text, subject: maybe.ref, basedOn: optional(list(ref)) },
      ...{ assignee: optional(did), brief: maybe.text, autoReview: maybe.bool },
    },
    exactlyOne('goal', 'project'),
    subjectFits,
  ),
  retractRequest: kind(request),
  claim: kind({ ...request, renewedAt: maybe.datetime, expiresAt: datetime }),
  artifact: kind(
    {
      ...{ ...goalOrProject, request: ref, type: text, prev: maybe.ref, title: maybe.text, body: text, ...turn },
      ...{ bodyBlob: optional(blob), criteria: optional(list(text)) },
      links: optional(object({ branch: maybe.text, commit: maybe.text, pr: optional(uri) })),
    },
    exactlyOne('goal', 'project'),
  ),
  review: kind({
    ...{ subject: anchor('artifact'), request: maybe.ref, verdict: oneOf('approve', 'request_changes'), ...turn },
    findings: optional(list(object({ path: maybe.text, line: optional(from(1)), severity: text, body: text }))),
  }),
  checkrun: kind({ ...artifact, commit: text, results: list(object({ name: text, pass: bool, log: maybe.text })) }),
  merge: kind({ ...artifact, pr: uri, commit: maybe.text, mergedAt: maybe.datetime }),
  message: kind(
    {
      ...{ ...optionally({ ...goal, ...artifact }), root: maybe.ref, parent: maybe.ref, body: text, ...turn },
      ...{ mentions: optional(list(did)), re: maybe.ref, declines: maybe.bool },
    },
    exactlyOne('goal', 'artifact'),
  ),
  blessComment: kind({ ...goal, comment: byDid, body: text }),
  retractBless: kind({ bless: anchor('blessComment') }),
};

/** Every fault of a value under a record URI of that kind, as {rule, reason}; null when there is none. */
export function structuralFault(name, value, size) {
  if (depthOf(value) > DEEPEST) return { rule: 'L6', reason: `nested deeper than ${DEEPEST} levels` };
  if (size > LARGEST) return { rule: 'L6', reason: `larger than ${LARGEST} bytes` };
  const faults = [];
  KINDS[name].check(value, '$', faults);
  if (isObject(value)) {
    if (value.$type !== PREFIX + name) say(faults, 'not the collection of the URI', '$.$type');
    for (const rule of KINDS[name].rules) rule(value, faults);
  }
  const reason = faults.map(({ message, path }) => `${message} @ ${path}`).join('; ');
  return faults.length > 0 ? { rule: 'L1', reason } : null;
}
