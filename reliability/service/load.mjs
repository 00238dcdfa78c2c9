// Clients on keep-alive connections, each of which sends its requests one after the other.
import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { Latencies } from './latencies.mjs';

/** Requests without a response after this time have failed, in milliseconds. */
const TIMEOUT_MS = 60_000;

/** Failures that are kept for the report. */
const MAX_FAILURES = 20;

/**
 * Sends a request.
 * @returns {Promise<{ status: number, headers: object, text: string }>} rejects for a failed connection, and for a
 *   response that ends early
 */
export function send(url, { method = 'GET', headers = {}, body, agent, localAddress } = {}) {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      { method, headers, agent, localAddress, timeout: TIMEOUT_MS },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk) => (text += chunk));
        response.on('end', () =>
          response.complete
            ? resolve({ status: response.statusCode, headers: response.headers, text })
            : reject(new Error('incomplete response')),
        );
        response.on('error', reject);
      },
    );
    outgoing.on('timeout', () => outgoing.destroy(new Error('no response')));
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

const JSON_TYPE = { 'Content-Type': 'application/json' };

/** Requests to the API for load and to the sample: fast, slow, with a body, and long responses. */
export const MIXED = [
  { path: '/v1/atlas/countries/DE' },
  { path: '/load/echo', method: 'POST', headers: JSON_TYPE, body: '{"text":"echo"}' },
  { path: '/v2/atlas/countries?region=Europe' },
  { path: '/load/slow' },
  { path: '/load/lines?count=300' },
  { path: '/load/echo', method: 'POST', headers: JSON_TYPE, body: `{"text":"${'x'.repeat(8_000)}"}` },
  { path: '/platform/documentation/Atlas-v2' },
];

/**
 * Milliseconds between a response and the next request of a client in the short forms, which test what happens to requests
 * during faults: full load, for hours, is for the full forms.
 */
export const SHORT_FORM_PAUSE = 250;

export class Load {
  requests = 0;
  failed = 0;
  failures = [];
  latencies = new Latencies();
  #agent;
  #clients;
  #isRunning = true;

  /**
   * @param {string} origin
   * @param {{ path: string, method?: string, headers?: object | (() => object), body?: string, expect?: number[] }[]} requests
   *   with the expected statuses, which default to 200
   * @param {{ clients?: number, pause?: number }} options `pause` in milliseconds after each response
   */
  constructor(origin, requests, { clients = 20, pause = 0 } = {}) {
    this.#agent = new Agent({ keepAlive: true, maxSockets: clients, maxFreeSockets: clients });
    this.#clients = Array.from({ length: clients }, async (_, client) => {
      for (let turn = client; this.#isRunning; turn++) {
        await this.#ask(origin, requests[turn % requests.length]);
        if (pause > 0) await delay(pause);
      }
    });
  }

  /** Waits for the responses in flight. */
  async stop() {
    this.#isRunning = false;
    await Promise.all(this.#clients);
    this.#agent.destroy();
    return this;
  }

  async #ask(origin, { path, expect = [200], ...options }) {
    const begin = performance.now();
    this.requests++;
    try {
      const headers = typeof options.headers === 'function' ? options.headers() : options.headers;
      const { status, text } = await send(origin + path, { ...options, headers, agent: this.#agent });
      if (!expect.includes(status)) this.#fail(`${path}: ${status} ${text.slice(0, 300)}`);
    } catch (error) {
      this.#fail(`${path}: ${error.code ?? ''} ${error.message}`);
      // A server that is gone refuses at once.
      await delay(10);
    }
    this.latencies.add(performance.now() - begin);
  }

  #fail(message) {
    this.failed++;
    if (this.failures.length < MAX_FAILURES) this.failures.push(`${new Date().toISOString()} ${message}`);
  }
}
