import { getEventListeners, once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fetchJson } from '../../../../src/modules/mvc-auth/bearer/fetch-json';

let server: Server;
let url: string;

beforeEach(async () => {
  server = createServer((request, response) => {
    if (request.url !== '/silent') response.end('{"active":true}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(() => {
  server.close();
  server.closeAllConnections();
});

/** How many signals that were derived from a signal it keeps, in the members of Node. */
const derivedFrom = (signal: AbortSignal): number =>
  Object.getOwnPropertySymbols(signal)
    .filter(({ description }) => description === 'kDependantSignals')
    // A set of another realm.
    .reduce((sum, symbol) => sum + (Reflect.get(signal, symbol) as ReadonlySet<unknown>).size, 0);

describe('fetchJson', () => {
  it('leaves nothing of a request with the signal of the adapter', async () => {
    const { signal } = new AbortController();
    const limits = { timeout: 5_000, maxBytes: 1_000, signal };
    const all = Array.from({ length: 20 }, () => fetchJson(url, {}, limits));
    for (const { json } of await Promise.all(all)) expect(json).toEqual({ active: true });
    expect([derivedFrom(signal), getEventListeners(signal, 'abort').length]).toEqual([0, 0]);
  });

  it('ends with the adapter, and after its time', async () => {
    const closing = new AbortController();
    const limits = { maxBytes: 1_000, signal: closing.signal };
    await expect(fetchJson(`${url}/silent`, {}, { ...limits, timeout: 50 })).rejects.toThrow(
      'it did not respond within 0.05 seconds',
    );
    const pending = fetchJson(`${url}/silent`, {}, { ...limits, timeout: 60_000 });
    closing.abort();
    await expect(pending).rejects.toThrow('aborted');
    await expect(fetchJson(url, {}, { ...limits, timeout: 60_000 })).rejects.toThrow('aborted');
  });
});
