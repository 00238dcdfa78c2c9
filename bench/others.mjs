/**
 * Measurements besides the workloads, each a separate script: its file, and what it measures.
 *
 * @type {Readonly<Record<string, { script: string, title: string }>>}
 */
export const OTHERS = {
  attack: { script: './attack.mjs', title: 'The cost of hostile requests for other clients' },
  charts: { script: './report/charts.mjs', title: 'Nothing: draws the charts from RESULTS.md again' },
  claims: { script: './claims.mjs', title: 'Claims of Digest nonces in Redis' },
  micro: { script: './micro/run.mjs', title: 'Single parts, each on its own' },
};
