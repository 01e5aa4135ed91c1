// A chart of one source, as SVG with a table behind it.

import { civilDay, dayNumber, dayText } from '../format/rows.js';
import { nextBin } from '../collection/totals.js';
import { element, formatNumber, svgElement, visible } from './dom.js';

const HEIGHT = 240;
const [LEFT, RIGHT, TOP, BOTTOM] = [64, 16, 14, 28];
const WORDS = { sum: 'sum', average: 'average', count: 'number of samples' };
let numberOfCharts = 0;

/** The step of an axis: 1, 2 or 5 times a power of ten. */
function niceStep(range, most) {
  const raw = range / most;
  const power = 10 ** Math.floor(Math.log10(raw));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= raw);
}

/** Bars for sums and counts, a line with gaps for averages. `domain` is shared by the charts of all sources. */
export function chart({ series, bins, length, aggregation, title, domain }) {
  numberOfCharts++;
  // As wide as it is shown, so that its texts have their size on a telephone too.
  const width = Math.max(280, Math.min(960, document.getElementById('main').clientWidth));
  const id = `chart-${numberOfCharts}`;
  const isLine = aggregation === 'average';
  const unit = aggregation === 'count' ? '' : visible(series.unit);
  const lowest = bins.reduce((least, { value }) => Math.min(least, value), Infinity);
  const highest = bins.reduce((most, { value }) => Math.max(most, value), -Infinity);
  const low = isLine ? lowest : Math.min(0, lowest);
  const high = isLine ? highest : Math.max(0, highest);
  const step = niceStep(high - low || Math.abs(high) || 1, 4);
  const bottom = Math.floor(low / step) * step;
  const top = Math.max(Math.ceil(high / step) * step, bottom + step);
  const days = domain.end - domain.start;
  const x = (day) => LEFT + ((width - LEFT - RIGHT) * (day - domain.start)) / days;
  const y = (value) => TOP + ((HEIGHT - TOP - BOTTOM) * (top - value)) / (top - bottom);
  const source = series.source === '' ? 'without a source' : visible(series.source);
  const caption = `${title}, ${WORDS[aggregation]} per ${length}${unit && ` in ${unit}`}, ${source}`;
  const summary = `${bins.length} ${length}s with samples, ${dayText(bins[0].start)} to ${dayText(bins.at(-1).start)}; ` +
    `lowest ${formatNumber(lowest)}, highest ${formatNumber(highest)}${unit && ` ${unit}`}`;
  const svg = svgElement('svg', {
    viewBox: `0 0 ${width} ${HEIGHT}`, role: 'img', 'aria-labelledby': `${id}-title`, 'aria-describedby': `${id}-summary`,
  }, axes({ bottom, top, step }, domain, width, x, y), isLine ? curve(bins, length, x, y) : bars(bins, length, x, y));
  return element('figure', {},
    element('figcaption', { id: `${id}-title` }, caption),
    element('p', { id: `${id}-summary`, class: 'quiet' }, summary), svg,
    element('details', {}, element('summary', {}, 'These numbers as a table'), binTable(bins, caption, length, unit)));
}

function axes({ bottom, top, step }, domain, width, x, y) {
  const parts = [];
  for (let i = 0; bottom + i * step <= top + step / 2; i++) {
    const value = bottom + i * step;
    parts.push(svgElement('line', { class: 'axis', x1: LEFT, x2: width - RIGHT, y1: y(value), y2: y(value) }),
      svgElement('text', { x: LEFT - 6, y: y(value) + 4, 'text-anchor': 'end' }, shortNumber(value)));
  }
  for (const { day, text } of dayMarks(domain, Math.max(2, Math.floor((width - LEFT - RIGHT) / 90)))) {
    parts.push(svgElement('line', { class: 'axis', x1: x(day), x2: x(day), y1: HEIGHT - BOTTOM, y2: HEIGHT - BOTTOM + 5 }),
      svgElement('text', { x: x(day), y: HEIGHT - 8, 'text-anchor': 'middle' }, text));
  }
  return parts;
}

function shortNumber(value) {
  return value.toLocaleString('en-US', { notation: Math.abs(value) >= 10_000 ? 'compact' : 'standard', maximumFractionDigits: 3 });
}

/** At most so many days with their names: years, months or days, as the time asks for. */
function dayMarks({ start, end }, most) {
  const marks = [];
  const from = civilDay(start);
  const days = end - start;
  if (days > 45) {
    const months = Math.max(1, [1, 2, 3, 6, 12, 24, 60, 120, 240].find((step) => days / 30.4 / step <= most) ?? 600);
    for (let month = 12 * from.year + from.month - 1; ; month++) {
      if (month % months !== 0) continue;
      const day = dayNumber(Math.floor(month / 12), (month % 12) + 1, 1);
      if (day > end - days / 20) break;
      if (day >= start + days / 40) marks.push({ day, text: dayText(day).slice(0, months >= 12 ? 4 : 7) });
    }
  } else {
    const step = Math.max(1, Math.ceil(days / most));
    for (let day = start; day < end; day += step) if (day >= start + days / 40 || days < 3) marks.push({ day, text: dayText(day).slice(5) });
  }
  return marks;
}

function bars(bins, length, x, y) {
  return bins.map(({ start, value }) => {
    const width = Math.max(1, (x(nextBin(start, length)) - x(start)) * 0.8);
    const [from, to] = [y(Math.max(0, value)), y(Math.min(0, value))];
    return svgElement('rect', { class: 'bar', x: x(start), y: from, width, height: Math.max(value === 0 ? 0 : 1, to - from) });
  });
}

/** Only neighbours are joined: a line through days without samples would invent values. */
function curve(bins, length, x, y) {
  const middle = (start) => (x(start) + x(nextBin(start, length))) / 2;
  const path = [];
  const dots = [];
  bins.forEach(({ start, value }, i) => {
    const followsOn = i > 0 && nextBin(bins[i - 1].start, length) === start;
    path.push(`${followsOn ? 'L' : 'M'}${middle(start).toFixed(1)} ${y(value).toFixed(1)}`);
    if (bins.length <= 100 || !followsOn) dots.push(svgElement('circle', { class: 'dot', cx: middle(start).toFixed(1), cy: y(value).toFixed(1), r: 2.5 }));
  });
  return [svgElement('path', { class: 'curve', d: path.join('') }), dots];
}

function binTable(bins, caption, length, unit) {
  return element('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': caption }, element('table', {},
    element('thead', {}, element('tr', {},
      element('th', { scope: 'col' }, `${length[0].toUpperCase()}${length.slice(1)} from`),
      element('th', { scope: 'col', class: 'number' }, unit === '' ? 'Value' : `Value (${unit})`),
      element('th', { scope: 'col', class: 'number' }, 'Samples'))),
    element('tbody', {}, bins.map(({ start, value, count }) => element('tr', {},
      element('th', { scope: 'row' }, dayText(start)), element('td', { class: 'number' }, formatNumber(value)),
      element('td', { class: 'number' }, formatNumber(count)))))));
}
