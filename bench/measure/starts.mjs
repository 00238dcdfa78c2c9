// The time from the start of a server to its first response, and its memory.
import { ask } from './ask.mjs';
import { median } from './rounds.mjs';
import { Servers } from './servers.mjs';

/**
 * Starts servers in turn, each the given number of times.
 * @param {readonly { name: string, ours?: boolean, start: (servers: Servers) =>
 * Promise<import('./service.mjs').Service>, request: string, after?: (service: import('./service.mjs').Service) =>
 * Promise<Record<string, number>> }[]} cases `after`: measures further figures of a server that has started
 * @param {number} times
 * @param {import('./options.mjs').Options} options
 * @returns {Promise<{ name: string, ours: boolean, milliseconds: number, mebibytes: number }[]>} medians, also of the
 * further figures
 * @throws Error when a first response is not 200
 */
export async function measureStarts(cases, times, options) {
  const seen = new Map(cases.map(({ name }) => [name, []]));
  for (let time = 0; time < times; time++) {
    for (const one of cases) seen.get(one.name).push(await startOnce(one, options));
  }
  return cases.map(({ name, ours = false }) => ({ name, ours, ...mediansOf(seen.get(name)) }));
}

function mediansOf(all) {
  const names = Object.keys(all[0]);
  return Object.fromEntries(names.map((name) => [name, median(all.map((figures) => figures[name]))]));
}

async function startOnce({ name, start, request, after }, options) {
  const servers = new Servers(options);
  try {
    const service = await start(servers);
    const { status } = await ask(service.port, request);
    const milliseconds = performance.now() - service.startedAt;
    if (status !== 200) throw new Error(`The first response of ${name} was ${status}.`);
    return { milliseconds, mebibytes: service.memory().most, ...(await after?.(service)) };
  } finally {
    await servers.stop();
  }
}
