// Days in the time zone of the export.

import { dayNumber } from '../format/rows.js';

const DAY = 86400;

/** A time zone by its name (`Europe/Berlin`) or as an offset (`+02:00`). */
export class Zone {
  constructor(name) {
    this.offsets = new Map();
    const offset = /^([+-])([0-9]{2}):?([0-9]{2})$/.exec(name);
    if (offset) {
      this.fixed = (offset[1] === '-' ? -60 : 60) * (60 * Number(offset[2]) + Number(offset[3]));
      this.name = name;
      return;
    }
    try {
      this.format = new Intl.DateTimeFormat('en-u-ca-iso8601-nu-latn', {
        timeZone: name === '' ? 'UTC' : name, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric',
        hour: 'numeric', minute: 'numeric', second: 'numeric', era: 'short',
      });
      this.name = name === '' ? 'UTC' : name;
    } catch {
      this.fixed = 0;
      this.name = 'UTC';
    }
  }

  /** How many seconds east of UTC the zone is at an instant. */
  offsetAt(seconds) {
    if (this.fixed !== undefined) return this.fixed;
    const day = Math.floor(seconds / DAY);
    if (!this.offsets.has(day)) {
      const start = this.exactOffset(day * DAY);
      // On days when clocks are changed, each instant is looked at.
      this.offsets.set(day, start === this.exactOffset((day + 1) * DAY) ? start : null);
    }
    return this.offsets.get(day) ?? this.exactOffset(seconds);
  }

  exactOffset(seconds) {
    const parts = {};
    for (const { type, value } of this.format.formatToParts(seconds * 1000)) parts[type] = value;
    const year = parts.era?.startsWith('B') ? 1 - Number(parts.year) : Number(parts.year);
    const days = dayNumber(year, Number(parts.month), Number(parts.day));
    return days * DAY + 3600 * Number(parts.hour) + 60 * Number(parts.minute) + Number(parts.second) - seconds;
  }

  /** The day, counted from 1970, that an instant is in. */
  dayOf(seconds) {
    return Math.floor((seconds + this.offsetAt(seconds)) / DAY);
  }

  /** The first instant of a day. */
  startOfDay(day) {
    const local = day * DAY;
    // Clocks that are put forward at midnight leave the day to start later: the earlier guess is then the one before.
    const guesses = [local - this.offsetAt(local - DAY), local - this.offsetAt(local + DAY)].sort((one, other) => one - other);
    for (const guess of guesses) if (this.dayOf(guess) === day && this.dayOf(guess - 1) < day) return guess;
    for (let guess = guesses[0] - 7200; guess <= guesses[1] + 7200; guess += 60) if (this.dayOf(guess) >= day) return guess;
    return guesses[0];
  }
}

/** The seconds since 1970 of `2023-05-13T10:36:12+02:00`, undefined for any other text. */
export function secondsOf(text) {
  const found = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)([+-])(\d\d):(\d\d)$/.exec(text ?? '');
  if (!found) return undefined;
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map(Number);
  const east = (found[7] === '-' ? -60 : 60) * (60 * Number(found[8]) + Number(found[9]));
  return dayNumber(year, month, day) * DAY + 3600 * hour + 60 * minute + second - east;
}

/** The day since 1970 of `2023-05-13`, undefined for any other text. */
export function dayOfText(text) {
  const found = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text ?? '');
  return found ? dayNumber(Number(found[1]), Number(found[2]), Number(found[3])) : undefined;
}
