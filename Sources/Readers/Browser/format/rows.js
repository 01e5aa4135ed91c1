// SECURITY.md, section 22: rows as NDJSON.

import { isTimeAttribute } from './batches.js';
import { need } from './errors.js';
import { quote } from './json.js';
import { utf8 } from './words.js';

const MOST_BYTES = 2 ** 26;
const OUR_TIME = /^([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})([+-])([0-9]{2}):([0-9]{2})$/;
const LINE_END = utf8('}\n');

/** The year, month and day of a day since 1970. */
export function civilDay(days) {
  // Years start in March here, so that the day that leap years add is the last one.
  const shifted = days + 719468;
  const era = Math.floor(shifted / 146097);
  const dayOfEra = shifted - era * 146097;
  const yearOfEra = Math.floor((dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36524) -
    Math.floor(dayOfEra / 146096)) / 365);
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return { year, month, day: dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1 };
}

/** The day since 1970 of a year, month and day. */
export function dayNumber(year, month, day) {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  return era * 146097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719468;
}

const two = (number) => String(number).padStart(2, '0');
let lastDay = NaN;
let lastDayText = '';

/** `2023-05-13` */
export function dayText(days) {
  if (days !== lastDay) {
    const { year, month, day } = civilDay(days);
    lastDay = days;
    lastDayText = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
  }
  return lastDayText;
}

function clockText(secondOfDay) {
  return `${two(Math.floor(secondOfDay / 3600))}:${two(Math.floor(secondOfDay / 60) % 60)}:${two(secondOfDay % 60)}`;
}

/** `2023-05-13T10:36:12+02:00` */
export function timeText(seconds, minutes) {
  const local = seconds + 60 * minutes;
  const days = Math.floor(local / 86400);
  const east = Math.abs(minutes);
  return `${dayText(days)}T${clockText(local - days * 86400)}${minutes < 0 ? '-' : '+'}${two(Math.floor(east / 60))}:${two(east % 60)}`;
}

/** `2023-05-13 10:36:12 +0200`, as Apple writes times. */
export function appleTimeText(seconds, minutes) {
  const text = timeText(seconds, minutes);
  return `${text.slice(0, 10)} ${text.slice(11, 19)} ${text.slice(19, 22)}${text.slice(23)}`;
}

/** Whether a text has exactly the form that a time gets in a line. */
export function isOurTime(text) {
  const found = OUR_TIME.exec(text);
  if (!found || text.endsWith('-00:00')) return false;
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map(Number);
  if (year < 1 || month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 59) return false;
  const civil = civilDay(dayNumber(year, month, day));
  return civil.month === month && civil.day === day && Number(found[8]) <= 23 && Number(found[9]) <= 59;
}

/** Names that a row has for itself. */
export function isReserved(name) {
  return ['element', 'position', 'metadata', 'children', 'attributes'].includes(name) ||
    (/^[A-Z]/.test(name) && !name.startsWith('HKCharacteristic'));
}

/** Name and exact text of all attributes of a row, in order. */
export function attributesOfRow(batch, layout, values) {
  return layout.map((field, i) => {
    switch (field.kind) {
      case 'constant': return [field.name, field.text];
      case 'time': return [field.name, appleTimeText(values[i], field.minutes)];
      default: return [field.name, batch.text(field, values[i])];
    }
  });
}

/** Bytes that grow. */
class Output {
  constructor(capacity) {
    this.bytes = new Uint8Array(capacity);
    this.length = 0;
  }

  reserve(count) {
    if (this.length + count <= this.bytes.length) return;
    need(this.length + count <= MOST_BYTES, 'badContent', 'the rows of a batch are too long');
    const bytes = new Uint8Array(Math.min(MOST_BYTES, Math.max(2 * this.bytes.length, this.length + count)));
    bytes.set(this.bytes.subarray(0, this.length));
    this.bytes = bytes;
  }

  append(bytes) {
    this.reserve(bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** Appends a part of other bytes. Most are short, for which a loop is faster. */
  copy(from, start, end) {
    this.reserve(end - start);
    const { bytes } = this;
    let at = this.length;
    for (let i = start; i < end; i++) bytes[at++] = from[i];
    this.length = at;
  }

  /** Appends text of ASCII characters. */
  ascii(text) {
    this.reserve(text.length);
    const { bytes } = this;
    let at = this.length;
    for (let i = 0; i < text.length; i++) bytes[at++] = text.charCodeAt(i);
    this.length = at;
  }
}

/** The lines of the rows that `isWanted` accepts, all of them without it. */
export function ndjson(batch, isWanted = null) {
  const output = new Output(Math.min(MOST_BYTES, 2 * batch.bytes.length + 256 * Math.min(batch.count, 4096) + 64));
  const start = utf8(`{"element":${quote(batch.element)},"position":`);
  const plans = new Map(batch.layouts.map((layout) => [layout, planLayout(layout, batch.element)]));
  batch.forEachRow((row, layout, values) => {
    if (isWanted && !isWanted(row, layout, values)) return;
    const plan = plans.get(layout);
    output.append(start);
    output.ascii(String(batch.positions[row]));
    if (plan.isOdd || plan.suspects.some((i) => isOurTime(batch.text(layout[i], values[i])))) {
      appendOddRow(output, batch, layout, values);
    } else {
      for (let i = 0; i < layout.length; i++) {
        output.append(plan.prefixes[i]);
        appendValue(output, batch, layout[i], values[i], plan.suffixes[i]);
      }
    }
    const content = batch.contentBytes(row);
    if (content) {
      output.ascii(',');
      output.append(content);
    }
    output.append(LINE_END);
  });
  return output.bytes.subarray(0, output.length);
}

/** What is the same in all rows of a layout. */
function planLayout(layout, element) {
  const names = layout.map((field) => field.name);
  const inner = (text) => quote(text).slice(1, -1);
  return {
    isOdd: new Set(names).size < names.length || names.some(isReserved) || layout.some(
      (field) => field.kind === 'constant' && isTimeAttribute(field.name, element) && isOurTime(field.text)),
    /** Fields whose texts can make a row odd. */
    suspects: layout.flatMap((field, i) => (
      (field.kind === 'text' || field.kind === 'enclosed') && isTimeAttribute(field.name, element) ? [i] : [])),
    prefixes: layout.map((field) => {
      const name = `,${quote(field.name)}:`;
      switch (field.kind) {
        case 'constant': return utf8(name + quote(field.text));
        case 'enclosed': return utf8(`${name}"${inner(field.before)}`);
        default: return utf8(name);
      }
    }),
    suffixes: layout.map((field) => (field.kind === 'enclosed' ? utf8(`${inner(field.after)}"`) : null)),
  };
}

function appendValue(output, batch, field, value, suffix) {
  if (field.kind === 'constant') return;
  if (field.kind === 'time') {
    output.ascii(`"${timeText(value, field.minutes)}"`);
    return;
  }
  const { places } = field.column;
  const start = places[value];
  const end = places[value + 1];
  if (end < 0) {
    // Its escapes may not be those of a line.
    const text = utf8(quote(batch.scanner.unescape(start + 1, -end - 1)));
    output.append(field.kind === 'enclosed' ? text.subarray(1, text.length - 1) : text);
  } else if (field.kind === 'enclosed') {
    output.copy(batch.bytes, start + 1, end - 1);
  } else {
    output.copy(batch.bytes, start, end);
  }
  if (suffix) output.append(suffix);
}

function appendOddRow(output, batch, layout, values) {
  output.append(utf8(`,"attributes":${quoteList(attributesOfRow(batch, layout, values))}`));
  const seen = new Set();
  layout.forEach((field, i) => {
    if (isReserved(field.name) || seen.has(field.name)) return;
    seen.add(field.name);
    const plan = planLayout([field], batch.element);
    output.append(plan.prefixes[0]);
    appendValue(output, batch, field, values[i], plan.suffixes[0]);
  });
}

/** `[["name","text"],...]` */
export function quoteList(attributes) {
  return `[${attributes.map(([name, text]) => `[${quote(name)},${quote(text)}]`).join(',')}]`;
}
