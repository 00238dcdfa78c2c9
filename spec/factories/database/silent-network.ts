import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

interface Relayed {
  readonly client: Socket;
  /** What the client has sent. */
  sent: string;
  isSilent: boolean;
}

/** A network in front of a server, whose connections can become silent: they stay open, and nothing arrives any more. */
export class SilentNetwork {
  readonly #server: Server;
  readonly #connections: Relayed[] = [];
  /** Whether connections are silent from the beginning. */
  isSilent = false;

  constructor(port: number) {
    this.#server = createServer((client) => {
      const upstream = connect(port, '127.0.0.1');
      const relayed: Relayed = { client, sent: '', isSilent: this.isSilent };
      this.#connections.push(relayed);
      client.on('data', (data) => {
        relayed.sent += data.toString('latin1');
        if (!relayed.isSilent) upstream.write(data);
      });
      upstream.on('data', (data) => {
        if (!relayed.isSilent) client.write(data);
      });
      client.on('error', () => undefined).on('close', () => upstream.destroy());
      upstream.on('error', () => undefined).on('close', () => client.destroy());
    });
  }

  /** @returns its URL */
  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `postgres://admin:secret@127.0.0.1:${(this.#server.address() as AddressInfo).port}/postgres`;
  }

  /** Makes the open connections silent on which the client has sent a text. @returns their number */
  silence(text: string): number {
    const silent = this.#connections.filter(({ client, sent }) => !client.destroyed && sent.includes(text));
    for (const one of silent) one.isSilent = true;
    return silent.length;
  }

  close(): void {
    this.#server.close();
    for (const { client } of this.#connections) client.destroy();
  }
}
