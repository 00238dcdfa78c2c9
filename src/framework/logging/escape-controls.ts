import { unicodeEscape } from '../text/unicode-escape';

/**
 * Characters that JSON leaves as they are, but that terminals and viewers interpret: DEL and C1 (ECMA-48, which has a
 * one-character CSI), line separators, and controls of the text direction.
 */
const CONTROLS = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Escapes the control characters that are left in a text of JSON. They occur in strings only. */
export function escapeControls(json: string): string {
  return json.replace(CONTROLS, unicodeEscape);
}

/** Escapes every control character of a text, for a terminal. */
export function escapeText(text: string): string {
  return escapeControls(text.replace(/\p{Cc}/gu, unicodeEscape));
}
