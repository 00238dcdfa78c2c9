import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A connection on which a test writes arbitrary bytes at any time, and reads what has arrived so far. */
export class RawConnection {
  readonly #socket: Socket;
  #received = '';
  #closed = false;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (part) => (this.#received += part.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => (this.#closed = true));
  }

  /** @param options `allowHalfOpen` to send after the server has ended its side */
  static async open(
    origin: string,
    options: { readonly allowHalfOpen?: boolean } = {},
  ): Promise<RawConnection> {
    const { hostname, port } = new URL(origin);
    const socket = connect({ ...options, port: Number(port), host: hostname });
    await once(socket, 'connect');
    return new RawConnection(socket);
  }

  /** Everything received, as text with one character per byte. */
  get received(): string {
    return this.#received;
  }

  get closed(): boolean {
    return this.#closed;
  }

  write(bytes: string): void {
    this.#socket.write(bytes);
  }

  /** Reads nothing until `resume`: what arrives fills the buffers of the system. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** Ends the own side of the connection. */
  end(): void {
    this.#socket.end();
  }

  /** Resets the connection: the other side has an error. */
  reset(): void {
    this.#socket.resetAndDestroy();
  }

  /** Closes the connection. */
  destroy(): void {
    this.#socket.destroy();
  }

  /** Waits until the received text matches. @throws Error when it does not in time */
  async until(pattern: RegExp, milliseconds = 15_000): Promise<void> {
    await this.#wait(() => pattern.test(this.#received), String(pattern), milliseconds);
  }

  /** Waits until the server has closed the connection. @throws Error when it does not in time */
  async untilClosed(milliseconds = 15_000): Promise<void> {
    await this.#wait(() => this.#closed, 'the end of the connection', milliseconds);
  }

  async #wait(done: () => boolean, what: string, milliseconds: number): Promise<void> {
    const until = performance.now() + milliseconds;
    while (!done()) {
      if (performance.now() > until) throw new Error(`Waited for ${what} and got:\n${this.#received}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
}
