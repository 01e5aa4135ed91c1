// The page: three screens, and the lock.

import { showChoosing } from './choosing.js';
import { showContents } from './contents.js';
import { element, show } from './dom.js';
import { showSamples } from './samples.js';
import { Session } from './session.js';

function start() {
  if (!crypto.subtle) {
    show(element('p', { class: 'problem', role: 'alert' },
      'This browser has no WebCrypto for this page. Open it as a file or over https, in a current browser.'));
    return;
  }
  const session = new Session((reason) => begin(reason));
  const begin = (reason) => showChoosing(session, openContents, reason);
  const openContents = () => showContents(session, (group) => showSamples(session, group, openContents));
  document.getElementById('lock').addEventListener('click', () => session.lock());
  // A file that is dropped beside the field would take the place of the page.
  for (const name of ['dragover', 'drop']) addEventListener(name, (event) => event.preventDefault());
  begin('');
}

start();
