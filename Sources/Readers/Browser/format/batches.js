// SECURITY.md, section 21: batches.

import { ArchiveError } from './errors.js';
import { JSONError, JSONScanner, hasLoneSurrogate, integer } from './json.js';

const MOST_POSITIONS = 2 ** 48;
const MOST_BATCH_ROWS = 2 ** 20;
const MOST_LINE_BYTES = 2 ** 26;
/** The first and the last second of the years 1 to 9999, after 1970. */
const FIRST_SECOND = -62135596800;
const LAST_SECOND = 253402300799;
const TIME_NAMES = new Set(['startDate', 'endDate', 'creationDate', 'date', 'receivedDate', 'dateIssued', 'expirationDate']);

function badContent(rule) {
  return new ArchiveError('badContent', [], rule);
}

function needContent(condition, rule) {
  if (!condition) throw badContent(rule);
}

/** Whether an attribute of an element is a time attribute (section 22). */
export function isTimeAttribute(name, element) {
  return element !== 'MetadataEntry' && TIME_NAMES.has(name);
}

/** Whether a name could stand in a document: whoever writes one from the rows copies it. */
function isName(text) {
  return text !== '' && !/^[!?]|[\t\n\r /<>="']/.test(text) && !hasLoneSurrogate(text);
}

/** Whether a member of a content can be one of a line: no attribute of a line has such a name. */
function isGroup(name) {
  return name === 'metadata' || name === 'children' || /^(?!HKCharacteristic)[A-Z]/.test(name) && !hasLoneSurrogate(name);
}

/** One attribute of a layout. `kind` is `constant`, `enclosed`, `text` or `time`. */
class Field {
  constructor(parts) {
    needContent(Array.isArray(parts) && parts.length >= 1 && parts.length <= 3, 'a field of a wrong form');
    const [name, first, second] = parts;
    needContent(typeof name === 'string' && name.split(' ').every(isName), 'a name that no attribute can have');
    this.name = name;
    /** At least so many bytes are in each line. */
    this.length = 0;
    if (parts.length === 1) {
      this.kind = 'text';
    } else if (parts.length === 3) {
      needContent(typeof first === 'string' && typeof second === 'string', 'a field of a wrong form');
      needContent(!/\p{Surrogate}$/u.test(first) && !/^\p{Surrogate}/u.test(second), 'a byte beside a value');
      this.kind = 'enclosed';
      this.before = first;
      this.after = second;
      this.length += first.length + second.length;
    } else if (typeof first === 'string') {
      this.kind = 'constant';
      this.text = first;
      this.length += first.length;
    } else {
      const minutes = integer(first);
      needContent(minutes >= -1439 && minutes <= 1439, 'an impossible offset');
      this.kind = 'time';
      this.minutes = minutes;
    }
  }
}

/** The values of one attribute: where each token starts and ends in the batch. The end of a string with escapes is
    negative. */
class Column {
  constructor() {
    this.places = [];
    // How often tokens that are repeated are, by their index in `places`.
    this.repetitions = null;
    this.length = 0;
    this.rewind();
  }

  add(start, end) {
    this.places.push(start, end);
    this.length += this.shortest(start, end);
  }

  /** The fewest bytes that a token can have in a line: those of an escape may be one there. */
  shortest(start, end) {
    return end < 0 ? Math.floor((-end - start) / 6) : end - start;
  }

  /** Repeats the last value. */
  repeat(times) {
    const at = this.places.length - 2;
    this.repetitions ??= new Map();
    this.repetitions.set(at, (this.repetitions.get(at) ?? 0) + times);
    this.length += times * this.shortest(this.places[at], this.places[at + 1]);
  }

  rewind() {
    this.next = 0;
    this.used = 0;
  }

  get isAtEnd() {
    return this.next >= this.places.length;
  }

  /** The index in `places` of the next value. */
  take() {
    const at = this.next;
    if (this.repetitions !== null && this.used < (this.repetitions.get(at) ?? 0)) {
      this.used++;
    } else {
      this.next += 2;
      this.used = 0;
    }
    return at;
  }
}

/** Rows of one element and type. */
export class Batch {
  /** Reads a batch, and checks everything but the rows themselves. Whether it is gone is known from its name. */
  constructor(bytes, isGone = false) {
    this.bytes = bytes;
    this.isGone = isGone;
    this.scanner = null;
    try {
      this.scanner = new JSONScanner(bytes);
      this.scanner.object((name) => this.readMember(name));
      this.scanner.end();
    } catch (error) {
      if (error instanceof JSONError) throw badContent(error.message);
      throw error;
    }
    this.check();
  }

  readMember(name) {
    const { scanner } = this;
    switch (name) {
      case 'format': this.format = scanner.value(); break;
      case 'element': this.element = scanner.value(); break;
      case 'type': this.type = scanner.value(); break;
      case 'span': this.span = scanner.value(); break;
      case 'part': this.part = integer(scanner.value()); break;
      case 'count': this.count = integer(scanner.value()); break;
      case 'gone': this.gone = scanner.value(); break;
      case 'contexts': this.layouts = this.readLayouts(); break;
      case 'contents': this.contents = this.readContents(); break;
      case 'position': this.positions = this.readIntegers(); break;
      case 'context': this.layoutOfRow = this.readIntegers(false); break;
      case 'content': this.contentOfRow = this.readIntegers(); break;
      case 'columns': this.columns = this.readColumns(); break;
      default: scanner.skip();
    }
  }

  readLayouts() {
    const layouts = this.scanner.value();
    needContent(Array.isArray(layouts), 'contexts is no array');
    return layouts.map((fields) => {
      needContent(Array.isArray(fields), 'a layout is no array');
      return fields.map((parts) => new Field(parts));
    });
  }

  /** Where the members of each content start and end, between its braces. */
  readContents() {
    const places = [];
    this.scanner.array(() => {
      this.scanner.peek();
      const start = this.scanner.at + 1;
      const names = new Set();
      this.scanner.object((name) => {
        needContent(isGroup(name) && !names.has(name) && this.scanner.peek() === 0x5b, 'a wrong member of a content');
        names.add(name);
        this.scanner.skip();
      });
      const end = this.scanner.at - 1;
      needContent(names.size > 0 && this.bytes[start] === 0x22, 'a content that does not begin with a member');
      needContent(this.bytes.subarray(start, end).every((byte) => byte >= 0x20), 'a content on several lines');
      places.push(start, end);
    });
    return places;
  }

  readIntegers(mayRepeat = true) {
    const numbers = [];
    const { scanner, bytes } = this;
    scanner.array(() => {
      if (scanner.peek() === 0x5b) {
        const times = this.readRepetitions(mayRepeat && numbers.length > 0);
        needContent(numbers.length + times <= MOST_BATCH_ROWS, 'too many rows');
        const last = numbers[numbers.length - 1];
        for (let i = 0; i < times; i++) numbers.push(last);
        return;
      }
      const start = scanner.at;
      scanner.skip();
      numbers.push(integerAt(bytes, start, scanner.at));
    });
    return numbers;
  }

  /** How often the value before it is repeated. */
  readRepetitions(isAfterValue) {
    const { scanner, bytes } = this;
    let times = 0;
    scanner.array(() => {
      needContent(isAfterValue && times === 0, 'a wrong repetition');
      scanner.peek();
      const start = scanner.at;
      scanner.skipNumber();
      times = integerAt(bytes, start, scanner.at);
      needContent(times > 0 && times < 2 ** 32, 'a wrong repetition');
    });
    needContent(times > 0, 'a wrong repetition');
    return times;
  }

  readColumns() {
    const columns = new Map();
    const { scanner } = this;
    let length = 0;
    scanner.object((name) => {
      needContent(!columns.has(name), 'two columns of one name');
      const column = new Column();
      scanner.array(() => {
        const first = scanner.peek();
        const start = scanner.at;
        if (first === 0x22) {
          const hasEscapes = scanner.skipString();
          column.add(start, hasEscapes ? -scanner.at : scanner.at);
          if (hasEscapes) scanner.unescape(start + 1, scanner.at - 1);
        } else if (first === 0x5b) {
          column.repeat(this.readRepetitions(column.places.length > 0));
        } else {
          scanner.skipNumber();
          column.add(start, scanner.at);
        }
      });
      length += column.length;
      needContent(length <= MOST_LINE_BYTES, 'rows that are too long');
      columns.set(name, column);
    });
    return columns;
  }

  check() {
    needContent(this.format === 'healthvault batch 1', 'another format');
    needContent(typeof this.element === 'string' && isName(this.element), 'a name that no element can have');
    needContent(this.isGone ? this.gone === true : this.gone === undefined || this.gone === false, 'another mark of what is gone than in the name');
    needContent(this.count >= 0 && this.count <= MOST_BATCH_ROWS, 'no count, or too many rows');
    const { count } = this;
    for (const list of [this.layouts, this.contents, this.positions, this.layoutOfRow, this.contentOfRow, this.columns]) {
      needContent(list, 'a member is missing');
    }
    needContent(this.positions.length === count && this.layoutOfRow.length === count && this.contentOfRow.length === count,
      'the count is not that of the rows');
    needContent(this.layouts.length <= count && this.contents.length / 2 <= count, 'more layouts or contents than rows');
    const lengths = this.layouts.map((layout) => layout.reduce((sum, field) => sum + field.length, 0));
    let [position, length] = [0, 0];
    for (let row = 0; row < count; row++) {
      const step = this.positions[row];
      needContent(step >= (row > 0 ? 1 : 0), 'a position that is not behind the one before');
      position += step;
      this.positions[row] = position;
      needContent(position < MOST_POSITIONS, 'a position that is too large');
      needContent(this.layoutOfRow[row] >= 0 && this.layoutOfRow[row] < this.layouts.length, 'no such layout');
      const content = this.contentOfRow[row];
      needContent(content >= 0 && content <= this.contents.length / 2, 'no such content');
      length += lengths[this.layoutOfRow[row]] + (content > 0 ? this.contents[2 * content - 1] - this.contents[2 * content - 2] : 0);
      needContent(length <= MOST_LINE_BYTES, 'rows that are too long');
    }
    for (const layout of this.layouts) {
      for (const field of layout) field.column = field.kind === 'constant' ? null : this.columns.get(field.name);
    }
  }

  /**
   * Calls `visit(row, layout, values)` for each row. The value of a time field is its seconds since 1970; that of a text
   * or an enclosed one is the place of its token in the column's `places`. `values` is used again for the next row.
   */
  forEachRow(visit) {
    const { bytes, layouts, layoutOfRow, count } = this;
    for (const column of this.columns.values()) column.rewind();
    const values = [];
    let anchor = 0;
    for (let row = 0; row < count; row++) {
      const layout = layouts[layoutOfRow[row]];
      let time = anchor;
      let hasTime = false;
      for (let i = 0; i < layout.length; i++) {
        const { kind, column } = layout[i];
        if (kind === 'constant') continue;
        if (!column || column.isAtEnd) throw badContent('a column is too short');
        const at = column.take();
        if (kind === 'time') {
          time += integerAt(bytes, column.places[at], column.places[at + 1]);
          const local = time + 60 * layout[i].minutes;
          needContent(local >= FIRST_SECOND && local <= LAST_SECOND, 'a time outside the years 1 to 9999');
          if (!hasTime) anchor = time;
          hasTime = true;
          values[i] = time;
        } else {
          if (kind === 'enclosed') needContent(bytes[column.places[at]] === 0x22, 'a number where a text must be');
          values[i] = at;
        }
      }
      visit(row, layout, values);
    }
    for (const column of this.columns.values()) {
      needContent(column.isAtEnd, 'a column is too long');
    }
  }

  /** The text of a value of a text or an enclosed field: exactly as the attribute has it. */
  text(field, at) {
    const start = field.column.places[at];
    const end = field.column.places[at + 1];
    const inside = this.bytes[start] !== 0x22 ? ascii(this.bytes, start, end)
      : end < 0 ? this.scanner.unescape(start + 1, -end - 1) : decodeText(this.bytes.subarray(start + 1, end - 1));
    return field.kind === 'enclosed' ? field.before + inside + field.after : inside;
  }

  /** Whether a value is a number as it is spelled, and no string. */
  isNumeral(field, at) {
    return field.kind === 'text' && this.bytes[field.column.places[at]] !== 0x22;
  }

  /** The bytes between the braces of a row's content; null if nothing is nested in the row. */
  contentBytes(row) {
    const content = this.contentOfRow[row];
    return content === 0 ? null : this.bytes.subarray(this.contents[2 * content - 2], this.contents[2 * content - 1]);
  }
}

const textDecoder = new TextDecoder('utf-8', { ignoreBOM: true });

function decodeText(bytes) {
  for (let i = 0; i < bytes.length; i++) if (bytes[i] >= 0x80) return textDecoder.decode(bytes);
  return bytes.length < 256 ? String.fromCharCode.apply(null, bytes) : textDecoder.decode(bytes);
}

function ascii(bytes, start, end) {
  return decodeText(bytes.subarray(start, end));
}

/** The integer that a token is. */
function integerAt(bytes, start, end) {
  let value = 0;
  let at = start;
  const isNegative = bytes[at] === 0x2d;
  if (isNegative) at++;
  if (at >= end || end - at > 16 || (bytes[at] === 0x30 && end - at > 1)) throw badContent('no integer');
  for (; at < end; at++) {
    const digit = bytes[at] - 0x30;
    if (digit < 0 || digit > 9) throw badContent('no integer');
    value = value * 10 + digit;
  }
  return isNegative ? -value : value;
}
