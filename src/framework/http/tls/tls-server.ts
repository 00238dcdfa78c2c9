import type { Socket } from 'node:net';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import { openSslReason } from './openssl-reason';
import type { TlsMaterial } from './tls-files';

/** How long a client may take for its handshake, in milliseconds. */
const HANDSHAKE_TIMEOUT_MS = 10_000;

export interface TlsServerEvents {
  /** Called with each connection after its handshake. */
  readonly secured: (socket: TLSSocket) => void;
  /** Called for each failed handshake, whose connection is closed. */
  readonly failed: (peer: string | undefined, reason: string) => void;
}

/** Secures connections with one certificate. A new certificate needs a new one; earlier connections stay open. */
export class TlsServer {
  readonly material: TlsMaterial;
  readonly #server: Server;

  constructor(material: TlsMaterial, { secured, failed }: TlsServerEvents) {
    this.material = material;
    const { clientCertificates } = material.options;
    this.#server = createServer({
      ...material.context,
      // HTTP/2 is not served.
      ALPNProtocols: ['http/1.1', 'http/1.0'],
      handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
      requestCert: clientCertificates !== undefined,
      rejectUnauthorized: clientCertificates?.required === true,
    });
    this.#server.on('secureConnection', secured);
    this.#server.on('tlsClientError', (error, socket) => {
      failed(socket.remoteAddress, openSslReason(error));
      socket.destroy();
    });
  }

  /** Begins the handshake. */
  secure(socket: Socket): void {
    // Unlike servers of HTTP, those of TLS end a connection when its client ends its side.
    socket.allowHalfOpen = false;
    this.#server.emit('connection', socket);
  }
}
