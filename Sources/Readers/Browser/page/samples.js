// The third screen: the samples of a type in a time, as charts and as a table.

import { counted } from '../format/manifest.js';
import { attributesOfRow, dayText, timeText } from '../format/rows.js';
import { fromUTF8 } from '../format/words.js';
import { Stopped } from '../collection/saving.js';
import { DayRange, START_NAMES } from '../collection/selection.js';
import { MOST_ROWS, nextBin, readSamples } from '../collection/totals.js';
import { dayOfText } from '../collection/zones.js';
import { chart } from './chart.js';
import { announce, breathe, element, fill, formatNumber, show, visible } from './dom.js';
import { SavingView, fileName, lossList } from './savingview.js';

const ROWS_OF_PAGE = 100;
const MOST_BINS = 1500;
const MOST_CHARTS = 8;

/** Shows the screen. `onBack` leads to the contents. */
export function showSamples(session, group, onBack) {
  const { collection } = session;
  const { zone } = collection;
  const lastDay = group.last === undefined ? undefined : zone.dayOf(group.last);
  const firstDay = group.first === undefined ? undefined : zone.dayOf(group.first);
  // A month of samples to begin with, unless there are few.
  const begin = lastDay !== undefined && (group.count ?? Infinity) > 5000 ? Math.max(firstDay, lastDay - 30) : undefined;
  const from = element('input', { type: 'date', id: 'from', value: begin === undefined ? '' : dayText(begin) });
  const to = element('input', { type: 'date', id: 'to' });
  const bins = element('select', { id: 'bins' }, ['automatic', 'day', 'week', 'month'].map(
    (name) => element('option', { value: name }, name === 'automatic' ? 'as fits' : `by ${name}`)));
  const place = element('div');
  const saving = new SavingView(session);
  const range = () => new DayRange(zone, dayOfText(from.value), dayOfText(to.value));
  let task = null;

  async function refresh(event) {
    event?.preventDefault();
    task?.stop();
    task = new Task();
    const own = task;
    session.addTask(own);
    const bar = element('progress', { max: 1, value: 0, 'aria-label': 'Reading samples' });
    fill(place, bar);
    let found;
    try {
      found = await readSamples(collection, group, range(), async (done, total) => {
        bar.value = done / total;
        await breathe();
        if (own.isStopped) throw new Stopped();
      });
    } catch (error) {
      if (error instanceof Stopped) return;
      throw error;
    } finally {
      session.removeTask(own);
    }
    if (own.isStopped) return;
    const text = counted(found.count, 'sample');
    fill(place,
      element('p', {}, `${text}${range().isEverything ? '' : ' in this time'}`),
      found.losses.length > 0 && element('div', { class: 'problem', role: 'alert' }, element('p', {}, 'A part cannot be read:'), lossList(found.losses)),
      charts(group, found, bins.value), found.count > 0 && new SampleTable(found, zone).place);
    announce(text);
  }

  function save(format) {
    const days = [from.value, to.value].some(Boolean) ? ` ${from.value || 'start'} to ${to.value || 'end'}` : '';
    return saving.run(fileName(`${group.title}${days}.${format}`), (job, sink) => job.saveType(group, range(), format, sink));
  }

  show(element('div', { class: 'row no-print' }, element('button', { type: 'button', id: 'back', onclick: onBack }, 'Back to all types')),
    element('h2', {}, visible(group.title)),
    group.type && element('p', { class: 'quiet' }, visible(group.type)),
    element('form', { class: 'row no-print', onsubmit: refresh },
      element('div', {}, element('label', { for: 'from' }, 'From'), from),
      element('div', {}, element('label', { for: 'to' }, 'Until'), to),
      element('div', {}, element('label', { for: 'bins' }, 'Chart'), bins),
      element('button', { type: 'submit', class: 'main' }, 'Show')),
    element('p', { class: 'quiet no-print' }, firstDay === undefined ? '' :
      `There are samples from ${dayText(firstDay)} to ${dayText(lastDay)}. Days are those of ${visible(zone.name)}; a sample counts on the day it starts.`),
    place,
    element('h3', { class: 'no-print' }, 'Save these samples'),
    element('div', { class: 'row no-print' },
      element('button', { type: 'button', id: 'save-ndjson', onclick: () => save('ndjson') }, 'Save as NDJSON'),
      element('button', { type: 'button', id: 'save-csv', onclick: () => save('csv') }, 'Save as CSV')),
    element('p', { class: 'quiet no-print' }, 'The file is not encrypted.'), saving.place);
  refresh();
}

/** A reading that can be stopped. */
class Task {
  isStopped = false;

  stop() {
    this.isStopped = true;
  }
}

/** One chart for each source and unit: what several sources measured is never added up. */
function charts(group, { series, aggregation }, wanted) {
  const drawn = series.filter(({ days }) => days.size > 0).slice(0, MOST_CHARTS);
  if (drawn.length === 0) return [];
  let [start, end] = [Infinity, -Infinity];
  for (const { days } of drawn) {
    for (const day of days.keys()) {
      start = Math.min(start, day);
      end = Math.max(end, day + 1);
    }
  }
  const length = binLength(wanted, end - start);
  const figures = drawn.map((one) => {
    const bins = one.bins(length, aggregation);
    return { one, bins };
  });
  for (const { bins } of figures) {
    start = Math.min(start, bins[0].start);
    end = Math.max(end, nextBin(bins.at(-1).start, length));
  }
  return [
    series.length > 1 && element('p', {}, `${counted(series.length, 'source')} recorded this. Each has a chart of its own, because adding them up could count the same thing twice.`),
    ...figures.map(({ one, bins }) => chart({
      series: one, bins, length, aggregation, title: visible(group.title), domain: { start, end },
    })),
    series.length > drawn.length && element('p', {}, `${series.length - drawn.length} more without a chart.`)];
}

function binLength(wanted, days) {
  const lengths = { day: 1, week: 7, month: 30 };
  const fits = days <= 120 ? 'day' : days <= 750 ? 'week' : 'month';
  if (wanted === 'automatic' || days / lengths[wanted] > MOST_BINS) return fits;
  return wanted;
}

/** A table of samples that can be sorted, in pages. */
class SampleTable {
  constructor({ rows, count }, zone) {
    Object.assign(this, { rows, count, zone, page: 0, key: 'start', isDescending: true });
    this.place = element('div');
    this.sort();
  }

  sort() {
    const sign = this.isDescending ? -1 : 1;
    const compare = {
      start: (one, other) => (one.start ?? -Infinity) - (other.start ?? -Infinity) || 0,
      value: (one, other) => Number(one.value) - Number(other.value) || compareText(one.value, other.value),
      source: (one, other) => compareText(one.source, other.source),
    }[this.key];
    this.rows.sort((one, other) => sign * compare(one, other));
    this.draw();
  }

  draw(focused = '') {
    const pages = Math.max(1, Math.ceil(this.rows.length / ROWS_OF_PAGE));
    const shown = this.rows.slice(this.page * ROWS_OF_PAGE, (this.page + 1) * ROWS_OF_PAGE);
    const turn = (name, id, to) => element('button', {
      type: 'button', id, disabled: to < 0 || to >= pages,
      onclick: () => {
        this.page = to;
        this.draw(id);
      },
    }, name);
    fill(this.place, element('h3', {}, 'Samples'),
      this.count > MOST_ROWS ? element('p', {}, `The table has the first ${formatNumber(MOST_ROWS)} of ${formatNumber(this.count)}; choose a shorter time for others.`) : '',
      element('div', { class: 'scroll', role: 'region', tabindex: 0, 'aria-label': 'Samples' }, element('table', {},
        element('caption', {}, `${formatNumber(this.page * ROWS_OF_PAGE + 1)} to ${formatNumber(this.page * ROWS_OF_PAGE + shown.length)} of ${formatNumber(this.rows.length)}`),
        element('thead', {}, element('tr', {}, this.heading('Start', 'start'), this.heading('Value', 'value'),
          element('th', { scope: 'col' }, 'Unit'), element('th', { scope: 'col' }, 'End'), this.heading('Source', 'source'),
          element('th', { scope: 'col' }, 'More'))),
        element('tbody', {}, shown.map((row) => this.line(row))))),
      element('div', { class: 'row no-print' }, turn('Previous', 'previous', this.page - 1), turn('Next', 'next', this.page + 1)));
    if (focused) this.place.querySelector(`#${focused}:not(:disabled)`)?.focus();
  }

  heading(title, key) {
    const isSorted = this.key === key;
    const id = `sort-${key}`;
    return element('th', { scope: 'col', 'aria-sort': isSorted ? (this.isDescending ? 'descending' : 'ascending') : undefined },
      element('button', {
        type: 'button', class: 'link', id,
        onclick: () => {
          this.isDescending = isSorted ? !this.isDescending : key !== 'source';
          Object.assign(this, { key, page: 0 });
          this.sort();
          this.place.querySelector(`#${id}`).focus();
        },
      }, isSorted ? `${title} ${this.isDescending ? '↓' : '↑'}` : title));
  }

  line({ start, value, unit, source, batch, row, layout, values }) {
    const timeOf = (name) => {
      const i = layout.findIndex((field) => field.name === name && field.kind === 'time');
      return i < 0 ? '' : timeText(values[i], layout[i].minutes).replace('T', ' ');
    };
    const startText = START_NAMES.map(timeOf).find(Boolean) ?? (start === undefined ? '' : dayText(this.zone.dayOf(start)));
    return element('tr', {}, element('td', { class: 'time' }, startText), element('td', {}, visible(value)),
      element('td', {}, visible(unit)), element('td', { class: 'time' }, timeOf('endDate')), element('td', {}, visible(source)),
      element('td', {}, details(batch, row, layout, values)));
  }
}

const OWN_COLUMNS = new Set([...START_NAMES, 'endDate', 'value', 'unit', 'sourceName', 'type', 'workoutActivityType']);

/** All other attributes of a sample, and what is nested in it. */
function details(batch, row, layout, values) {
  const rest = attributesOfRow(batch, layout, values).filter(([name]) => !OWN_COLUMNS.has(name));
  const content = batch.contentBytes(row);
  if (rest.length === 0 && !content) return '';
  const box = element('details', {
    ontoggle: () => {
      if (!box.open || box.children.length > 1) return;
      box.append(element('dl', { class: 'facts' }, rest.map(
        ([name, text]) => [element('dt', {}, visible(name)), element('dd', {}, visible(text))])),
      content ? element('p', {}, visible(fromUTF8(content))) : '');
    },
  }, element('summary', {}, 'Details'));
  return box;
}

function compareText(one, other) {
  return one < other ? -1 : one > other ? 1 : 0;
}

