import { connect, type Socket } from 'node:net';
import { PATIENCE } from './question';

/** An answer over a connection that stays. */
interface KeptAnswer {
  readonly status: number;
  /** Status line and fields, one character an octet. */
  readonly head: string;
  readonly body: string;
}

const END_OF_HEAD = '\r\n\r\n';

/** A connection that is kept between requests, and made anew when the server has closed it. */
class KeptConnection {
  readonly #port: number;
  #socket: Socket | undefined;

  constructor(port: number) {
    this.#port = port;
  }

  /** @throws Error when no whole answer came in time */
  async ask(octets: Buffer): Promise<KeptAnswer> {
    const socket = (this.#socket ??= connect(this.#port, '127.0.0.1'));
    try {
      const answer = await readAnswer(socket, octets);
      if (/\r\nconnection: *close/i.test(answer.head)) this.close();
      return answer;
    } catch (error) {
      this.close();
      throw error;
    }
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }
}

function readAnswer(socket: Socket, octets: Buffer): Promise<KeptAnswer> {
  return new Promise((resolve, reject) => {
    let text = '';
    const done = (settle: () => void): void => {
      clearTimeout(timer);
      socket.off('data', read).off('error', fail).off('end', end);
      settle();
    };
    const fail = (error: Error): void => done(() => reject(error));
    const end = (): void => fail(new Error(`The connection ended after ${JSON.stringify(text)}.`));
    const read = (part: Buffer): void => {
      text += part.toString('latin1');
      const answer = wholeAnswer(text);
      if (answer !== undefined) done(() => resolve(answer));
    };
    const timer = setTimeout(() => fail(new Error(`No answer came within ${PATIENCE} ms.`)), PATIENCE);
    socket.on('data', read).on('error', fail).on('end', end);
    socket.write(octets);
  });
}

function wholeAnswer(text: string): KeptAnswer | undefined {
  const at = text.indexOf(END_OF_HEAD);
  if (at === -1) return undefined;
  const head = text.slice(0, at);
  const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
  const body = text.slice(at + END_OF_HEAD.length);
  return body.length < length ? undefined : { status: Number(head.split(' ')[1]), head, body };
}

/** Connections that are kept, each for one request at a time. */
export class KeepAlivePool {
  readonly #connections: readonly KeptConnection[];

  constructor(origin: string, size: number) {
    const port = Number(new URL(origin).port);
    this.#connections = Array.from({ length: size }, () => new KeptConnection(port));
  }

  /** Asks with all of them at once. @param requests no more than there are connections */
  ask(requests: readonly Buffer[]): Promise<readonly KeptAnswer[]> {
    return Promise.all(
      requests.map((octets, at) => {
        const connection = this.#connections[at];
        if (connection === undefined) throw new RangeError('There are more requests than connections.');
        return connection.ask(octets);
      }),
    );
  }

  close(): void {
    for (const connection of this.#connections) connection.close();
  }
}
