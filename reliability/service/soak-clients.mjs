// The clients of a soak: together they use every feature. Each adds its latencies, and reports what should not happen.
import { get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { digestChallenge, digestResponse, isStale } from './digest.mjs';
import { send } from './load.mjs';
import { GUIDE } from './project.mjs';

const BASIC = `Basic ${Buffer.from(`${GUIDE.username}:${GUIDE.password}`).toString('base64')}`;
const JSON_TYPE = { 'Content-Type': 'application/json' };

/** Requests of guests and of Basic, with their expected status. */
const SIMPLE = [
  { path: '/v1/atlas/countries/DE', status: 200 },
  { path: '/v2/atlas/countries?q=land&embed=borders', status: 200 },
  { path: '/v2/atlas/countries', headers: { Accept: 'application/hal+json' }, status: 406 },
  { path: '/v1/atlas/visits', headers: { Authorization: BASIC }, status: 200 },
  { path: '/v1/atlas/visits', status: 401 },
  { path: '/v1/atlas/countries/XX', status: 404 },
  { path: '/v1/atlas/countries?page=x', status: 400 },
  { path: '/load/echo', method: 'POST', headers: JSON_TYPE, body: '{"text":"echo"}', status: 200 },
  { path: '/load/echo', method: 'POST', headers: JSON_TYPE, body: '{"text":1}', status: 422 },
  { path: '/load/echo', method: 'POST', headers: JSON_TYPE, body: '{"text":', status: 400 },
  { path: '/load/slow', status: 200 },
  { path: '/load/lines?count=2000', status: 200 },
  { path: '/platform/documentation', headers: { Accept: 'text/html' }, status: 200 },
  { path: '/platform/documentation/Atlas-v2', headers: { 'Accept-Encoding': 'gzip' }, status: 200 },
  { path: '/platform/documentation/Atlas-v2?format=openapi', status: 200 },
  { path: '/platform/documentation/Atlas-v1?format=apidesc', status: 200 },
];

/** What the clients measure and report. */
export class Soak {
  failures = [];
  requests = 0;
  isRunning = true;
  latencies;

  /** Sends a request, and checks its status. */
  async ask(url, expected, options) {
    const begin = performance.now();
    this.requests++;
    const response = await send(url, options);
    this.latencies.add(performance.now() - begin);
    if (response.status !== expected)
      this.fail(
        `${options?.method ?? 'GET'} ${url}: ${response.status}, not ${expected}. ${response.text.slice(0, 300)}`,
      );
    return response;
  }

  fail(message) {
    this.failures.push(message);
  }

  /** Repeats a client until the end, with pauses in milliseconds. */
  async repeat(pause, client) {
    for (let turn = 0; this.isRunning; turn++) {
      await client(turn).catch((error) => this.fail(`${error.code ?? ''} ${error.message}`));
      await delay(pause);
    }
  }
}

export function simpleClient(soak, origin, agent) {
  return async (turn) => {
    const { path, status, ...options } = SIMPLE[turn % SIMPLE.length];
    await soak.ask(origin + path, status, { ...options, agent });
  };
}

/** Signs in with Digest, adds a visit, reads it and deletes it. Nonces expire meanwhile. */
export function digestClient(soak, origin, agent) {
  let [challenge, count] = [undefined, 0];
  const signed = async (method, path, expected, more = {}) => {
    const authorize = () => ({ Authorization: digestResponse(challenge, GUIDE, method, path, ++count) });
    for (let attempt = 0; ; attempt++) {
      if (challenge === undefined) {
        const { headers } = await soak.ask(`${origin}/v2/atlas/visits`, 401, { agent });
        [challenge, count] = [digestChallenge(headers['www-authenticate']), 0];
      }
      const headers = { ...more.headers, ...authorize() };
      const response = await send(origin + path, { method, agent, ...more, headers });
      soak.requests++;
      const renewed = response.status === 401 && digestChallenge(response.headers['www-authenticate'] ?? '');
      if (renewed && isStale(renewed) && attempt === 0) {
        [challenge, count] = [renewed, 0];
        continue;
      }
      if (response.status !== expected)
        soak.fail(`${method} ${path}: ${response.status}, not ${expected}. ${response.text.slice(0, 300)}`);
      return response;
    }
  };
  return async () => {
    const body = '{"country_code":"DE","note":"soak"}';
    const created = await signed('POST', '/v2/atlas/visits', 201, { headers: JSON_TYPE, body });
    const location = created.headers.location;
    if (location === undefined) return;
    await signed('GET', location, 200);
    await signed('DELETE', location, 204);
  };
}

/** Opens a stream of events, and leaves in the middle: milliseconds after the first event. */
export function streamClient(soak, origin, stay) {
  return (turn) =>
    new Promise((resolve, reject) => {
      const headers = { Accept: turn % 2 === 0 ? 'text/event-stream' : 'application/x-ndjson' };
      const outgoing = get(`${origin}/load/lines?count=1000000`, { headers, agent: false }, (response) => {
        if (response.statusCode !== 200) soak.fail(`stream: ${response.statusCode}`);
        response.once('data', () => setTimeout(() => outgoing.destroy(), stay));
        response.on('error', () => resolve());
        response.on('close', () => resolve());
      });
      outgoing.on('error', (error) => (error.code === 'ECONNRESET' ? resolve() : reject(error)));
    });
}

/** An administrator who looks at pages. */
export async function adminClient(soak, origin, agent) {
  const admin = `${origin}/platform/admin`;
  const { headers } = await soak.ask(`${admin}/sign-in`, 303, {
    method: 'POST',
    headers: {
      Origin: origin,
      'Sec-Fetch-Site': 'same-origin',
      'Content-Type': 'application/x-www-form-urlencoded',
    },
    body: `name=${GUIDE.username}&password=${GUIDE.password}`,
    agent,
  });
  const Cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  const pages = ['', '/apis', '/listeners', '/account', '/adapters'];
  return async (turn) => {
    const page = `${admin}${pages[turn % pages.length]}`;
    await soak.ask(page, 200, { headers: { Cookie, Accept: 'text/html' }, agent });
  };
}

/** Scrapes metrics and readiness. */
export function monitor(soak, operations, agent) {
  return async () => {
    await soak.ask(`${operations}/metrics`, 200, { agent });
    await soak.ask(`${operations}/ready`, 200, { agent });
  };
}
