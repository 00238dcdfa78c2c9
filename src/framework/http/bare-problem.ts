import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Problem } from '../problem/problem';
import { Response } from './response';

/** A problem as a response that needs no view. @param requestId where it is the answer to a request that has one */
export function bareResponse(problem: Problem, requestId?: string): Response {
  const document = requestId === undefined ? problem : problem.documentFor(requestId);
  return new Response(problem.status, JSON.stringify(document), [
    ['Content-Type', 'application/problem+json'],
    ...problem.fields,
  ]);
}

/** Writes a problem to a connection on which no request could be parsed, and ends it. */
export function writeProblem(socket: Socket, problem: Problem): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify(problem);
  socket.end(
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? problem.title}\r\n` +
      'Content-Type: application/problem+json\r\n' +
      `Content-Length: ${Buffer.byteLength(body)}\r\n` +
      `Connection: close\r\n\r\n${body}`,
  );
}
