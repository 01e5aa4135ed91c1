// SECURITY.md, section 9: JSON (RFC 8259). JavaScript's own parser would lose how numbers are spelled, and where a value
// stands in the text.

import { fromUTF8 } from './words.js';

/** A text that is not JSON, or not of the expected form. */
export class JSONError extends Error {}

function requireJSON(condition, reason) {
  if (!condition) throw new JSONError(reason);
}

const DEEPEST = 256;
const ESCAPED = { 0x22: '"', 0x5c: '\\', 0x2f: '/', 0x62: '\b', 0x66: '\f', 0x6e: '\n', 0x72: '\r', 0x74: '\t' };
const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;
const INTEGER = /^-?(?:0|[1-9][0-9]{0,15})$/;
const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c];
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];

/** A number as it is spelled. */
export class Numeral {
  constructor(text) {
    this.text = text;
  }
}

/** The number that a value is, if it is an integer below 2^53; undefined otherwise. */
export function integer(value) {
  if (!(value instanceof Numeral) || !INTEGER.test(value.text)) return undefined;
  const number = Number(value.text);
  return Number.isSafeInteger(number) ? number : undefined;
}

/** Lone surrogates that are no bytes as section 9 writes them, U+DC80 to U+DCFF, or that are bytes of a character. */
const WRONG_SURROGATES = new RegExp([
  '[\\ud800-\\udc7f\\udd00-\\udfff]', '[\\udcc2-\\udcdf][\\udc80-\\udcbf]', '\\udce0[\\udca0-\\udcbf][\\udc80-\\udcbf]',
  '[\\udce1-\\udcec\\udcee\\udcef][\\udc80-\\udcbf]{2}', '\\udced[\\udc80-\\udc9f][\\udc80-\\udcbf]',
  '\\udcf0[\\udc90-\\udcbf][\\udc80-\\udcbf]{2}', '[\\udcf1-\\udcf3][\\udc80-\\udcbf]{3}',
  '\\udcf4[\\udc80-\\udc8f][\\udc80-\\udcbf]{2}'].join('|'), 'u');

export function hasLoneSurrogate(text) {
  return /\p{Surrogate}/u.test(text);
}

/** Whether a text is spelled like a number. */
export function isNumber(text) {
  return NUMBER.test(text);
}

/** Reads values one after another out of a text in UTF-8. Objects become maps, numbers numerals. */
export class JSONScanner {
  constructor(bytes) {
    try {
      fromUTF8(bytes);
    } catch {
      throw new JSONError('not UTF-8');
    }
    this.bytes = bytes;
    this.at = 0;
    this.depth = 0;
  }

  /** The byte that comes next, after white space. */
  peek() {
    const { bytes } = this;
    let { at } = this;
    while (at < bytes.length && (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09)) at++;
    this.at = at;
    return at < bytes.length ? bytes[at] : -1;
  }

  expect(byte) {
    requireJSON(this.peek() === byte, `expected ${String.fromCharCode(byte)} at ${this.at}`);
    this.at++;
  }

  /** Checks that nothing follows. */
  end() {
    requireJSON(this.peek() < 0, 'something follows the value');
  }

  /** Calls `item` at the start of each element of an array. */
  array(item) {
    this.enter(OPEN_BRACKET);
    if (this.peek() === CLOSE_BRACKET) {
      this.at++;
    } else {
      for (let more = true; more;) {
        item();
        more = this.peek() === COMMA;
        if (more) this.at++;
        else this.expect(CLOSE_BRACKET);
      }
    }
    this.depth--;
  }

  /** Calls `member` with the name of each member of an object, at the start of its value. */
  object(member) {
    this.enter(OPEN_BRACE);
    if (this.peek() === CLOSE_BRACE) {
      this.at++;
    } else {
      for (let more = true; more;) {
        const name = this.string();
        this.expect(COLON);
        member(name);
        more = this.peek() === COMMA;
        if (more) this.at++;
        else this.expect(CLOSE_BRACE);
      }
    }
    this.depth--;
  }

  enter(byte) {
    this.expect(byte);
    this.depth++;
    requireJSON(this.depth <= DEEPEST, 'nested too deeply');
  }

  value() {
    switch (this.peek()) {
      case QUOTE: return this.string();
      case OPEN_BRACKET: {
        const values = [];
        this.array(() => values.push(this.value()));
        return values;
      }
      case OPEN_BRACE: {
        const members = new Map();
        this.object((name) => members.set(name, this.value()));
        return members;
      }
      case 0x74: return this.word('true', true);
      case 0x66: return this.word('false', false);
      case 0x6e: return this.word('null', null);
      default: return this.number();
    }
  }

  /** Reads a value for its form only. */
  skip() {
    switch (this.peek()) {
      case QUOTE: this.skipString(); break;
      case OPEN_BRACKET: this.array(() => this.skip()); break;
      case OPEN_BRACE: this.object(() => this.skip()); break;
      case 0x74: this.word('true'); break;
      case 0x66: this.word('false'); break;
      case 0x6e: this.word('null'); break;
      default: this.skipNumber();
    }
  }

  word(text, value) {
    for (let i = 0; i < text.length; i++) requireJSON(this.bytes[this.at + i] === text.charCodeAt(i), 'an unknown word');
    this.at += text.length;
    return value;
  }

  number() {
    const start = this.at;
    this.skipNumber();
    return new Numeral(String.fromCharCode.apply(null, this.bytes.subarray(start, this.at)));
  }

  skipNumber() {
    const { bytes } = this;
    const isDigit = () => bytes[this.at] >= 0x30 && bytes[this.at] <= 0x39;
    const digits = () => {
      requireJSON(isDigit(), `no value at ${this.at}`);
      while (isDigit()) this.at++;
    };
    const start = this.at;
    if (bytes[this.at] === 0x2d) this.at++;
    if (bytes[this.at] === 0x30) this.at++;
    else digits();
    if (bytes[this.at] === 0x2e) {
      this.at++;
      digits();
    }
    if (bytes[this.at] === 0x65 || bytes[this.at] === 0x45) {
      this.at++;
      if (bytes[this.at] === 0x2b || bytes[this.at] === 0x2d) this.at++;
      digits();
    }
    requireJSON(this.at - start <= 65536, 'a number is too long');
  }

  string() {
    const hasEscapes = this.skipString();
    const end = this.at - 1;
    return hasEscapes ? this.unescape(this.textStart, end) : fromUTF8(this.bytes.subarray(this.textStart, end));
  }

  /** Moves behind a string. Returns whether it has escapes. */
  skipString() {
    requireJSON(this.peek() === QUOTE, `expected a string at ${this.at}`);
    const { bytes } = this;
    let at = this.at + 1;
    this.textStart = at;
    let hasEscapes = false;
    for (;;) {
      const byte = bytes[at];
      if (byte === QUOTE) break;
      requireJSON(byte >= 0x20, 'a string has a control character or no end');
      if (byte === BACKSLASH) {
        hasEscapes = true;
        at++;
        if (bytes[at] === 0x75) {
          for (let i = 1; i <= 4; i++) requireJSON(isHexDigit(bytes[at + i]), 'a wrong escape');
          at += 4;
        } else {
          requireJSON(ESCAPED[bytes[at]] !== undefined, 'a wrong escape');
        }
      }
      at++;
    }
    this.at = at + 1;
    return hasEscapes;
  }

  /** The text of a string with escapes, given without its quotes; its form has been checked. */
  unescape(start, end) {
    const { bytes } = this;
    const parts = [];
    let from = start;
    for (let at = start; at < end;) {
      if (bytes[at] !== BACKSLASH) {
        at++;
        continue;
      }
      parts.push(fromUTF8(bytes.subarray(from, at)));
      if (bytes[at + 1] === 0x75) {
        parts.push(String.fromCharCode(parseInt(String.fromCharCode(...bytes.subarray(at + 2, at + 6)), 16)));
        at += 6;
      } else {
        parts.push(ESCAPED[bytes[at + 1]]);
        at += 2;
      }
      from = at;
    }
    parts.push(fromUTF8(bytes.subarray(from, end)));
    const text = parts.join('');
    requireJSON(!hasLoneSurrogate(text) || !WRONG_SURROGATES.test(text), 'half a character, or one in bytes');
    return text;
  }
}

function isHexDigit(byte) {
  return (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66);
}

/** The value that a whole text is. */
export function parseJSON(bytes) {
  const scanner = new JSONScanner(bytes);
  const value = scanner.value();
  scanner.end();
  return value;
}

/** A string in the form of section 22: only what must be escaped is. */
export function quote(text) {
  return JSON.stringify(text);
}
