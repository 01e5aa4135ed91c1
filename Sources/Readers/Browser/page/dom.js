// Building the document. Texts of an archive get in as text only.

const SVG = 'http://www.w3.org/2000/svg';

/** Attributes that never lead anywhere. All others are refused, so that no name or value can become code or an address. */
const SAFE_ATTRIBUTES = new Set(['id', 'class', 'type', 'for', 'name', 'value', 'min', 'max', 'step', 'role', 'scope', 'hidden',
  'disabled', 'multiple', 'checked', 'required', 'autocomplete', 'spellcheck', 'autocapitalize', 'tabindex', 'open', 'data-label',
  'viewBox', 'x', 'y', 'x1', 'x2', 'y1', 'y2', 'width', 'height', 'cx', 'cy', 'r', 'd', 'text-anchor', 'selected', 'accept']);

function build(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on') && typeof value === 'function') made.addEventListener(name.slice(2), value);
    else if (value === false || value === undefined) continue;
    else if (SAFE_ATTRIBUTES.has(name) || name.startsWith('aria-')) made.setAttribute(name, value === true ? '' : String(value));
    else throw new TypeError(`the attribute ${name} is not allowed`);
  }
  made.append(...nodes(children));
  return made;
}

/** Nodes and texts out of nested lists, without what is missing. */
function nodes(children) {
  return children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false && child !== '').map(
    (child) => (child instanceof Node ? child : String(child)));
}

/** Replaces what is in a place. */
export function fill(place, ...children) {
  place.replaceChildren(...nodes(children));
}

/** An element with attributes, listeners (`onclick`) and children: nodes and texts. */
export function element(name, attributes = {}, ...children) {
  return build(document.createElement(name), attributes, children);
}

export function svgElement(name, attributes = {}, ...children) {
  return build(document.createElementNS(SVG, name), attributes, children);
}

/** Joiners and variation selectors, which make one picture of several characters, and Arabic signs that can be seen. */
const VISIBLE = /[\u200c\u200d\ufe0e\ufe0f\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]/u;

/** A text of others, in which characters that are invisible or change the direction of text show as escapes. */
export function visible(text) {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu,
    (character) => VISIBLE.test(character) ? character : `\\u{${character.codePointAt(0).toString(16)}}`);
}

/** Says a text to people who do not see the page. */
export function announce(text) {
  document.getElementById('status').textContent = text;
}

/** Shows a screen in place of the one before, and moves the focus to it. */
export function show(...content) {
  const main = document.getElementById('main');
  fill(main, content);
  main.focus({ preventScroll: true });
  scrollTo(0, 0);
}

/** Lets the browser draw. */
export function draw() {
  return new Promise((resolve) => {
    setTimeout(resolve);
  });
}

let lastBreath = 0;

/** Lets the browser draw now and then, so that progress is seen and buttons work during long work. */
export async function breathe() {
  if (performance.now() - lastBreath < 40) return;
  await draw();
  lastBreath = performance.now();
}

export function formatBytes(count) {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  let unit = 0;
  while (count >= 1000 && unit < units.length - 1) {
    count /= 1000;
    unit++;
  }
  return `${unit === 0 ? count : count.toFixed(1)} ${units[unit]}`;
}

export function formatNumber(number) {
  return number.toLocaleString('en-US', { maximumFractionDigits: 2 });
}
