import { randomBytes } from 'node:crypto';
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RequestHandler } from '../../framework';
import { assumeClient } from './forwarded-client';
import type { ForwardingTarget } from '../messages';

/** More than workers accept, and the field that describes the client. */
const MAX_HEADER_BYTES = 2_097_152;

/** Handles the requests that workers forward, on a port of the loopback interface that nobody else can use. */
export class ForwardingPort {
  readonly target: ForwardingTarget;
  readonly #http: HttpServer;

  private constructor(http: HttpServer, target: ForwardingTarget) {
    this.#http = http;
    this.target = target;
  }

  /** @throws the error of the system if no port can be opened */
  static async open(host: { readonly current: Pick<RequestHandler, 'handle'> }): Promise<ForwardingPort> {
    const secret = randomBytes(32).toString('base64url');
    const http = createServer(
      { requireHostHeader: false, maxHeaderSize: MAX_HEADER_BYTES },
      (message, outgoing) => {
        if (assumeClient(message, secret)) void host.current.handle(message, outgoing);
        else message.socket.destroy();
      },
    );
    // 100 Continue is sent when the body is read.
    http.on('checkContinue', (message, outgoing) => http.emit('request', message, outgoing));
    http.maxHeadersCount = 0;
    // Workers limit how long a request may take.
    http.requestTimeout = 0;
    http.headersTimeout = 10_000;
    await new Promise<void>((resolve, reject) => {
      // Later errors are those of single connections, which the worker reports as an overload.
      http.on('error', reject);
      http.listen(0, '127.0.0.1', resolve);
    });
    // A server that listens on a port has an AddressInfo.
    const { port } = http.address() as AddressInfo;
    return new ForwardingPort(http, { port, secret });
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#http.close(() => resolve());
      this.#http.closeAllConnections();
    });
  }
}
