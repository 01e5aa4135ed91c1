// Rows as CSV (RFC 4180), as the command writes them; its documentation describes them under "Other formats".

import { isTimeAttribute } from '../format/batches.js';
import { ArchiveError } from '../format/errors.js';
import { JSONError, JSONScanner, hasLoneSurrogate, isNumber, quote } from '../format/json.js';
import { attributesOfRow, isOurTime, quoteList, timeText } from '../format/rows.js';
import { fromUTF8, utf8 } from '../format/words.js';

const TIMES = ['startDate', 'endDate', 'creationDate'];
const ORIGIN = ['sourceName', 'sourceVersion', 'device'];
const COLUMNS = {
  Workout: ['workoutActivityType', ...TIMES, 'duration', 'durationUnit', 'totalDistance', 'totalDistanceUnit',
    'totalEnergyBurned', 'totalEnergyBurnedUnit', 'totalFlightsClimbed', 'totalFlightsClimbedUnit',
    'totalSwimmingStrokeCount', 'totalSwimmingStrokeCountUnit', ...ORIGIN],
  ActivitySummary: ['dateComponents', 'activeEnergyBurned', 'activeEnergyBurnedGoal', 'activeEnergyBurnedUnit',
    'appleMoveTime', 'appleMoveTimeGoal', 'appleExerciseTime', 'appleExerciseTimeGoal', 'appleStandHours',
    'appleStandHoursGoal'],
  Correlation: ['type', ...TIMES, ...ORIGIN],
  ClinicalRecord: ['type', 'identifier', 'sourceName', 'sourceURL', 'fhirVersion', 'receivedDate', 'resourceFilePath'],
  VisionPrescription: ['type', 'dateIssued', 'expirationDate', 'brand'],
  HealthData: ['locale'],
  ExportDate: ['value'],
  Me: ['DateOfBirth', 'BiologicalSex', 'BloodType', 'FitzpatrickSkinType', 'CardioFitnessMedicationsUse']
    .map((name) => `HKCharacteristicTypeIdentifier${name}`),
};
const ANY_COLUMNS = ['type', ...TIMES, 'value', 'unit', ...ORIGIN];
/** Attributes that have numbers; the texts of all others are never taken for one. */
const MEASUREMENTS = new Set(`value duration totalDistance totalEnergyBurned totalSwimmingStrokeCount totalFlightsClimbed
  activeEnergyBurned activeEnergyBurnedGoal appleMoveTime appleMoveTimeGoal appleExerciseTime appleExerciseTimeGoal
  appleStandHours appleStandHoursGoal`.split(/\s+/));
const APPLE_TIME = /^([0-9]{4}-[0-9]{2}-[0-9]{2}) ([0-9]{2}:[0-9]{2}:[0-9]{2}) ([+-][0-9]{2})([0-9]{2})$/;

function columnsOf(element) {
  return Object.hasOwn(COLUMNS, element) ? COLUMNS[element] : ANY_COLUMNS;
}

/** The byte order mark and the header of a file. */
export function csvHeader(element) {
  return utf8(`\ufeff${[...columnsOf(element), 'metadata', 'other'].join(',')}\r\n`);
}

/** The lines of the rows that `isWanted` accepts, all of them without it. */
export function csv(batch, isWanted = null) {
  const columns = columnsOf(batch.element);
  const tails = new Map();
  const lines = [];
  batch.forEachRow((row, layout, values) => {
    if (isWanted && !isWanted(row, layout, values)) return;
    const attributes = attributesOfRow(batch, layout, values);
    const cells = columns.map(() => '');
    const taken = new Set();
    const rest = [];
    let isExact = true;
    attributes.forEach(([name, text], i) => {
      const column = columns.indexOf(name);
      if (column < 0 || taken.has(column)) {
        rest.push([name, text]);
        return;
      }
      taken.add(column);
      const field = layout[i];
      if (field.kind === 'time') {
        cells[column] = timeText(values[i], field.minutes);
        return;
      }
      const isTime = isTimeAttribute(name, batch.element);
      if (hasLoneSurrogate(text) || (isTime && isOurTime(text))) isExact = false;
      const converted = isTime ? convertedTime(text) : null;
      if (converted) cells[column] = converted;
      else if (isNumeralCell(name, text, batch.element)) cells[column] = text;
      else cells[column] = textCell(text.replace(/\p{Surrogate}/gu, '\ufffd'));
    });
    const kept = isExact ? rest : attributes;
    const content = batch.contentBytes(row);
    const key = kept.length > 0 ? null : batch.contentOfRow[row];
    if (key === null || !tails.has(key)) {
      const made = tail(content, kept);
      if (key === null) {
        lines.push(cells.join(',') + made);
        return;
      }
      tails.set(key, made);
    }
    lines.push(cells.join(',') + tails.get(key));
  });
  return utf8(lines.join(''));
}

function isNumeralCell(name, text, element) {
  return element !== 'MetadataEntry' && MEASUREMENTS.has(name) && isNumber(text);
}

/** A time that stands as text in Apple's form, in the form of a line; null for any other text. */
function convertedTime(text) {
  const found = APPLE_TIME.exec(text);
  if (!found) return null;
  const iso = `${found[1]}T${found[2]}${found[3]}:${found[4]}`;
  return isOurTime(iso) ? iso : null;
}

/** What a spreadsheet may take for the end of a cell. */
const CELL_STARTS = new Set(';\t\r\n');

/** A text, with a mark wherever a spreadsheet might take the rest for a formula, or if it starts with the mark. */
function textCell(text) {
  const marked = text.replace(/[=+\-@\t\r']/g, (character, place) =>
    place === 0 || CELL_STARTS.has(text[place - 1]) ? `'${character}` : character);
  return /[,"\r\n]/.test(text) ? `"${marked.replaceAll('"', '""')}"` : marked;
}

/** The last two cells of a row, and the end of the line. */
function tail(content, attributes) {
  const { metadata, members } = content ? splitContent(content) : { metadata: '', members: '' };
  const texts = attributes.length > 0 ? `"attributes":${quoteList(attributes)}` : '';
  const other = [texts, members].filter((part) => part !== '').join(',');
  return `,${metadata && textCell(metadata)},${other && textCell(`{${other}}`)}\r\n`;
}

/** The metadata of a content as an object, and its other members. */
function splitContent(content) {
  const scanner = new JSONScanner(utf8(`{${fromUTF8(content)}}`));
  const keys = new Map();
  const members = [];
  try {
    scanner.object((name) => {
      scanner.peek();
      const start = scanner.at;
      const value = scanner.value();
      const entries = name === 'metadata' ? metadataEntries(value) : null;
      if (entries) {
        for (const [key, text] of entries) keys.set(key, [...(keys.get(key) ?? []), text]);
      } else {
        members.push(`${quote(name)}:${fromUTF8(scanner.bytes.subarray(start, scanner.at))}`);
      }
    });
  } catch (error) {
    if (error instanceof JSONError) throw new ArchiveError('badContent', [], error.message);
    throw error;
  }
  const metadata = [...keys].map(([key, texts]) => (
    `${quote(key)}:${texts.length === 1 ? quote(texts[0]) : `[${texts.map(quote).join(',')}]`}`));
  return { metadata: metadata.length > 0 ? `{${metadata.join(',')}}` : '', members: members.join(',') };
}

/** Keys and values of metadata; null if an entry has anything else. */
function metadataEntries(value) {
  if (!Array.isArray(value)) return null;
  const entries = [];
  for (const entry of value) {
    if (!(entry instanceof Map) || entry.size !== 2) return null;
    const [key, text] = [entry.get('key'), entry.get('value')];
    if (typeof key !== 'string' || typeof text !== 'string') return null;
    entries.push([key, text]);
  }
  return entries;
}

