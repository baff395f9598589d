// Canonical bytes and CIDs, by the reference packages for DAG-CBOR and multiformats (O1, D2, L6).
//
// A value is a string, boolean, null, integer (number or BigInt), CID, Uint8Array, array or object.

import { createHash } from 'node:crypto';
import * as dagCbor from '@ipld/dag-cbor';
import { CID } from 'multiformats/cid';
import { create } from 'multiformats/hashes/digest';

const SHA2_256 = 0x12;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

export const encode = (value) => dagCbor.encode(value);

/** CIDv1 (dag-cbor, sha2-256) of canonical bytes, as text. */
export function cidOfBytes(bytes) {
  const hash = createHash('sha256').update(bytes).digest();
  return CID.createV1(dagCbor.code, create(SHA2_256, hash)).toString();
}

export const cidOf = (value) => cidOfBytes(encode(value));

export const isLink = (value) => value instanceof CID;

export const isObject = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isLink(value) && !(value instanceof Uint8Array);

/** The CID that `{"$link": text}` spells, or null. */
export function linkOf(text) {
  try {
    return typeof text === 'string' ? CID.parse(text) : null;
  } catch {
    return null;
  }
}

/** The bytes that `{"$bytes": text}` spells, or null: base64, its padding optional. */
export function bytesOf(text) {
  return typeof text === 'string' && BASE64.test(text) ? new Uint8Array(Buffer.from(text, 'base64')) : null;
}

/** L6: levels of nesting; arrays, objects, CIDs and bytes are a level each, scalars none. */
export function depthOf(value) {
  let depth = 0;
  let level = [value];
  while ((level = level.filter((one) => typeof one === 'object' && one !== null)).length > 0) {
    depth += 1;
    level = level.flatMap((one) => (Array.isArray(one) ? one : isObject(one) ? Object.values(one) : []));
  }
  return depth;
}
