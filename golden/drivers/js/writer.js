// Writes JSON: views, and the values of the data model that they show as written.
//
// CIDs and bytes are spelled as in a line of input, and integers exactly, which JSON.stringify would refuse to do.

import { isLink, isObject } from './canonical.js';

/** JSON text. `margin` is a line break with what precedes every line, `step` what each level adds; none: one line. */
export function writeJson(value, margin = '', step = '') {
  const deeper = margin + step;
  const write = (one) => writeJson(one, deeper, step);
  const between = ([open, close], items) =>
    items.length === 0 ? open + close : `${open}${deeper}${items.join(`,${deeper}`)}${margin}${close}`;
  if (isLink(value)) return writeJson({ $link: value.toString() }, margin, step);
  if (value instanceof Uint8Array) return writeJson({ $bytes: base64(value) }, margin, step);
  if (Array.isArray(value)) return between('[]', value.map(write));
  if (!isObject(value)) return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
  const known = Object.entries(value).filter(([, one]) => one !== undefined);
  return between('{}', known.map(([key, one]) => `${JSON.stringify(key)}:${step && ' '}${write(one)}`));
}

const base64 = (bytes) => Buffer.from(bytes).toString('base64').replaceAll('=', '');
