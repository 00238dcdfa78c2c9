/**
 * What a workload is.
 *
 * @typedef {import('../measure/rounds.mjs').Row & {
 *   ours?: boolean,
 *   complete?: boolean,
 *   base?: string,
 *   rival?: string,
 *   check?: (answer: { status: number, fields: string[], body: Buffer }) => void,
 * }} WorkloadRow `complete`: with a log and the fields for browsers; `base` where it is another than the workload's, `rival` the only
 *   peer that its latency is compared with; `check` throws where the answer is not the expected one
 *
 * @typedef {object} Target
 * @property {string} row the row of ours that is held to it
 * @property {string} of the row that it is a share of
 * @property {number} atLeast
 *
 * @typedef {object} Workload
 * @property {string} name as `npm run bench -- NAME` has it
 * @property {string} title
 * @property {string} base the row that the others are a share of
 * @property {readonly Target[]} targets
 * @property {(servers: import('../measure/servers.mjs').Servers, options: import('../measure/options.mjs').Options) => Promise<WorkloadRow[]>} open starts the servers; rows of
 *   one name are one, over several servers
 */

export {};
