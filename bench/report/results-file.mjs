// RESULTS.md: a full run replaces the text between two marks; the rest is written by hand.
import { readFileSync, writeFileSync } from 'node:fs';

const BEGIN = '<!-- measured: written by npm run bench -->';
const END = '<!-- end of measured -->';

/** Replaces the text between the marks. @throws Error when a mark is missing */
export function withMeasured(text, measured) {
  const from = text.indexOf(BEGIN);
  const to = text.indexOf(END);
  if (from < 0 || to < from)
    throw new Error(`bench/RESULTS.md has no place for the figures: it needs the lines ${BEGIN} and ${END}.`);
  return `${text.slice(0, from + BEGIN.length)}\n\n${measured.trim()}\n\n${text.slice(to)}`;
}

/** @param {string} file @param {string} measured Markdown */
export function writeMeasured(file, measured) {
  writeFileSync(file, withMeasured(readFileSync(file, 'utf8'), measured));
}
