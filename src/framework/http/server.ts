import {
  createServer,
  type IncomingMessage,
  type Server as HttpServer,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { inject } from '../application/inject';
import type { InjectedRequest } from '../application/injected-request';
import { StartError } from '../config/start-error';
import { problem } from '../problem/errors';
import { Problem } from '../problem/problem';
import { countFields } from './field-lines';
import { bareResponse, writeProblem } from './bare-problem';

/** What answers requests: an application. */
export interface RequestHandler {
  handle(message: IncomingMessage, outgoing: ServerResponse): void;
  /** Puts it away when its last request is answered. It may be asked for again, and never rejects. */
  dispose(): Promise<void>;
}

/** How often a server that stops closes the connections that have become idle, in milliseconds. */
const SWEEP = 50;

/**
 * The listening side. It holds the current application and gives each request to it; `swap` puts another in
 * its place without losing a request. Node's own bare answers (a field section too large, a request that
 * cannot be parsed) are problems too.
 */
export class Server {
  readonly #http: HttpServer;
  /** The latest answer on each connection. */
  readonly #answers = new WeakMap<Socket, ServerResponse>();
  /** Connections of requests that came without a socket. */
  readonly #injected = new Set<Duplex>();
  #current: RequestHandler;
  #isClosed = false;

  constructor(application: RequestHandler) {
    this.#current = application;
    const handle = (message: IncomingMessage, outgoing: ServerResponse): void =>
      this.#handle(message, outgoing);
    this.#http = createServer({ requireHostHeader: false }, handle);
    // The body is asked for when it is read, so that a refusal needs no body.
    this.#http.on('checkContinue', handle);
    this.#http.on('checkExpectation', (message: IncomingMessage, outgoing: ServerResponse) => {
      bareResponse(problem('expectation_failed', { expectation: message.headers.expect ?? '' })).send(
        outgoing,
        message.method ?? 'GET',
      );
    });
    this.#http.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
      if (this.#mayWrite(socket)) writeProblem(socket, clientProblem(error.code));
      else socket.destroy();
    });
  }

  /** What answers requests; another one gets those that come from now on. */
  get current(): RequestHandler {
    return this.#current;
  }

  set current(next: RequestHandler) {
    this.#current = next;
  }

  /**
   * Starts to listen.
   * @returns the port, which is of interest when 0 was asked for
   * @throws StartError for a taken port or an address that is not this machine's
   */
  listen(host: string, port: number): Promise<AddressInfo> {
    return new Promise((resolve, reject) => {
      this.#http.once('error', (error: NodeJS.ErrnoException) => reject(cannotListen(error, host, port)));
      this.#http.listen(port, host, () => {
        this.#http.removeAllListeners('error');
        // A server that listens on a port has no other kind of address.
        resolve(this.#http.address() as AddressInfo);
      });
    });
  }

  /**
   * Answers a request as it would over a socket, without one; whether the server listens or not.
   * @throws Error when the connection ends before there is an answer, and when the server was closed before
   */
  inject(request: InjectedRequest): Promise<globalThis.Response> {
    if (this.#isClosed) {
      return Promise.reject(
        new Error(
          'inject(): what would answer was closed before. Await every answer, and close after the last.',
        ),
      );
    }
    return inject(request, (socket) => {
      this.#injected.add(socket);
      socket.once('close', () => this.#injected.delete(socket));
      this.#http.emit('connection', socket);
    });
  }

  /** New requests go to `next`; the old application is put away when its last request is answered. */
  async swap(next: RequestHandler): Promise<void> {
    const old = this.#current;
    this.#current = next;
    await old.dispose();
  }

  /**
   * Stops: no new connections, requests in flight finish, and what is not done after the timeout is cut off.
   * @param timeout in seconds
   */
  async close(timeout: number): Promise<void> {
    this.#isClosed = true;
    const closed = new Promise<void>((resolve) => this.#http.close(() => resolve()));
    // A connection that is busy now is idle when its request is answered: clients would keep it open.
    const sweep = setInterval(() => this.#http.closeIdleConnections(), SWEEP);
    const cut = setTimeout(() => {
      this.#http.closeAllConnections();
      for (const socket of this.#injected) socket.destroy();
    }, timeout * 1000);
    await closed;
    clearInterval(sweep);
    // What was injected has no connection that the server waits for: the application does.
    await this.#current.dispose();
    clearTimeout(cut);
  }

  /** Whether bytes written to the connection now would not get into an answer that has begun, or before one. */
  #mayWrite(socket: Socket): boolean {
    const answer = this.#answers.get(socket);
    if (answer === undefined) return true;
    // What is left of a request that was answered already gets no second answer.
    if (answer.writableFinished) return answer.req.complete;
    // An answer that waits for those before it has no connection yet.
    return answer.socket === socket && !answer.headersSent;
  }

  #handle(message: IncomingMessage, outgoing: ServerResponse): void {
    this.#answers.set(message.socket, outgoing);
    const hosts = countFields(message.rawHeaders, 'host');
    if (hosts > 1 || (hosts === 0 && message.httpVersion === '1.1')) {
      const reason = `The request has ${hosts === 0 ? 'no' : 'more than one'} Host field (RFC 9112, 3.2).`;
      const refusal = problem('bad_request', { reason });
      bareResponse(refusal).send(outgoing, message.method ?? 'GET');
      return;
    }
    this.#current.handle(message, outgoing);
  }
}

function cannotListen(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const choose = 'Choose another with PORT=<number> or server.port.';
  switch (error.code) {
    case 'EADDRINUSE':
      return new StartError(`Port ${port} on ${host} is taken by another program. ${choose}`);
    case 'EACCES':
      return new StartError(`Port ${port} on ${host} may not be used by this user. ${choose}`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartError(`${host} is no address of this machine. Set HOST or server.host to one that is.`);
    default:
      return new StartError(`The server cannot listen on ${host}, port ${port}: ${error.message}`, {
        cause: error,
      });
  }
}

/** What Node's parser refused, as a problem. */
function clientProblem(code: string | undefined): Problem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Problem(431, 'The header fields of the request are too large.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem(408, 'The request was not complete in time.');
    default:
      return new Problem(400, 'The request is not well-formed HTTP.');
  }
}
