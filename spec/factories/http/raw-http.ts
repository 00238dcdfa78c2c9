import { connect } from 'node:net';

/** A response received over a raw connection. */
export interface RawAnswer {
  readonly status: number;
  /** Names in lower case, one entry per header line. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  readonly text: string;
}

/**
 * Writes these bytes to a server and reads until it closes the connection, or until it is idle. For requests that no
 * client would send.
 *
 * @param idleTimeout milliseconds without data after which the response counts as complete
 */
export function sendRaw(origin: string, bytes: string | Buffer, idleTimeout = 300): Promise<RawAnswer> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    const parts: Buffer[] = [];
    const done = (): void => {
      socket.destroy();
      resolve(parseAnswer(Buffer.concat(parts).toString('utf8')));
    };
    socket.on('data', (part) => {
      parts.push(part);
      socket.setTimeout(idleTimeout, done);
    });
    socket.on('end', done);
    socket.on('error', (error) => (parts.length > 0 ? done() : reject(error)));
    socket.setTimeout(10_000, done);
    socket.write(bytes);
  });
}

/** Parses a response. */
export function parseAnswer(text: string): RawAnswer {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  return {
    status: Number(statusLine.split(' ')[1] ?? 0),
    fields: lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
    }),
    body: rest.join('\r\n\r\n'),
    text,
  };
}
