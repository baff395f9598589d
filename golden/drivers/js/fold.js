// From observations to the index, and the questions beside it (C4, C5, M5).

import { byCodePoint, byText, byTime, instant, sumIsLess } from './formats.js';
import { judge } from './judge.js';
import { link, provenance } from './links.js';
import { choose, gather } from './versions.js';
import { indexView } from './views.js';

/** The fold of a set of observations: {index, and a function for each other question}. */
export function fold(observations) {
  const choices = [...gather(observations)].map((group) => ({ ...group, ...choose(group) }));
  const records = choices.filter(({ kept }) => kept !== null).map(makeRecord).sort(byTime);
  records.forEach((record, rank) => Object.assign(record, { rank }));
  const world = judge(records);
  link(world);

  const refused = records.filter(({ rule }) => rule !== null);
  const ignored = [
    ...choices.filter(({ kept }) => kept === null).map(({ uri, cid, ignored: why }) => ({ uri, cid, ...why })),
    ...refused.map(({ uri, cid, rule: [rule, reason] }) => ({ uri, cid, rule, reason })),
  ].sort(byText('uri'));
  const edits = choices.map((choice) => choice.edits).filter((row) => row !== null).sort(byText('uri'));
  const index = indexView(world, ignored, edits);
  return { index, ...questions(world, index) };
}

function makeRecord({ uri, parts, kept, closed, seen }) {
  const { cid, value } = kept;
  return { uri, cid, ...parts, value, at: instant(value.createdAt), seen, closed };
}

function questions(world, index) {
  const countedAs = (kind, uri) => {
    const record = world.counted(uri);
    return record?.kind === kind ? record : undefined;
  };
  const live = (uri, sightings, now) => {
    const claim = countedAs('claim', uri);
    return claim === undefined ? null : isLive(claim, sightings, instant(now));
  };
  const winner = (uri, sightings, now) => {
    const claims = countedAs('artifactRequest', uri)?.on?.claim ?? [];
    return claims.find((claim) => isLive(claim, sightings, instant(now)))?.uri ?? null; // C4: first in rank order
  };
  const capable = (uri, type) => {
    const agents = countedAs('space', uri)?.on?.agent ?? []; // M5
    return agents.filter(({ value }) => value.artifactTypes.includes(type)).map((agent) => agent.uri).sort(byCodePoint);
  };
  return { live, winner, capable, explain: (uri) => explain(uri, index), ...provenance(world) };
}

// C4: now < seenAt + (expiresAt − renewedAt), seenAt being when this observer first stored the version that counts.
function isLive({ uri, cid, value }, sightings, now) {
  const { createdAt, renewedAt = createdAt, expiresAt } = value;
  const mine = sightings.filter((sighting) => sighting.uri === uri && (sighting.cid ?? cid) === cid);
  const first = mine.map(({ seenAt }) => instant(seenAt)).sort()[0] ?? now; // C5: unknown is now
  return sumIsLess([now, instant(renewedAt)], [first, instant(expiresAt)]);
}

function explain(uri, { spaces, images, ignored }) {
  const places = spaces.flatMap((space) => [space, ...space.projects, ...space.goals]);
  const holding = places.filter(({ records }) => records.includes(uri)).map((place) => place.uri);
  const row = ignored.find((one) => one.uri === uri);
  const isImage = images.some((image) => image.uri === uri);
  const verdict = holding.length > 0 ? 'counts' : isImage ? 'image' : row !== undefined ? 'ignored' : 'unknown';
  return { uri, verdict, places: holding.sort(byCodePoint), rule: row?.rule ?? null };
}
