// The bars of the chart of shares: our rows and the peers of the main workloads.

const TITLES = [
  'Routed JSON',
  'Routed JSON, asynchronous handlers',
  'GET with one query parameter',
  'GET with 4 query parameters',
  'Page of 25 with filter and sort',
  'HAL collection of 50',
  'Validated POST of 1 KB',
  'Basic, bcrypt',
  'Digest, growing counts over 128 nonces',
  'Realistic mix',
];

const OURS = ['hosting alone', 'with documentation', 'everything on'];

/**
 * @typedef {object} Group
 * @property {string} title of the workload
 * @property {{ name: string, share: number, isOurs: boolean }[]} bars
 */

/** @param {Map<string, Record<string, string>[]>} tables @returns {Group[]} of the workloads that were measured */
export function shareGroups(tables) {
  return TITLES.filter((title) => tables.has(title)).map((title) => ({
    title,
    bars: tables
      .get(title)
      .filter(({ server }) => !server.startsWith('bare '))
      .map(({ server, share }) => ({ name: server, share: Number(share), isOurs: OURS.includes(server) })),
  }));
}
