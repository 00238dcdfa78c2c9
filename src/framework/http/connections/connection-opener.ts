import type { Socket } from 'node:net';
import { Problem } from '../../problem/problem';
import { writeProblem } from '../server/problem-response';
import { addressKey } from '../limits/address-key';
import type { TlsMaterial } from '../tls/tls-files';
import { TlsServer } from '../tls/tls-server';
import { consumeProxyHeader, detectTls, noteHeader, readOpening } from './opening-bytes';
import type { OpeningFailures } from './opening-failures';
import type { ProxiedClient } from './proxy-protocol';

/** How long the first bytes of a connection may take, in milliseconds. */
const OPENING_TIMEOUT_MS = 10_000;

const TLS_REQUIRED = new Problem(400, 'This port serves HTTPS only: begin the URL with https://.');

export interface OpeningOptions {
  /** Whether connections of a peer begin with a header of the PROXY protocol; undefined if none do. */
  readonly sendsProxyHeader?: ((peer: string) => boolean) | undefined;
  /** The maximum number of connections per address that are not open yet; Infinity for no limit. */
  readonly maxPerAddress: number;
}

/** A connection that is not open yet. */
interface Opening {
  readonly socket: Socket;
  readonly address: string;
  client: ProxiedClient | undefined;
}

/**
 * Opens connections for HTTP: reads the header of the PROXY protocol, then secures the connection with TLS. Without
 * both, a connection is open at once.
 */
export class ConnectionOpener {
  readonly #opened: (socket: Socket) => void;
  readonly #failures: OpeningFailures;
  /** By both ends of the connection: its TLS socket is another object. */
  readonly #openings = new Map<string, Opening>();
  readonly #perAddress = new Map<string, number>();
  #tls: TlsServer | undefined;
  options: OpeningOptions = { maxPerAddress: Infinity };

  /** @param opened called with each connection that can be served */
  constructor(failures: OpeningFailures, opened: (socket: Socket) => void) {
    this.#failures = failures;
    this.#opened = opened;
  }

  /** The certificate in use. Setting it applies to connections from now on; undefined turns TLS off. */
  get tls(): TlsMaterial | undefined {
    return this.#tls?.material;
  }

  set tls(material: TlsMaterial | undefined) {
    if (material === undefined) this.#tls = undefined;
    else
      this.#tls = new TlsServer(material, {
        secured: (socket) => this.#open(socket, this.#openings.get(keyOf(socket))?.client),
        failed: (peer, reason) => this.#failures.add('tls_handshake', peer, reason),
      });
  }

  open(socket: Socket): void {
    const sendsHeader = this.options.sendsProxyHeader?.(socket.remoteAddress ?? '') === true;
    if (!sendsHeader && this.#tls === undefined) this.#opened(socket);
    else if (!this.#hold(socket, sendsHeader)) socket.destroy();
    else if (sendsHeader) this.#readProxyHeader(socket);
    else this.#secure(socket);
  }

  /** Closes the connections that are not open yet. */
  close(): void {
    for (const { socket } of this.#openings.values()) socket.destroy();
  }

  /** Returns false for a connection whose address has too many that are not open yet. */
  #hold(socket: Socket, isProxy: boolean): boolean {
    // Until HTTP handles errors; the connection is closed afterwards.
    socket.on('error', () => undefined);
    const address = addressKey(socket.remoteAddress ?? '');
    const count = this.#perAddress.get(address) ?? 0;
    if (count >= this.options.maxPerAddress && !isProxy) return false;
    const key = keyOf(socket);
    this.#openings.set(key, { socket, address, client: undefined });
    this.#perAddress.set(address, count + 1);
    socket.once('close', () => this.#release(key, socket));
    return true;
  }

  #release(key: string, socket?: Socket): void {
    const opening = this.#openings.get(key);
    // Another connection may have got the same port since.
    if (opening === undefined || (socket !== undefined && opening.socket !== socket)) return;
    this.#openings.delete(key);
    const left = (this.#perAddress.get(opening.address) ?? 0) - 1;
    if (left > 0) this.#perAddress.set(opening.address, left);
    else this.#perAddress.delete(opening.address);
  }

  #readProxyHeader(socket: Socket): void {
    readOpening(socket, OPENING_TIMEOUT_MS, consumeProxyHeader, (found) => {
      if (found?.kind !== 'header') {
        if (socket.bytesRead > 0)
          this.#failures.add(
            'proxy_protocol',
            socket.remoteAddress,
            found?.reason ?? 'The header is incomplete',
          );
        socket.destroy();
        return;
      }
      const opening = this.#openings.get(keyOf(socket));
      if (opening !== undefined) opening.client = found.client;
      if (this.#tls === undefined) {
        noteHeader(socket, found.length);
        this.#open(socket, found.client);
      } else this.#secure(socket);
    });
  }

  #secure(socket: Socket): void {
    readOpening(socket, OPENING_TIMEOUT_MS, detectTls, (isTls) => {
      if (isTls === true && this.#tls !== undefined) this.#tls.secure(socket);
      else if (isTls === undefined) socket.destroy();
      else {
        this.#failures.add('plain_http', socket.remoteAddress, 'The client does not use TLS');
        socket.resume();
        writeProblem(socket, TLS_REQUIRED);
      }
    });
  }

  #open(socket: Socket, client: ProxiedClient | undefined): void {
    this.#release(keyOf(socket));
    if (client !== undefined) {
      Object.defineProperty(socket, 'remoteAddress', { value: client.address });
      Object.defineProperty(socket, 'remotePort', { value: client.port });
    }
    this.#opened(socket);
  }
}

const keyOf = ({ remoteAddress, remotePort, localAddress }: Socket): string =>
  `${remoteAddress} ${remotePort} ${localAddress}`;
