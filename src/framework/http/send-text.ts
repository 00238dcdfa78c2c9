import type { ServerResponse } from 'node:http';

/**
 * Ends a response with a text as one write to the connection. `end(text)` is two, head and text, and an empty one that
 * reports the end: the connection then passes a list of buffers to the system, which costs more. Here the head and the
 * text leave when the connection is uncorked, so that the end has nothing to wait for, and writes nothing.
 *
 * @param text ASCII, not empty: Node writes head and body as one string only in the encoding of heads
 */
export function sendText(outgoing: ServerResponse, text: string): void {
  outgoing.cork();
  outgoing.write(text, 'latin1');
  outgoing.uncork();
  outgoing.end();
}
