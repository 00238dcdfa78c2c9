import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Passes TCP connections on to a server, and delays its replies. */
export class SlowConnection {
  readonly #delay: number;
  readonly #sockets = new Set<Socket>();
  readonly #target: number;
  readonly #server = createServer((client) => this.#pass(client));

  private constructor(target: number, delay: number) {
    this.#target = target;
    this.#delay = delay;
  }

  /**
   * @param target the port of the server
   * @param delay milliseconds by which replies arrive later
   */
  static async open(target: number, delay: number): Promise<SlowConnection> {
    const connection = new SlowConnection(target, delay);
    connection.#server.listen(0, '127.0.0.1');
    await once(connection.#server, 'listening');
    return connection;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #pass(client: Socket): void {
    const server = connect(this.#target, '127.0.0.1');
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(socket.on('error', () => undefined));
      socket.on('close', () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
    }
    client.on('data', (chunk) => server.write(chunk));
    server.on('data', (chunk) => setTimeout(() => client.writable && client.write(chunk), this.#delay));
  }
}
