// Saving as people see it: where to, progress, stopping, and what was lost.

import { ArchiveError } from '../format/errors.js';
import { Saving, Stopped } from '../collection/saving.js';
import { ChosenFile, Downloads, canChooseFile } from '../collection/sinks.js';
import { announce, breathe, draw, element, fill, formatBytes, visible } from './dom.js';

/** A name that every system takes for a file. */
export function fileName(text) {
  return text.replace(/[^\p{L}\p{N}._ -]/gu, '_').replace(/^[. ]+/, '').slice(0, 120) || 'file';
}

let lastAddress = '';

function download(name, blob) {
  // A browser has little room for what waits to be saved.
  URL.revokeObjectURL(lastAddress);
  const address = URL.createObjectURL(blob);
  lastAddress = address;
  const link = document.createElement('a');
  link.download = name;
  link.setAttribute('href', address);
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
  return draw();
}

/** List of what was lost, with the words of the command. */
export function lossList(losses) {
  return element('ul', {}, losses.slice(0, 100).map(({ what, error }) => element('li', {}, `${visible(what)}: ${visible(error.message)}`)),
    losses.length > 100 && element('li', {}, `and ${losses.length - 100} more`));
}

/** A place on a screen where savings are shown. */
export class SavingView {
  constructor(session) {
    this.session = session;
    this.place = element('div', { 'aria-live': 'polite' });
  }

  /** Saves under a name. `save` gets a `Saving` and a sink. */
  async run(name, save, { keepingLosses = false } = {}) {
    let sink;
    let saving = null;
    try {
      sink = canChooseFile() ? await ChosenFile.choose(name)
        : new Downloads(name, download, (part, blob) => this.offerPart(part, blob, saving));
    } catch (error) {
      if (error.name === 'AbortError') return;
      this.fail(error);
      return;
    }
    const bar = element('progress', { max: 1, value: 0, 'aria-label': `Saving ${visible(sink.name)}` });
    saving = new Saving(this.session.collection, async (done, total) => {
      bar.value = total > 0 ? done / total : 1;
      this.session.stayAwake();
      await breathe();
    });
    this.session.addTask(saving);
    const stop = element('button', { type: 'button', onclick: () => saving.stop() }, 'Stop');
    fill(this.place, element('p', {}, `Saving ${visible(sink.name)} `), element('div', { class: 'row' }, bar, stop));
    try {
      await save(saving, sink);
      if (saving.isStopped) throw new Stopped();
      if (saving.losses.length > 0 && !keepingLosses) {
        await sink.abort();
        this.offerRest(name, save, saving.losses, sink);
        return;
      }
      await sink.close();
      this.succeed(sink, saving.losses);
    } catch (error) {
      await Promise.resolve(sink.abort()).catch(() => {});
      if (error instanceof Stopped) fill(this.place, element('p', {}, `Stopped. ${this.left(sink)}`));
      else this.fail(error, sink);
    } finally {
      this.session.removeTask(saving);
    }
  }

  /** Waits for a click on each of several files: a browser may drop, without a word, what a page saves by itself. */
  async offerPart(name, blob, saving) {
    await new Promise((resolve, reject) => {
      const button = element('button', { type: 'button', class: 'main', onclick: resolve }, `Save ${visible(name)}`);
      const row = element('div', { class: 'row' }, `${formatBytes(blob.size)} are ready.`, button);
      saving.stop = () => reject(new Stopped());
      this.place.append(row);
      button.focus();
      announce(`${visible(name)} is ready to be saved.`);
    });
    this.place.lastChild.remove();
    await download(name, blob);
  }

  succeed(sink, losses) {
    const text = `Saved ${visible(sink.name)}${sink.count > 0
      ? `. Check that the browser shows all ${sink.count} downloads: it does not tell this page` : ` (${formatBytes(sink.size)})`}.`;
    fill(this.place, element('p', {}, text), losses.length > 0 && element('p', {}, 'It lacks:'), losses.length > 0 && lossList(losses));
    announce(text);
  }

  /** What there is after a saving that failed. */
  left(sink) {
    return sink?.count > 0 ? 'Do not keep the numbered files that were saved: some are missing.' : 'Nothing was saved.';
  }

  offerRest(name, save, losses, sink) {
    const dot = name.lastIndexOf('.');
    const incomplete = `${name.slice(0, dot)}-incomplete${name.slice(dot)}`;
    fill(this.place, element('div', { class: 'problem', role: 'alert' },
      element('p', {}, `A part of it cannot be read. ${this.left(sink)}`), lossList(losses),
      element('div', { class: 'row' }, element('button', {
        type: 'button', onclick: () => this.run(incomplete, save, { keepingLosses: true }),
      }, 'Save the rest'))));
  }

  fail(error, sink) {
    const text = error instanceof ArchiveError ? visible(error.message) : `The browser could not save: ${visible(String(error.message))}`;
    fill(this.place, element('p', { class: 'problem', role: 'alert' }, `${text}. ${this.left(sink)}`));
  }
}
