// Spaces and who is trusted in them (T1–T4, T8).

const ROOT = { kind: 'human', role: 'admin', grant: null };

/** Folds a space's membership events, in order; sets `members` and `grants` of the space and `rule` of each event. */
export function foldMembership(space, events) {
  const current = new Map(); // DID → the grant that is current now
  const effective = new Map(); // URI → every grant that ever had effect
  const end = (grant, state, event) => {
    Object.assign(grant, { state, endedBy: event.uri });
    current.delete(grant.event.value.did);
  };
  const isAdminNow = (did) => did === space.author || current.get(did)?.event.value.role === 'admin';

  const add = (event) => {
    const { did } = event.value;
    if (current.has(did)) end(current.get(did), 'replaced', event); // T3
    const grant = { event, state: 'current', endedBy: null };
    current.set(did, grant);
    effective.set(event.uri, grant);
    return null;
  };
  const remove = (event) => {
    const { did, membership } = event.value;
    const grant = current.get(did);
    const named = effective.get(membership.uri);
    const byRoot = event.author === space.author && grant?.event.author !== space.author;
    const clears = grant !== undefined && (named === grant || (byRoot && named?.event.value.did === did)); // T4
    if (!clears) return ['T4', 'names no grant that it could end'];
    end(grant, 'revoked', event);
    return null;
  };
  const judge = (event) => {
    if (event.value.did === space.author) return ['T1', 'names the root']; // T1
    if (!isAdminNow(event.author)) return ['T2', 'author was no admin at that point']; // T2
    return event.kind === 'addMember' ? add(event) : remove(event);
  };
  for (const event of events) event.rule = judge(event);

  space.members = new Map([[space.author, ROOT]]);
  for (const [did, grant] of current) {
    const { kind, role } = grant.event.value;
    space.members.set(did, { kind, role, grant });
  }
  space.grants = [...effective.values()];
}

/** T8 */
export const isAdmin = (space, did) => space.members.get(did)?.role === 'admin';
