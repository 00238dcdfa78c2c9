import { closingQuote } from '../../../framework';

/** A string, or a number without its sign. */
const TOKEN = /"|\d[\d.]*(?:[eE][+-]?\d+)?/g;

/** Returns the offset of the first number of a well-formed JSON text that is parsed as infinite, such as `1e400`; or -1. */
export function infiniteNumberAt(text: string): number {
  TOKEN.lastIndex = 0;
  for (let found = TOKEN.exec(text); found !== null; found = TOKEN.exec(text)) {
    const { 0: token, index: at } = found;
    if (token === '"') TOKEN.lastIndex = closingQuote(text, at) + 1;
    else if (Number(token) === Infinity) return at;
  }
  return -1;
}
