import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { problemResponse, writeProblem } from './problem-response';
import { clientProblem, requestTimeout } from './connection-problems';
import { QueuedResponses } from '../limits/queued-responses';
import { problem } from '../../problem/errors';
import type { Problem } from '../../problem/problem';

/** Tracks the latest response of each connection, and responds to errors outside of requests without corrupting it. */
export class ConnectionResponses {
  readonly #latest = new WeakMap<Socket, ServerResponse>();
  readonly #queued = new QueuedResponses();

  add(response: ServerResponse): void {
    this.#latest.set(response.req.socket, response);
    this.#queued.watch(response);
  }

  /** Lets a connection end after its pending response, whose header section must not be sent yet. */
  closeAfterResponse(socket: Socket): void {
    const response = this.#latest.get(socket);
    if (response?.headersSent === false) response.shouldKeepAlive = false;
  }

  /** Responds to an error of Node's parser, and closes the connection. */
  onClientError(error: NodeJS.ErrnoException, socket: Socket): void {
    this.#refuse(socket, clientProblem(error));
  }

  /** Responds that tunnels are not implemented, after the response to an earlier request, and closes the connection. */
  onConnect(socket: Socket): void {
    // Node's parser and its error handler are detached from the socket.
    socket.on('error', () => socket.destroy());
    const refusal = problem('method_not_implemented', { method: 'CONNECT' });
    const latest = this.#latest.get(socket);
    if (latest === undefined || latest.writableFinished) writeProblem(socket, refusal);
    else latest.once('finish', () => writeProblem(socket, refusal));
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

  #refuse(socket: Socket, refusal: Problem): void {
    if (this.#mayWrite(socket)) writeProblem(socket, refusal);
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
export function refuse(message: IncomingMessage, outgoing: ServerResponse, refusal: Problem): void {
  outgoing.shouldKeepAlive = false;
  problemResponse(refusal).send(outgoing, message.method ?? 'GET');
}

/** Whether the client has stopped sending a body that is being read. */
function isStalled({ complete, readableDidRead, readableLength }: IncomingMessage): boolean {
  return !complete && readableDidRead && readableLength === 0;
}
