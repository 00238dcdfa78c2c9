// One workload from the start of its servers to their end.
import { figuresOf, verdictsOf } from '../report/figures.mjs';
import { table } from '../report/table.mjs';
import { ask } from './ask.mjs';
import { runRounds } from './rounds.mjs';
import { Servers } from './servers.mjs';

/**
 * Sends one request to every server and checks the response; then measures.
 * @param {import('../workloads/workload.mjs').Workload} workload
 * @param {import('./options.mjs').Options} options
 * @returns {Promise<{ text: string, verdicts: object[], failed: number }>} `failed`: unexpected responses
 * @throws Error that names the server whose first response is wrong
 */
export async function measureWorkload(workload, options) {
  const servers = new Servers(options);
  try {
    const rows = await workload.open(servers, options);
    for (const row of rows) await assertAnswers(workload, row);
    const results = await runRounds(rows, options);
    const figures = figuresOf(workload, onceEach(rows), results);
    const about = `Shares are of ${workload.base}${rows.some(({ base }) => base) ? ', or of the row above' : ''}.`;
    return {
      text: [about, table(figures), await workload.report?.()].filter(Boolean).join('\n\n'),
      verdicts: verdictsOf(workload, rows, results),
      failed: figures.reduce((sum, { unexpected }) => sum + unexpected, 0),
    };
  } finally {
    await servers.stop();
  }
}

/** Rows with the same name are combined, across several servers. */
function onceEach(rows) {
  return rows.filter(({ name }, at) => rows.findIndex((row) => row.name === name) === at);
}

async function assertAnswers(workload, { name, service, next, check }) {
  const answer = await ask(service.port, next());
  try {
    check?.(answer);
  } catch (error) {
    const began = answer.body.toString().slice(0, 400);
    throw new Error(
      `${workload.name}: ${name} sent an unexpected response: ${error.message}\n${answer.status} ${began}`,
      { cause: error },
    );
  }
}
