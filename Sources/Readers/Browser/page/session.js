// What is open, and how it is locked: on leaving the page, after ten idle minutes, and by the button.

const IDLE_MILLISECONDS = 10 * 60_000;
const REASON = 'Locked after ten minutes without use.';

export class Session {
  /** `onLock` shows the first screen again. The files stay chosen: they are no secret. */
  constructor(onLock) {
    Object.assign(this, { onLock, collection: null, chosen: [], tasks: new Set(), timer: 0 });
    for (const name of ['pointerdown', 'keydown', 'wheel', 'touchstart']) {
      addEventListener(name, () => this.stayAwake(), { passive: true, capture: true });
    }
    addEventListener('pagehide', () => this.lock());
    // A computer that slept ran no timers: the time is looked at when the page is seen or used again.
    for (const name of ['focus', 'pageshow']) addEventListener(name, () => this.lockIfIdle());
    document.addEventListener('visibilitychange', () => this.lockIfIdle());
  }

  /** Locks if nobody has used the page for too long; returns whether it is open. */
  lockIfIdle() {
    // By the time of day: other clocks of browsers stand still while the computer sleeps.
    // It may be set meanwhile, by a little again and again.
    const idle = Math.abs(Date.now() - this.lastUse);
    if (this.collection && idle > IDLE_MILLISECONDS) this.lock(REASON);
    return this.collection !== null;
  }

  open(collection) {
    this.collection = collection;
    this.lastUse = Date.now();
    document.getElementById('lock').hidden = false;
    this.stayAwake();
  }

  stayAwake() {
    if (!this.lockIfIdle()) return;
    this.lastUse = Date.now();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.lock(REASON), IDLE_MILLISECONDS);
  }

  addTask(task) {
    this.tasks.add(task);
  }

  removeTask(task) {
    this.tasks.delete(task);
  }

  /** Stops what runs, zeroes and forgets what was decrypted, and empties the document. */
  lock(reason = '') {
    clearTimeout(this.timer);
    for (const task of this.tasks) task.stop();
    this.tasks.clear();
    this.collection?.wipe();
    this.collection = null;
    this.onWipe?.();
    this.onWipe = null;
    document.getElementById('lock').hidden = true;
    document.getElementById('status').textContent = '';
    this.onLock(reason);
  }
}
