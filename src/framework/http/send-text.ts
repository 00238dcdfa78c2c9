import type { ServerResponse } from 'node:http';

/** Whether `end(text)` writes an empty piece after the text, as Node.js 20 and 22 do. Later ones end with the text. */
const WRITES_EMPTY_PIECE = Number.parseInt(process.versions.node, 10) < 24;

/**
 * Ends a response with a text as one write to the connection. Node joins the head, which is Latin-1, and a text if both
 * have the same encoding, and otherwise passes a list of pieces to the system, which costs more.
 *
 * @param text not empty
 * @param length its length in bytes, as UTF-8
 * @param fields those of the response
 */
export function sendText(
  outgoing: ServerResponse,
  text: string,
  length: number,
  fields: readonly string[],
): void {
  if (length === text.length) endWith(outgoing, text, 'latin1');
  // Programs that embed the platform may have set other fields.
  else if (isAscii(outgoing.statusMessage) && fields.every(isAscii) && outgoing.getHeaderNames().length === 0)
    endWith(outgoing, text, 'utf8');
  else outgoing.end(Buffer.from(text));
}

/**
 * `end(text)` writes the text, and an empty piece after it that reports the end. Here the head and the text leave when the
 * connection is uncorked, so that the end has nothing to wait for, and writes nothing.
 */
function endWith(outgoing: ServerResponse, text: string, encoding: 'latin1' | 'utf8'): void {
  if (!WRITES_EMPTY_PIECE || !takesText(outgoing)) {
    outgoing.end(text, encoding);
    return;
  }
  outgoing.cork();
  outgoing.write(text, encoding);
  outgoing.uncork();
  outgoing.end();
}

/**
 * Returns whether a text is passed to the system immediately. It is discarded if the connection has failed: the end would
 * then count as sent, out of turn among pipelined requests, for which Node's server ends the process.
 */
function takesText(outgoing: ServerResponse): boolean {
  const { socket, destroyed } = outgoing;
  // Middleware that has replaced `end` expects the text there.
  const isReplaced = Object.hasOwn(outgoing, 'end');
  return !isReplaced && !destroyed && socket?.writable === true && socket.writableLength === 0;
}

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}
