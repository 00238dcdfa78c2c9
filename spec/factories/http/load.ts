import { Agent, request } from 'node:http';

/** A request of a load; its headers are created for each request. */
export interface LoadRequest {
  readonly url: string;
  readonly headers?: () => Readonly<Record<string, string>>;
}

/** Clients that send requests in sequence on persistent connections until they are stopped. */
export class Load {
  readonly #agent: Agent;
  readonly #clients: readonly Promise<void>[];
  readonly #answers = new Map<string, number>();
  #asking = true;

  /** @param clients number of concurrent clients; each cycles through the requests with a different start */
  constructor(requests: readonly LoadRequest[], clients: number) {
    this.#agent = new Agent({ keepAlive: true, maxSockets: clients });
    this.#clients = Array.from({ length: clients }, async (_, at) => {
      for (let turn = at; this.#asking; turn++) {
        const one = requests[turn % requests.length];
        if (one === undefined) return;
        const outcome = await this.#ask(one);
        this.#answers.set(outcome, (this.#answers.get(outcome) ?? 0) + 1);
      }
    });
  }

  /** @returns how often each status or error occurred */
  async stop(): Promise<ReadonlyMap<string, number>> {
    this.#asking = false;
    await Promise.all(this.#clients);
    this.#agent.destroy();
    return this.#answers;
  }

  #ask({ url, headers }: LoadRequest): Promise<string> {
    return new Promise((resolve) => {
      const outgoing = request(url, { agent: this.#agent, headers: { ...headers?.() } }, (answer) => {
        answer.resume();
        answer.on('error', ({ message }) => resolve(message));
        answer.on('end', () => resolve(String(answer.statusCode)));
      });
      outgoing.on('error', ({ message }) => resolve(message));
      outgoing.end();
    });
  }
}
