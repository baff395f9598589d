// Reads JSON strictly, into values of the data model (O5).
//
// Strategy: one pass with a stack of its own, so that no depth of nesting can overflow. Text that is no JSON throws
// a SyntaxError; what is JSON but malformed by O5 (a duplicated key, a fraction, a lone surrogate …) becomes a fault
// `message @ $.path`, and reading goes on, so that every fault of a line is named. `{"$link": …}` becomes a CID and
// `{"$bytes": …}` a Uint8Array on the spot. Integers are numbers where those are exact, else BigInts. Objects have no
// prototype, so that no key is special.

import { linkOf, bytesOf } from './canonical.js';

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const SPACE = /[ \t\r\n]*/y;
const WORDS = new Map([['true', true], ['false', false], ['null', null]]);
const SPECIAL = { $link: linkOf, $bytes: bytesOf };
const LEAST = -(2n ** 63n);
const MOST = 2n ** 63n - 1n;
export const DEEPEST = 512; // levels of nesting in a line, the line itself being one

/** The value of one JSON text and its faults. Throws SyntaxError when it is no JSON. */
export function readJson(text, deepest = DEEPEST) {
  return new Reader(text, deepest).read();
}

class Reader {
  constructor(text, deepest) {
    this.text = text;
    this.deepest = deepest;
    this.at = 0;
    this.faults = [];
    this.stack = []; // open containers: {value, key}
  }

  read() {
    let value;
    do value = this.open(); while (value === undefined || !this.place(value));
    if (this.at !== this.text.length) this.fail();
    return { value: this.result, faults: this.faults };
  }

  // Reads a scalar or an empty container; of a container that has content only the start, and gives undefined.
  open() {
    this.skip();
    const char = this.text[this.at];
    if (char !== '{' && char !== '[') return this.scalar(char);
    this.at += 1;
    this.stack.push({ value: char === '{' ? Object.create(null) : [], key: null });
    if (this.stack.length === this.deepest + 1) this.fault('nested too deep');
    if (this.take(char === '{' ? '}' : ']')) return this.close();
    if (char === '{') this.key();
    return undefined;
  }

  // Puts a finished value where it belongs, and closes what ends after it. True when the text is finished.
  place(value) {
    for (;;) {
      const frame = this.stack.at(-1);
      if (frame === undefined) break;
      if (Array.isArray(frame.value)) frame.value.push(value);
      else frame.value[frame.key] = value;
      if (this.take(',')) {
        if (!Array.isArray(frame.value)) this.key();
        return false;
      }
      if (!this.take(Array.isArray(frame.value) ? ']' : '}')) this.fail();
      value = this.close();
    }
    this.skip();
    this.result = value;
    return true;
  }

  // Ends the innermost container; one that spells a CID or bytes becomes it.
  close() {
    const { value } = this.stack.pop();
    const special = Array.isArray(value) ? undefined : Object.keys(SPECIAL).find((key) => key in value);
    if (special === undefined) return value;
    if (Object.keys(value).length > 1) return this.fault(`${special} beside other keys`);
    return SPECIAL[special](value[special]) ?? this.fault(`what ${special} holds is none`);
  }

  key() {
    const frame = this.stack.at(-1);
    this.skip();
    if (this.text[this.at] !== '"') this.fail();
    frame.key = null;
    const key = this.string();
    if (key in frame.value) this.fault(`duplicated key ${JSON.stringify(key)}`);
    frame.key = key;
    if (!this.take(':')) this.fail();
  }

  scalar(char) {
    if (char === '"') return this.string();
    for (const [word, value] of WORDS) {
      if (this.text.startsWith(word, this.at)) {
        this.at += word.length;
        return value;
      }
    }
    return this.number();
  }

  // Finds the end, then leaves escapes and control characters to JSON.parse.
  string() {
    let end = this.at;
    do {
      end = this.text.indexOf('"', end + 1);
      if (end < 0) this.fail();
    } while (this.escaped(end));
    const value = JSON.parse(this.text.slice(this.at, end + 1));
    this.at = end + 1;
    if (!value.isWellFormed()) this.fault('lone surrogate');
    return value;
  }

  escaped(end) {
    let first = end;
    while (this.text[first - 1] === '\\') first -= 1;
    return (end - first) % 2 === 1;
  }

  number() {
    NUMBER.lastIndex = this.at;
    const [text] = NUMBER.exec(this.text) ?? this.fail();
    this.at += text.length;
    if (/[.eE]/.test(text)) return this.fault('number with a fraction or exponent');
    const exact = text.length > 20 ? MOST + 1n : BigInt(text);
    if (exact < LEAST || exact > MOST) return this.fault('integer outside 64 bits');
    return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact;
  }

  skip() {
    SPACE.lastIndex = this.at;
    SPACE.exec(this.text);
    this.at = SPACE.lastIndex;
  }

  take(char) {
    this.skip();
    if (this.text[this.at] !== char) return false;
    this.at += 1;
    return true;
  }

  // Notes a fault at the place being read, and stands in for its value.
  fault(message) {
    const step = ({ value, key }) => (Array.isArray(value) ? `[${value.length}]` : key === null ? '' : `.${key}`);
    this.faults.push(`${message} @ $${this.stack.map(step).join('')}`);
    return null;
  }

  fail() {
    throw new SyntaxError(`no JSON at character ${this.at}`);
  }
}
