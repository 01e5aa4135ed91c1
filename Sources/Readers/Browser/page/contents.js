// The second screen: what is in the archive.

import { parseJSON } from '../format/json.js';
import { counted } from '../format/manifest.js';
import { dayText, ndjson } from '../format/rows.js';
import { wordsOf } from '../collection/types.js';
import { warningLines } from './choosing.js';
import { element, fill, formatBytes, formatNumber, show, visible } from './dom.js';
import { SavingView, fileName } from './savingview.js';

/** Shows the screen. `onType` gets the type that was chosen. */
export function showContents(session, onType) {
  const { collection } = session;
  const saving = new SavingView(session);
  const [newest] = collection.archives;
  const notes = [...collection.notes.map(visible), ...warningLines(collection.archives), ...collection.beside.map(visible)];
  show(element('h2', {}, `What is in ${visible(newest.file.name)}`),
    notes.length > 0 && element('div', { class: 'problem' }, element('ul', {}, notes.map((note) => element('li', {}, note)))),
    facts(collection),
    element('p', { class: 'quiet' }, 'Nothing in an archive shows whether a later one continues it. Choose all archives of its folder together to find out.'),
    element('h3', {}, 'Save everything'),
    element('p', {}, 'CSV has tables, one for each type, that every spreadsheet opens. NDJSON is the folder that "healthvault decrypt" writes, for programs.'),
    element('p', {}, 'Both are zips, and not encrypted: keep them where only you can read them.'),
    element('div', { class: 'row' },
      element('button', { type: 'button', class: 'main', id: 'save-everything-csv', onclick: () => saveEverything('csv') }, 'Save as CSV'),
      element('button', { type: 'button', id: 'save-everything', onclick: () => saveEverything('ndjson') }, 'Save as NDJSON')),
    collection.gone.length > 0 && element('div', { class: 'row' }, `${collection.goneText} are not in it.`,
      element('button', { type: 'button', class: 'link', id: 'save-gone', onclick: () => saveEverything('gone') }, 'Save them')),
    saving.place,
    typesSection(collection, onType), filesSection(collection, saving), aboutSection(collection));

  function saveEverything(format) {
    const name = `${newest.file.name.replace(/\.hvault$/, '')}-${format}.zip`;
    return saving.run(fileName(name), (task, sink) => (
      format === 'gone' ? task.saveFiles(collection.gone, sink) : task.saveEverything(format, sink)));
  }
}

function facts(collection) {
  const { manifest, archives, zone } = collection;
  const samples = manifest?.samples ?? collection.types.reduce((sum, { count }) => sum + (count ?? 0), 0);
  const pairs = [['Samples', formatNumber(samples)]];
  if (manifest?.first) pairs.push(['Time', `${manifest.first.slice(0, 10)} to ${manifest.last.slice(0, 10)}`]);
  if (manifest?.exportDate) pairs.push(['Exported', visible(manifest.exportDate)]);
  pairs.push(['Days in', visible(zone.name)]);
  if (manifest) pairs.push(['Sources', sourceList(manifest.sources)]);
  pairs.push(['Written by', visible(archives[0].index.tool) || 'unknown']);
  pairs.push(archives.length === 1 ? ['Size', formatBytes(archives[0].file.size)]
    : ['Archives', archives.map(({ file }) => `${visible(file.name)} (${formatBytes(file.size)})`).join(', ')]);
  return element('dl', { class: 'facts' }, pairs.map(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]));
}

function sourceList(sources) {
  const names = sources.map(visible);
  if (names.length <= 6) return names.join(', ') || 'none';
  return element('details', {}, element('summary', {}, counted(names.length, 'source')),
    element('ul', {}, names.map((name) => element('li', {}, name))));
}

function typesSection(collection, onType) {
  const body = element('tbody');
  const found = element('p', { class: 'quiet', role: 'status' });
  const search = element('input', { type: 'search', id: 'search', autocomplete: 'off', oninput: () => list() });

  function list() {
    const wanted = search.value.trim().toLowerCase();
    const types = collection.types.filter(({ title, type, element: name }) => `${title} ${type} ${name}`.toLowerCase().includes(wanted));
    fill(body, ...types.map((group) => typeRow(collection, group, onType)));
    found.textContent = counted(types.length, 'type');
  }
  list();
  return [element('h3', {}, 'Types'),
    element('label', { for: 'search' }, 'Search'), search, found,
    element('table', { class: 'types' },
      element('thead', {}, element('tr', {}, ['Type', 'Samples', 'First day', 'Last day'].map(
        (name, i) => element('th', { scope: 'col', class: i === 1 ? 'number' : undefined }, name)))), body)];
}

function typeRow(collection, group, onType) {
  const day = (seconds) => (seconds === undefined ? '' : dayText(collection.zone.dayOf(seconds)));
  return element('tr', {},
    element('th', { scope: 'row' }, element('button', { type: 'button', class: 'link', onclick: () => onType(group) }, visible(group.title))),
    element('td', { class: 'number', 'data-label': 'Samples' }, group.count === undefined ? 'not listed' : formatNumber(group.count)),
    element('td', { class: 'time', 'data-label': 'First day' }, day(group.first)),
    element('td', { class: 'time', 'data-label': 'Last day' }, day(group.last)));
}

function filesSection(collection, saving) {
  const files = collection.files.filter((file) => file.kind !== 'batch');
  if (files.length === 0) return null;
  return element('details', {}, element('summary', {}, counted(files.length, 'file')),
    element('ul', {}, files.map((file) => element('li', {},
      element('button', {
        type: 'button', class: 'link',
        onclick: () => saving.run(fileName(file.path.split('/').at(-1)), (task, sink) => task.saveFile(file, sink)),
      }, `Save ${visible(file.path)}`)))));
}

/** `Female` for `HKBiologicalSexFemale`; what is no value of HealthKit stays as it is. */
function characteristic(value) {
  const [, known = value] = /^HK(?:BiologicalSex|BloodType|FitzpatrickSkinType|ActivityMoveMode|WheelchairUse)(\w+)$/.exec(value) ?? [];
  return known === '' || known === 'NotSet' ? 'not set' : known === value ? value : wordsOf(known);
}

/** What the export says of itself and the person, shown only when it is asked for. */
function aboutSection(collection) {
  if (collection.about.length === 0) return null;
  const place = element('div');
  const box = element('details', {
    ontoggle: async () => {
      if (!box.open || place.firstChild) return;
      const pairs = [];
      for (const group of collection.about) {
        for (const { file } of group.batches) {
          const lines = new TextDecoder().decode(ndjson(await collection.batch(file))).trimEnd().split('\n');
          for (const line of lines) {
            for (const [name, value] of parseJSON(new TextEncoder().encode(line))) {
              if (name === 'element' || name === 'position') continue;
              pairs.push([wordsOf(name.replace('HKCharacteristicTypeIdentifier', '')), characteristic(String(value?.text ?? value))]);
            }
          }
        }
      }
      fill(place, element('dl', { class: 'facts' }, pairs.map(
        ([name, value]) => [element('dt', {}, visible(name)), element('dd', {}, visible(value))])));
    },
  }, element('summary', {}, 'About the export and the person'), place);
  return box;
}
