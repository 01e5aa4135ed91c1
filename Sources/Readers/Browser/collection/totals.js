// Samples of a type in a time: for the table, and added up by day, week and month for the chart.

import { ArchiveError } from '../format/errors.js';
import { isNumber } from '../format/json.js';
import { civilDay, dayNumber } from '../format/rows.js';
import { StartFinder, rowFilter } from './selection.js';
import { aggregationOf, wordsOf } from './types.js';

/** The most samples that a table shows; a chart counts all of them. */
export const MOST_ROWS = 200_000;

/** What one source measured in one unit, by day. */
class Series {
  constructor(source, unit) {
    Object.assign(this, { source, unit, count: 0, days: new Map() });
  }

  add(day, value) {
    this.count++;
    if (!this.days.has(day)) this.days.set(day, { sum: 0, count: 0 });
    const bin = this.days.get(day);
    bin.sum += value;
    bin.count++;
  }

  /** Sums, averages or counts by the start of each bin. */
  bins(length, aggregation) {
    const bins = new Map();
    for (const [day, { sum, count }] of this.days) {
      const start = binStart(day, length);
      if (!bins.has(start)) bins.set(start, { start, sum: 0, count: 0 });
      const bin = bins.get(start);
      bin.sum += sum;
      bin.count += count;
    }
    return [...bins.values()].sort((one, other) => one.start - other.start).map(({ start, sum, count }) => ({
      start, count, value: aggregation === 'sum' ? sum : aggregation === 'average' ? sum / count : count,
    }));
  }
}

/** The first day of the day, week (from Monday) or month that a day is in. */
export function binStart(day, length) {
  if (length === 'week') return day - ((((day + 3) % 7) + 7) % 7);
  if (length === 'month') {
    const { year, month } = civilDay(day);
    return dayNumber(year, month, 1);
  }
  return day;
}

/** The first day behind a bin. */
export function nextBin(start, length) {
  if (length === 'day') return start + 1;
  if (length === 'week') return start + 7;
  const { year, month } = civilDay(start);
  return month === 12 ? dayNumber(year + 1, 1, 1) : dayNumber(year, month + 1, 1);
}

/** Reads the samples of a type in a range. `report` is called with the part that is done; it may throw to stop. */
export async function readSamples(collection, group, range, report = () => {}) {
  const series = new Map();
  const rows = [];
  const losses = [];
  const names = new Set();
  let count = 0;
  const batches = group.batches.filter((batch) => range.mayCover(group, batch));
  for (const [number, { file }] of batches.entries()) {
    await report(number, batches.length);
    let batch;
    try {
      batch = await collection.batch(file);
      addRows(batch);
    } catch (error) {
      if (!(error instanceof ArchiveError)) throw error;
      losses.push({ what: file.path, error });
    }
  }
  return {
    rows, count, losses, columns: [...names], aggregation: aggregationOf(group.element, group.type),
    series: [...series.values()].sort((one, other) => other.count - one.count),
  };

  function addRows(batch) {
    const isWanted = rowFilter(batch, range);
    for (const layout of batch.layouts) for (const field of layout) names.add(field.name);
    const finder = new StartFinder(batch, collection.zone);
    const layouts = new Map(batch.layouts.map((layout) => [layout, Object.fromEntries(
      ['value', 'unit', 'sourceName', 'workoutActivityType'].map((name) => [name, layout.findIndex((field) => field.name === name)]))]));
    const textAt = (layout, values, i) => (
      i < 0 ? '' : layout[i].kind === 'constant' ? layout[i].text : layout[i].kind === 'time' ? '' : batch.text(layout[i], values[i]));
    batch.forEachRow((row, layout, values) => {
      if (isWanted && !isWanted(row, layout, values)) return;
      count++;
      const places = layouts.get(layout);
      const start = finder.start(layout, values);
      const sport = textAt(layout, values, places.workoutActivityType).replace(/^HKWorkoutActivityType/, '');
      const value = textAt(layout, values, places.value) || wordsOf(sport);
      const unit = textAt(layout, values, places.unit);
      const source = textAt(layout, values, places.sourceName);
      const key = `${source}\0${unit}`;
      if (!series.has(key)) series.set(key, new Series(source, unit));
      if (start !== undefined) series.get(key).add(collection.zone.dayOf(start), isNumber(value) ? Number(value) : 0);
      if (rows.length >= MOST_ROWS) return;
      rows.push({ start, value, unit, source, batch, row, layout, values: values.slice(0, layout.length) });
    });
  }
}
