import { bytesOf, fromOctets, octetLines, toOctets } from './octet-lines';

/** Replaces the lines of a user. */
export interface LineEdit {
  /** Whether to replace a line, given without surrounding white space; not called for comments. */
  readonly owns: (line: string) => boolean;
  /** Written in place of the first replaced line, or appended; `[]` removes the lines. */
  readonly lines: readonly string[];
}

/** A password file after an edit. */
export interface EditedFile {
  readonly bytes: Buffer;
  /** The number of lines that were replaced or removed. */
  readonly replaced: number;
}

const END = /\r?\n$/;

/**
 * Edits the content of a password file. All other lines are preserved byte for byte, including comments and invalid
 * lines; a last line without end of line gets one only if a line is appended.
 */
export function editPasswordFile(bytes: Buffer, edit: LineEdit): EditedFile {
  const pieces = octetLines(bytes);
  const end = pieces[0]?.endsWith('\r\n') === true ? '\r\n' : '\n';
  const added = edit.lines.map((line) => toOctets(line) + end);
  const owned = pieces.map((piece) => isOwned(piece, edit));
  const first = owned.indexOf(true);
  const kept = pieces.flatMap((piece, index) => {
    if (index === first) return added;
    return owned[index] === true ? [] : [piece];
  });
  const last = pieces.at(-1);
  if (first === -1 && added.length > 0) {
    kept.push(...(last === undefined || END.test(last) ? [] : [end]), ...added);
  }
  return { bytes: bytesOf(kept), replaced: owned.filter(Boolean).length };
}

function isOwned(piece: string, edit: LineEdit): boolean {
  const line = fromOctets(piece)
    .replace(/^\uFEFF/, '')
    .trim();
  return line !== '' && !line.startsWith('#') && edit.owns(line);
}
