// Formats of strings (L1), instants (L2), and the order of strings (L3).
//
// Strategy: the grammars are regular expressions after atproto's, each tried against its interoperability files. An
// instant is kept as text that sorts as the instant does: twelve digits of seconds since year 0, a point, and the
// fraction without trailing zeros. So instants of any precision are compared exactly, with `<`.

const DID = /^did:[a-z]+:[a-zA-Z0-9._:%-]*[a-zA-Z0-9._-]$/;
const LABEL = '[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?';
const NSID = new RegExp(`^(?=[a-zA-Z])${LABEL}(\\.${LABEL})+\\.[a-zA-Z][a-zA-Z0-9]{0,62}$`);
const HANDLE = new RegExp(`^(${LABEL}\\.)+(?=[a-zA-Z])${LABEL}$`);
const RECORD_KEY = /^[a-zA-Z0-9._~:-]{1,512}$/;
const TID = /^[2-7a-j][2-7a-z]{12}$/;
const CID_TEXT = /^(?!Qm)[a-zA-Z0-9+=]{8,256}$/; // no CIDv0
const URI = /^[a-zA-Z][a-zA-Z0-9+.-]*:[\x21-\x7e]+$/;
const DATETIME = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:Z|([+-])(\d\d):(\d\d))$/;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const DIGITS = 12;

export const isDid = (text) => text.length <= 2048 && DID.test(text);
export const isTid = (text) => TID.test(text);
export const isCidText = (text) => CID_TEXT.test(text);
export const isUri = (text) => text.length <= 8192 && URI.test(text);
const isHandle = (text) => text.length <= 253 && HANDLE.test(text);
const isNsid = (text) => text.length <= 317 && NSID.test(text);
const isRecordKey = (text) => RECORD_KEY.test(text) && text !== '.' && text !== '..';

/** {authority, collection?, rkey?} of an at-uri, or null. */
export function atUri(text) {
  if (text.length > 8192 || !text.startsWith('at://')) return null;
  const [authority, collection, rkey, ...more] = text.slice(5).split('/');
  const isPart = [isDid(authority) || isHandle(authority), collection === undefined || isNsid(collection),
    rkey === undefined || isRecordKey(rkey), more.length === 0];
  return isPart.every(Boolean) ? { authority, collection, rkey } : null;
}

const isLeap = (year) => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
const leapsBefore = (year) => Math.ceil(year / 4) - Math.ceil(year / 100) + Math.ceil(year / 400);
const daysIn = (year, month) => DAYS[month - 1] + (month === 2 && isLeap(year) ? 1 : 0);

function dayNumber(year, month, day) {
  let days = 365 * year + leapsBefore(year) + day - 1;
  for (let before = 1; before < month; before += 1) days += daysIn(year, before);
  return days;
}

/** L2: the instant of a datetime, as text that sorts; null for what is no datetime. */
export function instant(text) {
  const match = DATETIME.exec(text);
  if (match === null) return null;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number);
  const [fraction = '', sign = '+', zoneHour = '00', zoneMinute = '00'] = match.slice(7);
  const zone = Number(zoneHour) * 60 + Number(zoneMinute);
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return null;
  if (hour > 23 || minute > 59 || second > 59) return null;
  if (zoneHour > '23' || zoneMinute > '59' || (sign === '-' && zone === 0)) return null;
  const minutes = dayNumber(year, month, day) * 1440 + hour * 60 + minute + (sign === '-' ? zone : -zone);
  let digits = fraction.length;
  while (fraction[digits - 1] === '0') digits -= 1;
  return minutes < 0 ? null : spell(minutes * 60 + second, fraction.slice(0, digits));
}

const spell = (seconds, fraction) => `${String(seconds).padStart(DIGITS, '0')}.${fraction}`;

/** The instant so many seconds later. */
export const later = (at, seconds) => spell(Number(at.slice(0, DIGITS)) + seconds, at.slice(DIGITS + 1));

/** Is the sum of two instants less than that of two others? (Exactly, for durations that no clock shares.) */
export function sumIsLess(one, other) {
  const precision = Math.max(...[...one, ...other].map((at) => at.length));
  const units = (at) => BigInt(at.replace('.', '').padEnd(precision, '0'));
  return units(one[0]) + units(one[1]) < units(other[0]) + units(other[1]);
}

// L3: UTF-16 puts astral characters (surrogates, D800–DFFF) before E000–FFFF; code points put them after.
const rank = (unit) => (unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800);

/** L3: orders two strings by code point. */
export function byCodePoint(a, b) {
  const end = Math.min(a.length, b.length);
  let i = 0;
  while (i < end && a.charCodeAt(i) === b.charCodeAt(i)) i += 1;
  return i === end ? a.length - b.length : rank(a.charCodeAt(i)) - rank(b.charCodeAt(i));
}

export const byText = (field) => (a, b) => byCodePoint(a[field], b[field]);

/** P3, C3, §15: by (createdAt instant, uri). */
export const byTime = (a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : byCodePoint(a.uri, b.uri));
