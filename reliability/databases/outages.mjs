// PostgreSQL is paused, and crashes, while clients read and write. Until it is back, services respond with 503 and
// Retry-After, and within 2 seconds after that as before.
import { setTimeout as delay } from 'node:timers/promises';
import { send, startServer } from './project.mjs';

const CLIENTS = 4;
const MAX_RECOVERY_MS = 2000;

/** Requests without an end, and the statuses of their responses. */
class Load {
  problems = [];
  #isRunning = true;
  #lastSuccess = 0;
  #lastFailure = 0;

  constructor(origin) {
    this.clients = Array.from({ length: CLIENTS }, (_, at) => this.#run(origin, at));
  }

  async #run(origin, client) {
    for (let at = 0; this.#isRunning; at++) {
      const response =
        at % 2 === 0
          ? await send(origin, 'GET', '/hashed/1')
          : await send(origin, 'POST', '/entries', {
              id: `outage-${process.hrtime.bigint()}-${client}`,
              part: 0,
            });
      const { status, retryAfter } = response;
      if (status === 200 || status === 201) this.#lastSuccess = performance.now();
      else if (status === 503 && retryAfter !== null) this.#lastFailure = performance.now();
      else this.problems.push(`outage: ${status} ${JSON.stringify(response.body)}`);
      await delay(5);
    }
  }

  /** Waits for a failure after a time. */
  async failure(begin) {
    while (this.#lastFailure < begin) await delay(2);
  }

  /** Waits for a success after a time. @returns milliseconds since then */
  async success(begin) {
    while (this.#lastSuccess < begin && performance.now() - begin < 10_000) await delay(2);
    return performance.now() - begin;
  }

  async end() {
    this.#isRunning = false;
    await Promise.all(this.clients);
  }
}

/**
 * @param {(text: string) => Promise<{ pid: number }[]>} query with a connection of its own
 * @param {number} pid of the database
 */
export async function outages(folder, query, pid) {
  const server = await startServer(folder);
  const load = new Load(server.origin);
  const problems = [];
  const backends = async () => {
    const text =
      "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()";
    return (await query(text)).map((row) => row.pid);
  };
  const recovered = async (what) => {
    const elapsed = await load.success(performance.now());
    if (elapsed > MAX_RECOVERY_MS) problems.push(`${what}: recovered after ${Math.round(elapsed)} ms`);
    return `${what}: recovered after ${Math.round(elapsed)} ms`;
  };
  const results = [];
  try {
    await load.success(performance.now());
    const all = [pid, ...(await backends())];
    for (const one of all) process.kill(one, 'SIGSTOP');
    await load.failure(performance.now());
    await delay(1500);
    for (const one of all) process.kill(one, 'SIGCONT');
    results.push(await recovered('paused'));
    await delay(500);
    // All connections end: the server no longer trusts its memory, and recovers from its log.
    const [first] = await backends();
    process.kill(first, 'SIGKILL');
    await load.failure(performance.now());
    while (!(await query('SELECT 1 AS pid').catch(() => undefined))) await delay(5);
    results.push(await recovered('crashed'));
  } finally {
    await load.end();
    await server.kill('SIGTERM');
  }
  return { results, problems: [...problems, ...load.problems] };
}
