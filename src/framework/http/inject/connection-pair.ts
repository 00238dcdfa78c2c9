import { Duplex } from 'node:stream';

/** A client, as the server sees its connection. */
export interface Peer {
  /** The network address; empty if it is unknown. */
  readonly address: string;
  /** Whether the client used HTTPS. */
  readonly isEncrypted: boolean;
}

/** One end of an in-memory connection; what is written to it can be read at the peer. */
class ConnectionEnd extends Duplex {
  readonly remoteAddress: string;
  readonly remotePort = 0;
  peer: ConnectionEnd | undefined;
  #resumeWriter: (() => void) | undefined;

  constructor({ address, isEncrypted }: Peer) {
    super();
    this.remoteAddress = address;
    if (isEncrypted) Object.defineProperty(this, 'encrypted', { value: true });
  }

  override _read(): void {
    const resumeWriter = this.#resumeWriter;
    this.#resumeWriter = undefined;
    resumeWriter?.();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    if (this.peer === undefined || this.peer.destroyed) done();
    else this.peer.#receive(chunk, done);
  }

  override _final(done: () => void): void {
    this.peer?.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const { peer } = this;
    this.peer = undefined;
    // As over a network, what was sent before the end can still be read.
    const isSent = this.writableFinished && this.readableLength === 0;
    if (peer !== undefined && !isSent) setImmediate(() => peer.destroy());
    done(error);
  }

  /** Backpressure: the writer continues after the next read. */
  #receive(chunk: Buffer, done: () => void): void {
    if (this.push(chunk)) done();
    else this.#resumeWriter = done;
  }
}

/** Returns the two ends of an in-memory connection. @param peer the client, as the server sees it */
export function connectionPair(peer: Peer): readonly [client: Duplex, server: Duplex] {
  const [client, server] = [new ConnectionEnd(peer), new ConnectionEnd(peer)];
  client.peer = server;
  server.peer = client;
  return [client, server];
}
