import type { Steps } from '../events/in-turns';

/** Characters that are made bytes at a time. */
const LARGE = 262_144;

/** Puts the pieces of a text together, one at each step; a large one as its bytes (UTF-8). */
export function* collected(pieces: Iterable<string>): Steps<string | Buffer> {
  const full: Buffer[] = [];
  let text = '';
  for (const piece of pieces) {
    text += piece;
    if (text.length >= LARGE) {
      full.push(Buffer.from(text));
      text = '';
    }
    yield;
  }
  return full.length === 0 ? text : Buffer.concat([...full, Buffer.from(text)]);
}
