// Rows and targets of measurements of starts.

/** The row of a server. */
export const startRow = ({ name, milliseconds, mebibytes }) => ({
  server: name,
  'ms to the first answer': Math.round(milliseconds),
  'peak MB': Math.round(mebibytes),
});

const figures = ({ milliseconds, mebibytes }) =>
  `${Math.round(milliseconds)} ms, ${Math.round(mebibytes)} MB`;

/**
 * @param {{ name: string, milliseconds: number, mebibytes: number }} own
 * @param {object | undefined} peer
 * @param {{ milliseconds: number, mebibytes?: number }} most the target
 */
export const startVerdict = (own, peer, most) => ({
  workload: `Start, ${own.name}`,
  target: `≤ ${most.milliseconds} ms${most.mebibytes === undefined ? '' : `, ≤ ${most.mebibytes} MB`}`,
  ours: figures(own),
  'best peer': peer === undefined ? '' : `${figures(peer)} (${peer.name})`,
  met: own.milliseconds <= most.milliseconds && own.mebibytes <= (most.mebibytes ?? Infinity) ? 'yes' : 'no',
});
