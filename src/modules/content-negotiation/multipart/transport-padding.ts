/** Bytes of padding that are removed at most: they are held until the line break behind them arrives. */
const MAX_PADDING = 1_000;

const [TAB, LINE_FEED, RETURN, SPACE] = [0x09, 0x0a, 0x0d, 0x20];

/** What precedes the first boundary, if it begins the body. */
const LINE_BREAK = Buffer.from('\r\n');

/**
 * Removes transport padding from a multipart body: white space that a relay may have added between a boundary and its line
 * break, and that receivers ignore (RFC 2046, 5.1.1).
 */
export async function* withoutPadding(
  chunks: AsyncIterable<Buffer>,
  boundary: string,
): AsyncGenerator<Buffer, void> {
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  let held: Buffer = LINE_BREAK;
  let toSkip = LINE_BREAK.length;
  for await (const chunk of chunks) {
    const [pieces, rest] = splitAtPadding(
      held.length === 0 ? chunk : Buffer.concat([held, chunk]),
      delimiter,
    );
    for (const piece of pieces) {
      yield piece.subarray(toSkip);
      toSkip = 0;
    }
    held = rest;
  }
  yield held.subarray(toSkip);
}

/** @returns the bytes without padding, and those at the end that further bytes decide about */
function splitAtPadding(
  bytes: Buffer,
  delimiter: Buffer,
): readonly [pieces: readonly Buffer[], rest: Buffer] {
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
      return [pieces, bytes.subarray(from)];
    }
    const end = at + delimiter.length;
    const next = endOfPadding(bytes, end);
    const isTooLong = next - end === MAX_PADDING;
    if (!isTooLong && (next === bytes.length || (bytes[next] === RETURN && next + 1 === bytes.length))) {
      passUntil(at);
      return [pieces, bytes.subarray(from)];
    }
    passUntil(end);
    if (bytes[next] === RETURN && bytes[next + 1] === LINE_FEED) from = next;
  }
}

function endOfPadding(bytes: Buffer, start: number): number {
  let end = start;
  while (end - start < MAX_PADDING && (bytes[end] === SPACE || bytes[end] === TAB)) end += 1;
  return end;
}

/** Returns where bytes begin that may be the first ones of a delimiter; their end without such. */
function startOfPart(bytes: Buffer, from: number, delimiter: Buffer): number {
  const first = Math.max(from, bytes.length - delimiter.length + 1);
  for (let at = bytes.indexOf(RETURN, first); at !== -1; at = bytes.indexOf(RETURN, at + 1))
    if (delimiter.subarray(0, bytes.length - at).equals(bytes.subarray(at))) return at;
  return bytes.length;
}
