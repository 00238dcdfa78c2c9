/** Widths of characters in em. Those of DejaVu Sans, a wide font: text in the usual system fonts is narrower. */
const WIDTHS: readonly (readonly [characters: string, width: number])[] = [
  ["ijlI|.,:;'!` ", 0.34],
  ['ftrJ()[]/\\-"{}*°', 0.42],
  ['cksvxyzaeghnopqubdL?_', 0.63],
  ['mwMW%@', 0.98],
  ['+=<>~#&', 0.84],
];
const BY_CHARACTER: ReadonlyMap<string, number> = new Map(
  WIDTHS.flatMap(([characters, width]) => Array.from(characters, (one) => [one, width] as const)),
);
const DIGIT = 0.64;
const OTHER_LATIN = 0.76;
const WIDE = 1.1;
/** Of the character of monospaced fonts. */
const MONOSPACE = 0.61;

const ELLIPSIS = '…';

/** How a text is drawn. */
export interface TextStyle {
  /** In pixels. */
  readonly size: number;
  readonly monospace?: boolean;
}

/** Estimates the width of a text in pixels; rather too wide than too narrow. */
export function textWidth(text: string, { size, monospace = false }: TextStyle): number {
  let width = 0;
  for (const character of text) width += monospace ? monospaceWidth(character) : widthOf(character);
  return width * size;
}

/** Shortens a text to a width, ending it with an ellipsis. */
export function ellipsize(text: string, width: number, style: TextStyle): string {
  if (textWidth(text, style) <= width) return text;
  const room = width - textWidth(ELLIPSIS, style);
  let used = 0;
  let kept = '';
  for (const character of text) {
    used += textWidth(character, style);
    if (used > room) break;
    kept += character;
  }
  return kept.trimEnd() + ELLIPSIS;
}

/** Shortens a path to a width, keeping its end. */
export function ellipsizePath(text: string, width: number, style: TextStyle): string {
  if (textWidth(text, style) <= width) return text;
  const reversed = Array.from(text).reverse().join('');
  return Array.from(ellipsize(reversed, width, style))
    .reverse()
    .join('');
}

function widthOf(character: string): number {
  const known = BY_CHARACTER.get(character);
  if (known !== undefined) return known;
  if (character >= '0' && character <= '9') return DIGIT;
  return isNarrow(character) ? OTHER_LATIN : WIDE;
}

function monospaceWidth(character: string): number {
  return isNarrow(character) ? MONOSPACE : WIDE;
}

/** Whether a character comes before the wide ones, such as ideographs and emoji. */
function isNarrow(character: string): boolean {
  return character < '\u1100' || character === ELLIPSIS || character === '–';
}
