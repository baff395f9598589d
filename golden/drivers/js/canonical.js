// Canonical bytes and CIDs, by the reference packages for DAG-CBOR and multiformats (O1, D2, L6).
//
// A value is a string, boolean, null, integer (number or BigInt), CID, Uint8Array, array or object.

import { createHash } from 'node:crypto';
import * as dagCbor from '@ipld/dag-cbor';
import { bases } from 'multiformats/basics';
import { CID } from 'multiformats/cid';
import { create } from 'multiformats/hashes/digest';

const SHA2_256 = 0x12;
const ANY_BASE = Object.values(bases).map(({ decoder }) => decoder).reduce((one, other) => one.or(other));
const BASE64 = /^([A-Za-z0-9+/]*)(={0,2})$/;

export const encode = (value) => dagCbor.encode(value);

/** CIDv1 (dag-cbor, sha2-256) of canonical bytes, as text. */
export function cidOfBytes(bytes) {
  const hash = createHash('sha256').update(bytes).digest();
  return CID.createV1(dagCbor.code, create(SHA2_256, hash)).toString();
}

export const cidOf = (value) => cidOfBytes(encode(value));

export const isLink = (value) => value instanceof CID;

const isNested = (value) => typeof value === 'object' && value !== null;

export const isObject = (value) =>
  isNested(value) && !Array.isArray(value) && !isLink(value) && !(value instanceof Uint8Array);

/** The CID that `{"$link": text}` spells, or null. */
export function linkOf(text) {
  try {
    return typeof text === 'string' ? CID.parse(text, ANY_BASE) : null;
  } catch {
    return null;
  }
}

/** The bytes that `{"$bytes": text}` spells, or null: base64, its padding optional. */
export function bytesOf(text) {
  const [whole, digits, padding] = (typeof text === 'string' && BASE64.exec(text)) || [];
  if (whole === undefined || digits.length % 4 === 1 || (padding !== '' && whole.length % 4 !== 0)) return null;
  return new Uint8Array(Buffer.from(digits, 'base64'));
}

/** L6: levels of nesting; arrays, objects, CIDs and bytes are a level each, scalars none. */
export function depthOf(value) {
  let depth = 0;
  for (let level = [value].filter(isNested); level.length > 0; level = nestedIn(level)) depth += 1;
  return depth;
}

const nestedIn = (level) => level.flatMap(inside).filter(isNested);
const inside = (value) => (Array.isArray(value) ? value : isObject(value) ? Object.values(value) : []);
