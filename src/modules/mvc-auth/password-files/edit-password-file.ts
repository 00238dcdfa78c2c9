/** What becomes of the lines that someone owns. */
export interface LineEdit {
  /** Whether a line, without comment, white space around it and end of line, is to be replaced. */
  readonly owns: (line: string) => boolean;
  /** What stands in the place of the first of them, or at the end when there is none; [] takes them away. */
  readonly lines: readonly string[];
}

/** A password file after an edit. */
export interface EditedFile {
  readonly bytes: Buffer;
  /** How many lines were replaced or taken away. */
  readonly replaced: number;
}

const PIECES = /[^\n]*\n|[^\n]+$/g;
const END = /\r?\n$/;

/**
 * Edits the content of a password file. Every other line stays as it is to the byte, comments, blank lines, and
 * what can't be read included; a last line without end of line gets one only when something comes after it.
 */
export function editPasswordFile(bytes: Buffer, edit: LineEdit): EditedFile {
  // One character an octet: what is not UTF-8 survives.
  const pieces = bytes.toString('latin1').match(PIECES) ?? [];
  const end = pieces[0]?.endsWith('\r\n') === true ? '\r\n' : '\n';
  const added = edit.lines.map((line) => Buffer.from(line, 'utf8').toString('latin1') + end);
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
  return { bytes: Buffer.from(kept.join(''), 'latin1'), replaced: owned.filter(Boolean).length };
}

function isOwned(piece: string, edit: LineEdit): boolean {
  const line = Buffer.from(piece, 'latin1')
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trim();
  return line !== '' && !line.startsWith('#') && edit.owns(line);
}
