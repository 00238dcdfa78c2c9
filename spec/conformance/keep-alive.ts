import { connect, type Socket } from 'node:net';
import { RESPONSE_LIMIT } from './raw-request';

/** A response over a persistent connection. */
interface KeptAnswer {
  readonly status: number;
  /** Status line and headers, one character per octet. */
  readonly head: string;
  readonly body: string;
}

const END_OF_HEAD = '\r\n\r\n';

/** A persistent connection, reopened when the server has closed it. */
class KeptConnection {
  readonly #port: number;
  #socket: Socket | undefined;

  constructor(port: number) {
    this.#port = port;
  }

  /** @throws Error when no complete response arrives in time */
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
    const timer = setTimeout(
      () => fail(new Error(`No response arrived within ${RESPONSE_LIMIT} ms.`)),
      RESPONSE_LIMIT,
    );
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

/** Persistent connections, each for one request at a time. */
export class KeepAlivePool {
  readonly #connections: readonly KeptConnection[];

  constructor(origin: string, size: number) {
    const port = Number(new URL(origin).port);
    this.#connections = Array.from({ length: size }, () => new KeptConnection(port));
  }

  /** Sends all requests concurrently. @param requests at most as many as there are connections */
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
