// SECURITY.md, section 9: frames, one or several in sequence.

import { Frame, MARGIN } from './zstd.js';

/**
 * Decompresses the frame that starts at `at`, whose content may have `most` bytes.
 *
 * Returns the content, and the place behind the frame.
 */
export function decompressFrame(input, at, most) {
  const frame = new Frame(withMargin(input.subarray(at)), 0, most);
  return { content: frame.output, end: at + frame.at };
}

/** The joined contents of frames, each of which may have `mostEach` bytes, and all together `most`. */
export function decompressFrames(input, mostEach, most) {
  const source = withMargin(input);
  const contents = [];
  let length = 0;
  let at = 0;
  do {
    const frame = new Frame(source, at, Math.min(mostEach, most - length));
    if (frame.output.length > 0) contents.push(frame.output);
    length += frame.output.length;
    at = frame.at;
  } while (at < input.length);
  if (contents.length === 1) return contents[0];
  const joined = new Uint8Array(length);
  let filled = 0;
  for (const content of contents) {
    joined.set(content, filled);
    filled += content.length;
  }
  return joined;
}

function withMargin(input) {
  const source = new Uint8Array(input.length + MARGIN);
  source.set(input);
  return source;
}
