// One workload from the start of its servers to their end.
import { figuresOf } from '../report/figures.mjs';
import { table } from '../report/table.mjs';
import { verdictsOf } from '../report/verdicts.mjs';
import { ask } from './ask.mjs';
import { runRounds } from './rounds.mjs';
import { Servers } from './servers.mjs';

/**
 * Sends a request of each kind to every server and checks the response; then measures.
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
    const results = await runRounds(rows, { ...options, warmup: warmupOf(workload, options) });
    const figures = figuresOf(workload, onceEach(rows), results);
    return {
      text: [
        [workload.about ?? sharesOf(workload, rows), longerWarmup(workload, options)]
          .filter(Boolean)
          .join(' '),
        table(figures),
        await workload.report?.(),
      ]
        .filter(Boolean)
        .join('\n\n'),
      verdicts: verdictsOf(workload, rows, results),
      failed: figures.reduce((sum, { unexpected }) => sum + unexpected, 0),
    };
  } finally {
    await servers.stop();
  }
}

/** Seconds; none for a functional check. */
function warmupOf({ warmup: least = 0 }, { warmup }) {
  return warmup === 0 ? 0 : Math.max(warmup, least);
}

function longerWarmup(workload, options) {
  const warmup = warmupOf(workload, options);
  return warmup > options.warmup ? `After ${warmup} s of warm-up.` : undefined;
}

const sharesOf = ({ base }, rows) =>
  `Shares are of ${base}${rows.some((row) => row.base) ? ', or of the row above' : ''}.`;

/** Rows with the same name are combined, across several servers. */
function onceEach(rows) {
  return rows.filter(({ name }, at) => rows.findIndex((row) => row.name === name) === at);
}

/** Checks the response to the first request, and to the samples of the others. */
export async function assertAnswers(workload, { name, service, next, check, samples = [] }) {
  for (const sample of [{ next, check }, ...samples]) {
    const answer = await ask(service.port, sample.next());
    try {
      sample.check?.(answer);
    } catch (error) {
      const began = answer.body.toString().slice(0, 400);
      throw new Error(
        `${workload.name}: ${name} sent an unexpected response: ${error.message}\n${answer.status} ${began}`,
        { cause: error },
      );
    }
  }
}
