import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { problemResponse, writeProblem } from './problem-response';
import { clientProblem, requestTimeout } from './connection-problems';
import { QueuedResponses } from '../limits/queued-responses';
import type { Problem } from '../../problem/problem';

/** Tracks the latest response of each connection, and responds to errors outside of requests without corrupting it. */
export class ConnectionResponses {
  readonly #latest = new WeakMap<Socket, ServerResponse>();
  readonly #queued = new QueuedResponses();

  add(response: ServerResponse): void {
    this.#latest.set(response.req.socket, response);
    this.#queued.watch(response);
  }

  /** Responds to an error of Node's parser, and closes the connection. */
  onClientError(error: NodeJS.ErrnoException, socket: Socket): void {
    this.#refuse(socket, clientProblem(error));
  }

  /**
   * Closes a connection without progress: the client does not read its response, or stopped in the middle of a body
   * that is being read. A response that has nothing to send at the moment, such as an event stream, stays open.
   */
  onInactive(socket: Socket): void {
    const response = this.#latest.get(socket);
    const isIdle = response === undefined || response.writableFinished || socket.writableEnded;
    if (isIdle || socket.writableLength > 0) socket.destroy();
    else if (isStalled(response.req)) this.#refuse(socket, requestTimeout());
  }

  #refuse(socket: Socket, problem: Problem): void {
    if (this.#mayWrite(socket)) writeProblem(socket, problem);
    else socket.destroy();
  }

  /** Whether bytes written now would neither precede nor interrupt another response. */
  #mayWrite(socket: Socket): boolean {
    const response = this.#latest.get(socket);
    if (response === undefined) return true;
    // The rest of an answered request gets no second response, nor does anything after the last response.
    if (response.writableFinished) return response.req.complete && response.shouldKeepAlive;
    // A response that waits for earlier ones has no socket yet.
    return response.socket === socket && !response.headersSent;
  }
}

/** Rejects a request with ambiguous framing, and closes the connection after the response. */
export function refuse(message: IncomingMessage, outgoing: ServerResponse, problem: Problem): void {
  outgoing.shouldKeepAlive = false;
  problemResponse(problem).send(outgoing, message.method ?? 'GET');
}

/** Whether the client has stopped sending a body that is being read. */
function isStalled({ complete, readableDidRead, readableLength }: IncomingMessage): boolean {
  return !complete && readableDidRead && readableLength === 0;
}
