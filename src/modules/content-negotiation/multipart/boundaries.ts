import { malformed } from './malformed';
import { assertPartHeader, headerTooLong, MAX_HEADER_BYTES } from './part-header';

/** Bytes of padding, at most: they are held until the line break behind them arrives. */
const MAX_PADDING = 1_000;

const [TAB, RETURN, SPACE] = [0x09, 0x0d, 0x20];

/** The header of a part is held until its end. */
const HEADER_END = Buffer.from('\r\n\r\n');
const MAX_HELD_HEADER = MAX_HEADER_BYTES + HEADER_END.length;

/** What precedes the first boundary, if it begins the body. */
const LINE_BREAK = Buffer.from('\r\n');

/**
 * Checks the boundaries of a multipart body and the header behind each, before a parser reads them: what it cannot read, it
 * ignores. Removes transport padding: white space that a relay may have added between a boundary and its line break, and that
 * receivers ignore (RFC 2046, 5.1.1). Omits the epilogue.
 * @throws Problem 400 for a boundary with something else behind it, or a header that is not one
 */
export async function* checkBoundaries(
  chunks: AsyncIterable<Buffer>,
  boundary: string,
): AsyncGenerator<Buffer, void> {
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  let held: Buffer | undefined = LINE_BREAK;
  let toSkip = LINE_BREAK.length;
  for await (const chunk of chunks) {
    // The epilogue is read to its end, but may contain anything.
    if (held === undefined) continue;
    const split = splitAtPadding(held.length === 0 ? chunk : Buffer.concat([held, chunk]), delimiter);
    for (const piece of split.pieces) {
      yield piece.subarray(toSkip);
      toSkip = 0;
    }
    held = split.rest;
  }
  if (held !== undefined) yield held.subarray(toSkip);
}

interface SplitBytes {
  /** The bytes without padding. */
  readonly pieces: readonly Buffer[];
  /** Those at the end that further bytes decide about; undefined behind the last boundary. */
  readonly rest: Buffer | undefined;
}

function splitAtPadding(bytes: Buffer, delimiter: Buffer): SplitBytes {
  const pieces: Buffer[] = [];
  let from = 0;
  const passUntil = (end: number): void => {
    if (end > from) pieces.push(bytes.subarray(from, end));
    from = end;
  };
  for (;;) {
    const at = bytes.indexOf(delimiter, from);
    if (at === -1) {
      passUntil(startOfPart(bytes, from, delimiter));
      return { pieces, rest: bytes.subarray(from) };
    }
    const end = at + delimiter.length;
    const next = endOfPadding(bytes, end);
    const following = bytes.toString('latin1', next, next + 2);
    if (next === end && following === '--') {
      passUntil(end + 2);
      return { pieces, rest: undefined };
    }
    const isIncomplete = following === '' || following === '\r' || (next === end && following === '-');
    if (next - end > MAX_PADDING || !(isIncomplete || following === '\r\n'))
      throw malformed('a boundary is not followed by a line break (CRLF).');
    const headerEnd = isIncomplete ? -1 : bytes.indexOf(HEADER_END, next);
    if (!isIncomplete && (headerEnd === -1 ? bytes.length : headerEnd) - next > MAX_HELD_HEADER)
      throw headerTooLong();
    if (headerEnd === -1) {
      passUntil(at);
      return { pieces, rest: bytes.subarray(at) };
    }
    assertPartHeader(bytes.toString('latin1', next + 2, headerEnd));
    passUntil(end);
    from = next;
  }
}

function endOfPadding(bytes: Buffer, start: number): number {
  let end = start;
  while (bytes[end] === SPACE || bytes[end] === TAB) end += 1;
  return end;
}

/** Returns where bytes begin that may be the first ones of a delimiter; their end without such. */
function startOfPart(bytes: Buffer, from: number, delimiter: Buffer): number {
  const first = Math.max(from, bytes.length - delimiter.length + 1);
  for (let at = bytes.indexOf(RETURN, first); at !== -1; at = bytes.indexOf(RETURN, at + 1))
    if (delimiter.subarray(0, bytes.length - at).equals(bytes.subarray(at))) return at;
  return bytes.length;
}
