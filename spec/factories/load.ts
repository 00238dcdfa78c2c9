import { Agent, request } from 'node:http';

/** A request of a load: its fields are made anew each time. */
export interface LoadRequest {
  readonly url: string;
  readonly headers?: () => Readonly<Record<string, string>>;
}

/** Clients that ask one thing after the other on connections that stay open, until they are told to stop. */
export class Load {
  readonly #agent: Agent;
  readonly #clients: readonly Promise<void>[];
  readonly #answers = new Map<string, number>();
  #asking = true;

  /** @param clients how many ask at once; each asks the requests in turn, beginning at another */
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

  /** @returns how often each status was answered, or each error met */
  async stop(): Promise<ReadonlyMap<string, number>> {
    this.#asking = false;
    await Promise.all(this.#clients);
    this.#agent.destroy();
    return this.#answers;
  }

  #ask({ url, headers }: LoadRequest): Promise<string> {
    return new Promise((resolve) => {
      const asked = request(url, { agent: this.#agent, headers: { ...headers?.() } }, (answer) => {
        answer.resume();
        answer.on('error', ({ message }) => resolve(message));
        answer.on('end', () => resolve(String(answer.statusCode)));
      });
      asked.on('error', ({ message }) => resolve(message));
      asked.end();
    });
  }
}
