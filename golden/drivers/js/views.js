// The index as JSON (§15): the views of spaces, projects and goals (P, G, A, R, X, M) and their digests (D).
//
// Strategy: a view is a plain object read off the judged and linked records: `on` lists what hangs on a record,
// `named` what refers to it, both in (createdAt, uri) order, so "latest-wins" is `.at(-1)` and "first" is `[0]`. The
// digest of a view is taken right where the view is made.

import { cidOf } from './canonical.js';
import { byText, instant } from './formats.js';
import { list } from './judge.js';
import { chains, isAnswer, shown, shownClaim, thread } from './links.js';

const BUILT_IN = ['implementation', 'plan']; // A1
const KNOWN = new Set(['review', 'answer']); // A1: known, but in no registry

const uris = (records) => records.map(({ uri }) => uri);
const head = ({ uri, cid, author, value }) => ({ uri, cid, author, createdAt: value.createdAt });
const latest = (records, field) => records.findLast(({ value }) => field in value)?.value[field]; // P3
const optional = (value) => value ?? null;

/** §15 */
export function indexView(world, ignored, edits) {
  const spaces = world.spaces.toSorted(byText('uri')).map((space) => spaceView(space, world));
  const images = world.records.filter(({ rule, kind }) => rule === null && kind === 'image').map(imageView);
  const digest = cidOf({ kind: 'index', spaces: pairs(spaces, 'digest') });
  return { digest, spaces, images, ignored, edits };
}

const pairs = (views, field) => views.toSorted(byText('uri')).map((view) => [view.uri, view[field]]);

function imageView({ uri, cid, author, value }) {
  return { uri, cid, author, blob: value.blob }; // as written, with fields that nobody knows
}

function spaceView(space, world) {
  space.types = registry(list(space, 'artifactType'));
  const projects = list(space, 'project').map((project) => projectView(project, world)); // before goals, which ask them
  const goals = list(space, 'goal').map((goal) => goalView(goal, world));
  const view = {
    name: space.value.name,
    description: optional(space.value.description),
    root: space.author,
    records: uris(space.records),
    members: memberViews(space),
    grants: space.grants.map(grantView),
    guestComments: latest(list(space, 'setGuestComments'), 'enabled') ?? false, // M3
    artifactTypes: [...space.types.values()].sort(byText('name')),
    agents: list(space, 'agent').toSorted(byText('uri')).map(agentView),
    projects,
    goals,
  };
  return { uri: space.uri, cid: space.cid, digest: spaceDigest(space, view), ...view };
}

function memberViews(space) {
  const joined = new Set(list(space, 'join').map(({ author }) => author)); // T6
  const view = ([did, { kind, role, grant }]) => ({
    did,
    kind,
    role,
    joined: joined.has(did),
    grant: grant === null ? null : { uri: grant.event.uri, cid: grant.event.cid },
    since: (grant === null ? space : grant.event).value.createdAt,
  });
  return [...space.members].map(view).sort(byText('did'));
}

function grantView({ event, state, endedBy }) {
  const { did, kind, role, createdAt } = event.value;
  return { uri: event.uri, cid: event.cid, did, kind, role, by: event.author, at: createdAt, state, endedBy };
}

// A1, A2: by name, the built-in types and the latest definition of each name.
function registry(definitions) {
  const plain = { scope: 'goal', brief: null, outputSpec: null, builtIn: true, record: null };
  const types = new Map(BUILT_IN.map((name) => [name, { name, ...plain }]));
  for (const { uri, cid, value: { name, scope, brief, outputSpec } } of definitions) {
    const builtIn = BUILT_IN.includes(name);
    types.set(name, { name, scope, brief, outputSpec, builtIn, record: { uri, cid } });
  }
  return types;
}

function agentView({ uri, cid, author, rkey, value }) {
  const { handleName, harness, models, artifactTypes } = value;
  const model = ({ name, costHint }) => ({ name, costHint: optional(costHint) });
  return { uri, cid, did: author, profile: rkey, handleName, harness, models: models.map(model), artifactTypes };
}

function spaceDigest({ uri, cid }, view) {
  return cidOf({
    kind: 'space',
    uri,
    cid,
    members: view.members.map(({ did, kind, role, grant }) => [did, kind, role, grant?.uri ?? null]),
    grants: view.grants.map((grant) => [grant.uri, grant.cid, grant.state, grant.endedBy]),
    types: view.artifactTypes.flatMap(({ name, record }) => (record === null ? [] : [[name, record.uri, record.cid]])),
    guestComments: view.guestComments,
    agents: pairs(view.agents, 'cid'),
    projects: pairs(view.projects, 'digest'),
    goals: pairs(view.goals, 'digest'),
  });
}

function projectView(project, world) {
  const { value } = project;
  const edits = list(project, 'editProject');
  const effective = (field) => latest(edits, field) ?? value[field]; // P1
  project.archived = latest(list(project, 'archiveProject'), 'archived') ?? false; // P1
  project.autoReview = Object.assign(Object.create(null), value.autoReview); // P2
  for (const { value: { type, enabled } } of list(project, 'setAutoReview')) project.autoReview[type] = enabled;
  return {
    ...head(project),
    digest: placeDigest(project, {}),
    name: effective('name'),
    gitUrl: effective('gitUrl'),
    defaultBranch: effective('defaultBranch'),
    checks: optional(value.checks?.map(({ name, command }) => ({ name, command }))),
    archived: project.archived,
    autoReview: project.autoReview,
    records: uris(project.records),
    ...workViews(project, world),
    system: systemView(project),
  };
}

function goalView(goal, world) {
  goal.ending = ending(goal);
  return {
    ...head(goal),
    digest: placeDigest(goal, { closed: goal.closed }),
    project: shown(goal.link.project),
    title: goal.value.title,
    ended: goal.ending !== null,
    ending: goal.ending,
    records: uris(goal.records),
    ...workViews(goal, world),
    messages: messageViews(goal, world),
    guests: guestViews(goal),
  };
}

// G2, G3: the one ending of a goal, or null.
function ending(goal) {
  const close = list(goal, 'closeGoal').at(-1);
  const archive = list(goal, 'archiveGoal').at(-1);
  const by = ({ uri, author, value }, disposition) => ({ disposition, at: value.createdAt, by: author, record: uri });
  if (close?.value.closed) return by(close, optional(close.value.disposition));
  if (close === undefined && goal.closed) return { ...by(goal, 'completed'), at: null };
  const parked = archive?.value.archived && (close === undefined || archive.rank > close.rank);
  return parked ? by(archive, 'parked') : null;
}

function guestViews(goal) {
  const standing = list(goal, 'blessComment').filter((bless) => list(bless, 'retractBless').length === 0); // M2
  return standing.map(({ uri, author, value, link }) => ({
    bless: uri,
    by: author,
    guest: value.comment.uri.split('/')[2],
    comment: shown(link.comment),
    body: value.body,
  }));
}

function placeDigest(place, more) {
  const { uri, cid, kind } = place;
  const claimed = list(place, 'artifactRequest').filter((request) => list(request, 'claim').length > 0);
  const claims = claimed.toSorted(byText('uri')).map((request) => [request.uri, uris(list(request, 'claim'))]);
  const records = pairs(place.records.filter((record) => record.kind !== 'claim'), 'cid');
  return cidOf({ kind, uri, cid, records, claims, ...more });
}

function workViews(place, world) {
  const artifacts = list(place, 'artifact');
  place.chains = chains(artifacts);
  return {
    requests: list(place, 'artifactRequest').map((request) => requestView(request, place)),
    artifacts: artifacts.map((artifact) => artifactView(artifact, place, world)),
    chains: place.chains.map(({ versions, current, forks }) => ({
      type: current.value.type,
      versions: uris(versions),
      current: current.uri,
      forks,
    })),
  };
}

function requestView(request, place) {
  const { value, link, space, named } = request;
  const { type, assignee } = value;
  const about = named.re ?? [];
  const known = KNOWN.has(type) || space.types.has(type); // A3
  const fulfilledBy = type === 'answer' ? about.filter(isAnswer) : named.request ?? []; // R2
  const declined = about.find((message) => message.value.declines === true && message.author === assignee); // R4
  const retracted = list(request, 'retractRequest')[0]; // R3
  const open = fulfilledBy.length === 0 && declined === undefined && retracted === undefined; // R5
  const isOver = place.kind === 'goal' ? place.ending !== null || place.project.archived : place.archived;
  const questions = about.filter((message) => isQuestion(message, request)).map(questionView); // R6
  return {
    ...head(request),
    type,
    assignee: optional(assignee),
    subject: shown(link.subject),
    basedOn: link.basedOn === null ? null : link.basedOn.map(shown),
    autoReview: optional(value.autoReview),
    typeKnown: known,
    scopeFits: KNOWN.has(type) ? true : known ? space.types.get(type).scope === place.kind : null,
    open,
    dispatchable: open && !isOver,
    awaitingInput: open && questions.some(({ answeredBy }) => answeredBy === null),
    fulfilledBy: uris(fulfilledBy),
    declinedBy: optional(declined?.uri),
    retractedBy: optional(retracted?.uri),
    claims: uris(list(request, 'claim')), // C3: rank order is (createdAt, uri)
    questions,
  };
}

// R6
function isQuestion(message, { value, space }) {
  if (message.value.declines === true || isAnswer(message)) return false;
  if (value.assignee !== undefined) return message.author === value.assignee;
  return space.members.get(message.author)?.kind === 'agent';
}

function questionView({ uri, author, named }) {
  const reply = (named.parent ?? []).find((message) => message.author !== author);
  return { uri, author, answeredBy: optional(reply?.uri) };
}

function artifactView(artifact, place, world) {
  const { value, link } = artifact;
  const project = place.kind === 'goal' ? place.project : place;
  return {
    ...head(artifact),
    type: value.type,
    title: optional(value.title),
    request: shown(link.request),
    prev: shown(link.prev),
    model: optional(value.model),
    claim: shownClaim(artifact, value.request, world),
    autoReview: link.request.target?.value.autoReview ?? project.autoReview[value.type] ?? false, // R8
    reviews: list(artifact, 'review').map((review) => reviewView(review, world)),
    checkruns: list(artifact, 'checkrun').map(checkrunView),
    merged: mergedView(artifact),
    messages: messageViews(artifact, world),
  };
}

function reviewView(review, world) {
  const { value, link } = review;
  const { pin } = shown(link.subject); // X3
  const claim = shownClaim(review, value.request, world);
  return { ...head(review), verdict: value.verdict, pin, request: shown(link.request), claim };
}

function checkrunView(checkrun) {
  const { commit, results } = checkrun.value;
  return { ...head(checkrun), commit, passed: results.length > 0 && results.every(({ pass }) => pass) }; // X4
}

// X5
function mergedView(artifact) {
  const merge = list(artifact, 'merge')[0];
  if (merge === undefined) return null;
  const { mergedAt, createdAt, pr } = merge.value;
  return { at: mergedAt ?? createdAt, pr, by: merge.author, record: merge.uri };
}

// X6: how many implementations on the project's goals were merged after each system artifact was made.
function systemView(project) {
  const implementations = list(project, 'goal').flatMap((goal) => list(goal, 'artifact'))
    .filter(({ value }) => value.type === 'implementation');
  const merged = implementations.map(mergedView).filter((view) => view !== null).map(({ at }) => instant(at)).sort();
  return project.chains.map(({ current }) => ({
    type: current.value.type,
    current: current.uri,
    staleness: merged.length - countUpTo(merged, current.at),
  }));
}

// How many of the sorted instants are not after `at`.
function countUpTo(sorted, at) {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

function messageViews(anchor, world) {
  return thread(list(anchor, 'message')).map(([message, depth]) => {
    const { value, link } = message;
    const claim = shownClaim(message, value.re, world);
    return { ...head(message), parent: shown(link.parent), depth, re: shown(link.re), claim };
  });
}
