// What is open, and how it is locked: on leaving the page, after ten idle minutes, and by the button.

const IDLE_MILLISECONDS = 10 * 60_000;

export class Session {
  /** `onLock` shows the first screen again. The files stay chosen: they are no secret. */
  constructor(onLock) {
    Object.assign(this, { onLock, collection: null, chosen: [], tasks: new Set(), timer: 0 });
    for (const name of ['pointerdown', 'keydown', 'wheel', 'touchstart']) {
      addEventListener(name, () => this.stayAwake(), { passive: true, capture: true });
    }
    addEventListener('pagehide', () => this.lock());
    // A computer that slept runs no timers: the time is looked at when the page is seen again.
    document.addEventListener('visibilitychange', () => {
      if (this.collection && performance.now() - this.lastUse > IDLE_MILLISECONDS) this.lock();
    });
  }

  open(collection) {
    this.collection = collection;
    document.getElementById('lock').hidden = false;
    this.stayAwake();
  }

  stayAwake() {
    if (!this.collection) return;
    this.lastUse = performance.now();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.lock('Locked after ten minutes without use.'), IDLE_MILLISECONDS);
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
