// The rows of a type that start in a time.

import { dayOfText } from './zones.js';

/** The attributes with the start of a row, the first of which counts. */
export const START_NAMES = ['startDate', 'dateIssued', 'receivedDate'];
/** How far midnight in any zone is from midnight in UTC. */
const FARTHEST_MIDNIGHT = 86400;

/** Days, both included; undefined for no limit. */
export class DayRange {
  constructor(zone, firstDay, lastDay) {
    this.zone = zone;
    this.from = firstDay === undefined ? undefined : zone.startOfDay(firstDay);
    this.to = lastDay === undefined ? undefined : zone.startOfDay(lastDay + 1);
  }

  get isEverything() {
    return this.from === undefined && this.to === undefined;
  }

  /** Whether rows of a batch may be in the range, by what the index says of it. */
  mayCover(group, { first, last }) {
    if (first === undefined || last === undefined) return true;
    const slack = group.element === 'ActivitySummary' ? FARTHEST_MIDNIGHT : 0;
    return (this.to === undefined || first - slack < this.to) && (this.from === undefined || last + slack >= this.from);
  }

  covers(start) {
    if (start === undefined) return this.from === undefined;
    return (this.from === undefined || start >= this.from) && (this.to === undefined || start < this.to);
  }
}

/** Finds the start of a row: its first start that is a time, else the day that it names. */
export class StartFinder {
  constructor(batch, zone) {
    this.batch = batch;
    this.zone = zone;
    this.places = new Map(batch.layouts.map((layout) => [layout, START_NAMES.map(
      (name) => layout.findIndex((field) => field.name === name && field.kind === 'time')).find((i) => i >= 0) ?? -1]));
    this.days = new Map(batch.layouts.map((layout) => [layout, layout.findIndex((field) => field.name === 'dateComponents')]));
  }

  start(layout, values) {
    const i = this.places.get(layout);
    if (i >= 0) return values[i];
    const day = this.days.get(layout);
    if (day < 0) return undefined;
    const text = layout[day].kind === 'constant' ? layout[day].text : this.batch.text(layout[day], values[day]);
    const number = dayOfText(text);
    return number === undefined ? undefined : this.zone.startOfDay(number);
  }
}

/** What `ndjson` and `csv` ask of each row; null if all rows are wanted. */
export function rowFilter(batch, range) {
  if (range.isEverything) return null;
  const finder = new StartFinder(batch, range.zone);
  return (row, layout, values) => range.covers(finder.start(layout, values));
}

