// The first screen: which files, and the passphrase.

import { openChain } from '../format/chains.js';
import { ArchiveError, WARNINGS } from '../format/errors.js';
import { pbkdf2 } from '../format/keys.js';
import { PassphraseError } from '../format/slots.js';
import { joinVolumes } from '../format/volumes.js';
import { linesBeside } from '../collection/beside.js';
import { Collection } from '../collection/collection.js';
import { announce, draw, element, fill, formatBytes, show, visible } from './dom.js';

/** What to do about an error. */
const ADVICE = {
  wrongPassphrase: 'Check capital letters and the keyboard layout, and try again.',
  predecessorMissing: 'Choose it together with this one.',
  otherPredecessor: 'Choose the right one together with this one.',
  incomplete: 'Run the same export again to finish it; "healthvault recover" reads what is in it.',
  truncated: 'Use another copy; "healthvault recover" reads what is left.',
  volumeMissing: 'Choose all files whose names begin alike together.',
  unreadable: 'Choose it again: it may have been moved or changed.',
};

/** Shows the screen. `onOpen` gets the collection. */
export function showChoosing(session, onOpen, reason = '') {
  const problem = element('div');
  const list = element('div');
  const secret = element('input', {
    type: 'password', id: 'passphrase', class: 'passphrase', autocomplete: 'off', spellcheck: 'false', autocapitalize: 'none',
    'aria-describedby': 'passphrase-note',
  });
  const button = element('button', { type: 'submit', class: 'main' }, 'Open');
  const progress = element('div', { 'aria-live': 'polite' });
  const picker = element('input', {
    type: 'file', id: 'files', multiple: true, onchange: () => choose(picker.files),
  });
  const drop = element('div', {
    class: 'drop',
    ondragover: (event) => {
      event.preventDefault();
      drop.classList.add('over');
    },
    ondragleave: () => drop.classList.remove('over'),
    ondrop: (event) => {
      event.preventDefault();
      drop.classList.remove('over');
      choose(event.dataTransfer.files);
    },
  }, element('label', { for: 'files' }, 'Archive'),
  element('p', { id: 'files-note' }, 'Choose all files of the folder: parts of a split archive belong together, and so do archives that continue each other. You can also drop them here.'),
  picker);
  picker.setAttribute('aria-describedby', 'files-note');

  function choose(files) {
    const { archives, missing } = joinVolumes([...files]);
    session.chosen = archives;
    session.newest = [...archives].sort((one, other) => (
      lastModified(other) - lastModified(one) || other.name.localeCompare(one.name, 'en', { numeric: true })))[0];
    tell(missing.length > 0 ? new ArchiveError('volumeMissing', [], missing.join(', ')) : null);
    showList();
    if (archives.length > 0) secret.focus();
  }

  function showList() {
    const { chosen } = session;
    if (chosen.length === 0) {
      fill(list);
    } else if (chosen.length === 1) {
      const [file] = chosen;
      const volumes = file.blobs.length > 1 ? `, ${file.blobs.length} volumes` : '';
      fill(list, element('p', {}, `${visible(file.name)} (${formatBytes(file.size)}${volumes})`));
    } else {
      fill(list, element('fieldset', {}, element('legend', {}, 'Which is the newest? Its passphrase opens the others.'),
        chosen.map((file, i) => element('div', {}, element('label', { class: 'inline' }, element('input', {
          type: 'radio', name: 'newest', value: i, checked: file === session.newest, onchange: () => { session.newest = file; },
        }), `${visible(file.name)} (${formatBytes(file.size)})`)))));
    }
  }

  function tell(error) {
    if (!error) {
      fill(problem);
      return;
    }
    const { name: file = '', following } = session.newest ?? {};
    // What has its final name was finished once.
    if (error.name === 'incomplete' && !file.endsWith('.part')) {
      tell(new ArchiveError('truncated'));
      return;
    }
    const isKnown = error instanceof ArchiveError || error instanceof PassphraseError;
    const mayLack = following && ['truncated', 'incomplete', 'segmentDamaged', 'chunkDamaged'].includes(error.name);
    const text = isKnown ? visible(error.message) : 'this page failed; please report it to its makers';
    fill(problem, element('div', { class: 'problem', role: 'alert', id: 'problem' },
      element('p', {}, element('strong', {}, text)),
      mayLack ? element('p', {}, `${visible(following)} and any after it may be missing: choose all files whose names begin with ${visible(file)} together.`)
        : ADVICE[error.name] && element('p', {}, ADVICE[error.name]),
      error instanceof ArchiveError && element('p', { class: 'quiet' }, `Error ${error.code}`)));
  }

  async function open(event) {
    event.preventDefault();
    if (session.chosen.length === 0) {
      picker.focus();
      announce('Choose an archive first.');
      return;
    }
    button.disabled = true;
    tell(null);
    let meter = null;
    try {
      const showProgress = async ({ iterations, done, inAll }) => {
        meter ??= await DerivationMeter.start(progress, inAll);
        meter.begin(iterations, done);
        await draw();
      };
      const collection = await Collection.of(await openChain(session.newest, session.chosen, secret.value, showProgress));
      collection.beside = await linesBeside(collection, session.chosen, secret.value, showProgress);
      secret.value = '';
      session.open(collection);
      announce('Opened.');
      onOpen(collection);
    } catch (error) {
      tell(error);
      if (error.name === 'wrongPassphrase' || error instanceof PassphraseError) {
        secret.select();
        secret.focus();
      }
      if (!(error instanceof ArchiveError || error instanceof PassphraseError)) throw error;
    } finally {
      meter?.stop();
      button.disabled = false;
    }
  }

  const toggle = element('input', {
    type: 'checkbox', onchange: () => secret.setAttribute('type', toggle.checked ? 'text' : 'password'),
  });
  session.onWipe = () => {
    secret.value = '';
  };
  show(reason && element('p', { role: 'alert' }, reason), element('h2', {}, 'Open an archive'),
    element('p', {}, 'Reads an encrypted archive of Apple Health data that healthvault wrote. Everything happens in this page, on this computer.'),
    drop, list, element('form', { onsubmit: open },
      element('label', { for: 'passphrase' }, 'Passphrase'), secret,
      element('p', { id: 'passphrase-note' }, element('label', { class: 'inline' }, toggle, 'Show it')),
      element('div', { class: 'row' }, button), progress, problem));
  showList();
}

function lastModified(file) {
  return Math.max(...file.blobs.map((blob) => blob.lastModified ?? 0));
}

/** Lines about warnings of the archives in a chain. */
export function warningLines(archives) {
  return archives.flatMap(({ file, warnings }) => warnings.map((name) => `${visible(file.name)}: ${WARNINGS[name]}`));
}

/** Shows how far the derivation of the key is, by what a short one takes: the browser itself does not tell. */
class DerivationMeter {
  static async start(place, inAll) {
    const salt = crypto.getRandomValues(new Uint8Array(32));
    const start = performance.now();
    await pbkdf2(salt, salt, 20_000);
    return new DerivationMeter(place, inAll, (performance.now() - start) / 20_000);
  }

  constructor(place, inAll, millisecondsEach) {
    Object.assign(this, { place, inAll, millisecondsEach, done: 0, current: 0, started: 0 });
    this.bar = element('progress', { max: 1, value: 0, 'aria-label': 'Deriving the key' });
    fill(this.place, element('p', {}, 'Deriving the key from the passphrase. This is slow on purpose.'), this.bar);
    this.timer = setInterval(() => this.draw(), 100);
  }

  begin(iterations, done) {
    Object.assign(this, { current: iterations, done, started: performance.now() });
    this.draw();
  }

  draw() {
    const guess = (performance.now() - this.started) / this.millisecondsEach;
    this.bar.value = Math.min(0.99, (this.done + Math.min(guess, this.current)) / this.inAll);
  }

  stop() {
    clearInterval(this.timer);
    fill(this.place);
  }
}
