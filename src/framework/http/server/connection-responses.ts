import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { hasSent } from '../connections/opening-bytes';
import { discardInput, endConnection, writeProblem } from './problem-response';
import { clientProblem, END_OF_CONNECTION } from './connection-problems';
import { noteCutOff, noteRefusal, noteStopping } from '../refused-requests';
import { QueuedResponses } from '../limits/queued-responses';
import type { RefusalCause } from '../limits/refusals';
import type { HeadLimits } from '../limits/request-framing';
import { problem } from '../../problem/errors';
import type { Problem } from '../../problem/problem';

/** Tracks the latest response of each connection, and responds to errors outside of requests without corrupting it. */
export class ConnectionResponses {
  readonly #latest = new WeakMap<Duplex, ServerResponse>();
  readonly #queued = new QueuedResponses();
  /** Refused connections: their end, or a timeout, may be a further error. */
  readonly #failed = new WeakSet<Socket>();
  readonly #requests = new WeakMap<Socket, number>();

  /** @returns whether the request is served: one after a response that closes the connection is not (RFC 9112, 9.6) */
  add(response: ServerResponse): boolean {
    const { socket } = response.req;
    const previous = this.#latest.get(socket);
    if (previous !== undefined && isLast(previous)) {
      discardInput(socket);
      return false;
    }
    this.#queued.watch(response, previous);
    this.#latest.set(socket, response);
    return true;
  }

  /** Counts the requests of a connection, and closes it after the last one. */
  countRequest(response: ServerResponse, limit: number): void {
    const { socket } = response.req;
    const count = (this.#requests.get(socket) ?? 0) + 1;
    // A reload may have lowered the limit below the count.
    if (count >= limit) response.shouldKeepAlive = false;
    this.#requests.set(socket, count);
  }

  /** Lets a connection end after its pending response, whose header section must not be sent yet. */
  closeAfterResponse(socket: Socket): void {
    const response = this.#latest.get(socket);
    if (response?.headersSent === false) response.shouldKeepAlive = false;
  }

  /**
   * Responds to an error of Node's parser, and closes the connection.
   * @returns the cause; undefined if the client disconnected
   */
  onClientError(error: NodeJS.ErrnoException, socket: Socket, limits: HeadLimits): RefusalCause | undefined {
    const isFirst = !this.#failed.has(socket);
    const refusal = clientProblem(error, limits, this.isReading(socket));
    const cause = this.#causeOf(error, refusal, socket);
    this.#refuse(socket, refusal, error.code === END_OF_CONNECTION);
    return isFirst ? cause : undefined;
  }

  #causeOf({ code }: NodeJS.ErrnoException, { status }: Problem, socket: Socket): RefusalCause | undefined {
    if (status === 408) return this.isReading(socket) ? 'request_timeout' : 'header_timeout';
    if (status === 414) return 'max_request_line';
    if (status === 431) return 'max_header_size';
    // Clients that disconnect, in the middle of a request or by a reset, are not refused.
    if (code === END_OF_CONNECTION || code?.startsWith('HPE_') !== true) return undefined;
    return isUnsupported(status) ? 'unsupported' : 'malformed';
  }

  /** Whether the header section of a request was received, but not its body. */
  isReading(socket: Socket): boolean {
    return this.#latest.get(socket)?.req.complete === false;
  }

  /** Whether a response was not sent completely. */
  isUnfinished(socket: Duplex): boolean {
    return this.#latest.get(socket)?.writableFinished === false;
  }

  /** Whether the server waits for the client to send a body. */
  isReceiving(socket: Socket): boolean {
    const response = this.#latest.get(socket);
    return response !== undefined && !response.writableFinished && isStalled(response.req);
  }

  /** Responds that tunnels are not implemented, after the response to an earlier request, and closes the connection. */
  onConnect(socket: Socket): void {
    // Node's parser and its error handler are detached from the socket.
    socket.on('error', () => socket.destroy());
    const refusal = problem('method_not_implemented', { method: 'CONNECT' });
    const latest = this.#latest.get(socket);
    // Node ends the connection.
    if (latest !== undefined && isLast(latest)) return;
    if (latest === undefined || latest.writableFinished) writeProblem(socket, refusal);
    else latest.once('finish', () => writeProblem(socket, refusal));
  }

  /** Tells unfinished responses that the server stops. @param mounted responses on connections of other servers */
  announceStop(sockets: Iterable<Duplex>, mounted: Iterable<ServerResponse>): void {
    for (const response of this.#unfinished(sockets, mounted)) noteStopping(response);
  }

  /**
   * Notes that the server ends connections with unfinished responses.
   * @param mounted as for {@link announceStop}
   * @returns the number of requests
   */
  cutOff(sockets: Iterable<Duplex>, mounted: Iterable<ServerResponse>): number {
    const unfinished = this.#unfinished(sockets, mounted);
    for (const response of unfinished) noteCutOff(response);
    return unfinished.length;
  }

  #unfinished(sockets: Iterable<Duplex>, mounted: Iterable<ServerResponse>): readonly ServerResponse[] {
    const own = [...sockets].flatMap((socket) => {
      const latest = this.#latest.get(socket);
      return [...this.#queued.of(socket), ...(latest === undefined ? [] : [latest])];
    });
    return [...new Set([...own, ...mounted])].filter((response) => !response.writableFinished);
  }

  /**
   * Closes a connection without progress: the client does not read its response, or does not send a body that
   * is being read, or stopped in the middle of the first header section. A response that has nothing to send at the moment, such as an event stream, stays open.
   * @returns whether a request was pending
   */
  onInactive(socket: Socket): boolean {
    const response = this.#latest.get(socket);
    if (response === undefined && hasSent(socket)) {
      this.#refuse(socket, problem('request_timeout', {}));
      return true;
    }
    const isIdle = response === undefined || response.writableFinished || socket.writableEnded;
    const isUnread = socket.writableLength > 0;
    if (isIdle || isUnread) socket.destroy();
    else if (isStalled(response.req)) this.#refuse(socket, problem('request_timeout', {}));
    else {
      // Node's timeout occurs once. The body may be read later.
      socket.setTimeout(socket.timeout ?? 0);
      return false;
    }
    return !isIdle || isUnread;
  }

  /** Ends the request of a client that sends its body too slowly. */
  onSlowBody(socket: Socket, rate: number): void {
    this.#refuse(socket, problem('too_slow', { rate }));
  }

  /**
   * Reads nothing more from a connection, and closes it after its response: that to a complete request, or else a problem.
   * @param isGone whether the client has ended its side, so that it hardly reads the response
   */
  #refuse(socket: Socket, refusal: Problem, isGone = false): void {
    const isFirst = !this.#failed.has(socket);
    this.#failed.add(socket);
    discardInput(socket);
    const response = this.#latest.get(socket);
    const isPending = response?.writableFinished === false;
    // The last response of its connection is sent, and nothing else.
    if (response?.req.complete === true && (isPending || isLast(response))) {
      // As Node does when a client ends its side between requests.
      if (isGone) socket.end();
      else endAfter(response);
      return;
    }
    if (!isFirst) return;
    if (!this.#mayWrite(socket)) {
      // Those before a response that waits for them belong to complete requests.
      const before = response?.socket === null ? [...this.#queued.of(socket)].at(-2) : undefined;
      if (isGone) socket.destroy();
      else if (before !== undefined) endAfter(before);
      // Destroyed at once, the connection would be reset, and the client could not read its response.
      else if (response?.writableFinished === true) endConnection(socket);
      else if (response?.writableEnded === true) endAfter(response);
      else socket.destroy();
      return;
    }
    const bytes = writeProblem(socket, refusal);
    if (bytes !== undefined && isPending && !isGone)
      noteRefusal(response, { status: refusal.status, code: refusal.code, bytes });
  }

  /** Whether bytes written now would neither precede nor interrupt another response. */
  #mayWrite(socket: Socket): boolean {
    const response = this.#latest.get(socket);
    if (response === undefined) return true;
    // The rest of an answered request gets no second response.
    if (response.writableFinished) return response.req.complete;
    // A response that waits for earlier ones has no socket yet.
    return response.socket === socket && !response.headersSent;
  }
}

/**
 * Whether a connection ends after a response: as the server decides, or by a `Connection: close` of the application, of which
 * only the sent header section tells.
 */
function isLast(response: ServerResponse): boolean {
  return (
    !response.shouldKeepAlive || (response as ServerResponse & { readonly _last?: boolean })._last === true
  );
}

/** Ends the connection of a pending response after it. */
function endAfter(response: ServerResponse): void {
  const { socket } = response.req;
  if (response.headersSent) response.once('finish', () => endConnection(socket));
  else response.shouldKeepAlive = false;
}

/** Whether a status rejects valid HTTP that the server does not implement (RFC 9110, 15.6.2 and 15.6.6). */
export function isUnsupported(status: number): boolean {
  return status === 501 || status === 505;
}

/** Whether the client has stopped sending a body that is being read, or has not begun to. */
function isStalled({ complete, readableFlowing, readableLength }: IncomingMessage): boolean {
  // Null before the first read.
  return !complete && readableFlowing !== null && readableLength === 0;
}
