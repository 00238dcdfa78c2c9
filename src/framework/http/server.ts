import {
  createServer,
  type IncomingMessage,
  type Server as HttpServer,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { StartError } from '../config/start-error';
import { problem } from '../problem/errors';
import { Problem } from '../problem/problem';
import { bareResponse, writeProblem } from './bare-problem';

/** What answers requests: an application. */
export interface RequestHandler {
  handle(message: IncomingMessage, outgoing: ServerResponse): void;
  dispose(): Promise<void>;
}

/**
 * The listening side. It holds the current application and gives each request to it; `swap` puts another in
 * its place without losing a request. Node's own bare answers (a field section too large, a request that
 * cannot be parsed) are problems too.
 */
export class Server {
  readonly #http: HttpServer;
  #current: RequestHandler;

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
      writeProblem(socket, clientProblem(error.code));
    });
  }

  get current(): RequestHandler {
    return this.#current;
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
    const closed = new Promise<void>((resolve) => this.#http.close(() => resolve()));
    this.#http.closeIdleConnections();
    const cut = setTimeout(() => this.#http.closeAllConnections(), timeout * 1000);
    await closed;
    clearTimeout(cut);
    await this.#current.dispose();
  }

  #handle(message: IncomingMessage, outgoing: ServerResponse): void {
    if (message.headers.host === undefined && message.httpVersion === '1.1') {
      const refusal = problem('bad_request', { reason: 'The request has no Host field (RFC 9112, 3.2).' });
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
