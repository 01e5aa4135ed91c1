// The page: three screens, and the lock.

import { showChoosing } from './choosing.js';
import { showContents } from './contents.js';
import { showSamples } from './samples.js';
import { Session } from './session.js';

function start() {
  const session = new Session((reason) => begin(reason));
  const begin = (reason) => showChoosing(session, openContents, reason);
  const openContents = () => showContents(session, (group) => showSamples(session, group, openContents));
  document.getElementById('lock').addEventListener('click', () => session.lock());
  // A file that is dropped beside the field would take the place of the page.
  for (const name of ['dragover', 'drop']) addEventListener(name, (event) => event.preventDefault());
  begin('');
}

start();
