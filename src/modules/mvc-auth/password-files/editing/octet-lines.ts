const LINES = /[^\n]*\n|[^\n]+$/g;

/**
 * The lines of a file with their ends, with one character per octet: an edit preserves what is
 * not UTF-8.
 */
export function octetLines(bytes: Buffer): readonly string[] {
  return bytes.toString('latin1').match(LINES) ?? [];
}

export function bytesOf(lines: readonly string[]): Buffer {
  return Buffer.from(lines.join(''), 'latin1');
}

export function fromOctets(line: string): string {
  return Buffer.from(line, 'latin1').toString('utf8');
}

export function toOctets(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}
