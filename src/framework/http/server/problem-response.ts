import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Problem } from '../../problem/problem';
import { Response } from '../response';

/** Converts a problem into a JSON response without a view. @param requestId the id of the request, if there is one */
export function problemResponse(problem: Problem, requestId?: string, errorsUrl?: string): Response {
  const document = requestId === undefined ? problem : problem.documentFor(requestId, errorsUrl);
  return new Response(problem.status, JSON.stringify(document), [
    ['Content-Type', 'application/problem+json'],
    ...problem.fields,
  ]);
}

/** How long a client may take to read the problem and close its side, in milliseconds. */
const LINGER_MS = 5_000;

/**
 * Writes a problem to a connection without a parsed request, and closes it.
 * @returns the size of the body; undefined if the connection is closed already
 */
export function writeProblem(socket: Socket, problem: Problem): number | undefined {
  if (!socket.writable) {
    socket.destroy();
    return undefined;
  }
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(timer));
  const body = JSON.stringify(problem);
  const bytes = Buffer.byteLength(body);
  socket.end(
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? problem.title}\r\n` +
      'Content-Type: application/problem+json\r\n' +
      problem.fields.map(([name, value]) => `${name}: ${value}\r\n`).join('') +
      `Content-Length: ${bytes}\r\n` +
      `Connection: close\r\n\r\n${body}`,
  );
  return bytes;
}
