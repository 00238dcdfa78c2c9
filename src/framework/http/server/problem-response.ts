import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { problem } from '../../problem/errors';
import type { Problem } from '../../problem/problem';
import { hasBody } from '../body';
import { Response } from '../response';

/** Converts a problem into a JSON response without a view. @param requestId the id of the request, if there is one */
export function problemResponse(problem: Problem, requestId?: string, errorsUrl?: string): Response {
  const document = requestId === undefined ? problem : problem.documentFor(requestId, errorsUrl);
  return new Response(problem.status, JSON.stringify(document), [
    ['Content-Type', 'application/problem+json'],
    ...problem.fields,
  ]);
}

/** The status and the fields of a problem, whose document a view renders. */
export function problemHead({ status, fields }: Problem): Response {
  return new Response(status, null, fields);
}

/** Rejects a request with ambiguous framing, and closes the connection after the response. */
export function refuse(message: IncomingMessage, outgoing: ServerResponse, refusal: Problem): void {
  outgoing.shouldKeepAlive = false;
  problemResponse(refusal).send(outgoing, message.method ?? 'GET');
}

/**
 * Rejects a request that the server cannot handle now. A connection without a body to skip stays open: requests behind
 * this one may be in progress.
 */
export function refuseOverload(outgoing: ServerResponse): void {
  const { req: message } = outgoing;
  if (hasBody(message) && !message.complete) outgoing.shouldKeepAlive = false;
  problemResponse(OVERLOADED).send(outgoing, message.method ?? 'GET');
}

const OVERLOADED = problem(
  'overloaded',
  {},
  {
    fields: [
      ['Retry-After', '1'],
      ['Cache-Control', 'no-store'],
    ],
  },
);

/** How long a client may take to read the last bytes and close its side, in milliseconds. */
const LINGER_MS = 5_000;

/** Reads and ignores what a client still sends: input that is not read would reset the connection when it is closed. */
export function discardInput(socket: Socket): void {
  const detach = (): void => {
    socket.removeAllListeners('data');
    // Node's parser reads from the handle of the socket, until a listener is added.
    socket.on('data', () => undefined);
    socket.resume();
  };
  if (!socket.isPaused()) {
    detach();
    return;
  }
  // Paused for a body that nobody reads: Node resumes reading by a listener of its own.
  socket.once('resume', detach);
  socket.resume();
}

/** Ends a connection. @param bytes to send before */
export function endConnection(socket: Socket, bytes?: string): void {
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(timer));
  if (bytes === undefined) socket.end();
  else socket.end(bytes);
}

/**
 * Closes a connection in stages (RFC 9112, 9.6) if its client still sends the body of a request that has its response:
 * closed at once, as Node does, it would be reset, and many clients could not read the response.
 *
 * @param isReceiving whether the latest request is not complete
 */
export function closeInStages(socket: Socket, isReceiving: () => boolean): void {
  const closeAtOnce = socket.destroySoon.bind(socket);
  // Node calls it after the last response.
  socket.destroySoon = () => {
    if (!isReceiving()) {
      closeAtOnce();
      return;
    }
    discardInput(socket);
    endConnection(socket);
  };
}

/**
 * Writes a problem to a connection without a parsed request, and closes it.
 * @returns the size of the body; undefined if the connection is closed already
 */
export function writeProblem(socket: Socket, problem: Problem): number | undefined {
  if (!socket.writable) {
    socket.destroy();
    return undefined;
  }
  const body = JSON.stringify(problem);
  const bytes = Buffer.byteLength(body);
  endConnection(
    socket,
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? problem.title}\r\n` +
      'Content-Type: application/problem+json\r\n' +
      problem.fields.map(([name, value]) => `${name}: ${value}\r\n`).join('') +
      `Date: ${new Date().toUTCString()}\r\n` +
      `Content-Length: ${bytes}\r\n` +
      `Connection: close\r\n\r\n${body}`,
  );
  return bytes;
}
