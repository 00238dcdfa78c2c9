/**
 * A workload.
 *
 * @typedef {import('../measure/rounds.mjs').Row & {
 *   ours?: boolean,
 *   complete?: boolean,
 *   base?: string,
 *   rival?: string,
 *   check?: Check,
 *   samples?: readonly { next: () => string, check: Check }[],
 * }} WorkloadRow `complete`: with a log and the headers for browsers; `base` if it differs from the workload's, `rival`
 *   the only peer that its latency is compared with; `samples`: a request of each further kind, with its check
 *
 * @typedef {(answer: { status: number, fields: string[], body: Buffer }) => void} Check throws for an unexpected response
 *
 * @typedef {object} Target
 * @property {string} row the row of ours that has to meet it
 * @property {string} of the row that it is a share of
 * @property {number} [atLeast]
 * @property {boolean} [ahead] whether it has to be ahead of every peer
 *
 * @typedef {object} Workload
 * @property {string} name as in `npm run bench -- NAME`
 * @property {string} title
 * @property {string} base the row that the others are a share of
 * @property {string} [about] a sentence that states what the shares are of; defaults to the base
 * @property {readonly Target[]} targets
 * @property {number} [warmup] seconds at least, where V8 has more to compile than in one kind of requests
 * @property {(servers: import('../measure/servers.mjs').Servers, options: import('../measure/options.mjs').Options) => Promise<WorkloadRow[]>} open
 *   starts the servers; rows with the same name are combined, across several servers
 * @property {() => Promise<string>} [report] a paragraph below the table, after the rounds
 */

export {};
