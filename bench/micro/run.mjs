// `npm run bench:micro`: what single parts cost, by mitata. For finding out where time goes; requests are measured whole.
import { do_not_optimize, measure } from 'mitata';
import { table } from '../report/table.mjs';
import credentials from './parts/credentials.mjs';
import events from './parts/events.mjs';
import negotiation from './parts/negotiation.mjs';
import nonce from './parts/nonce.mjs';
import routing from './parts/routing.mjs';
import view from './parts/view.mjs';

const PARTS = {
  events,
  negotiation,
  credentials,
  nonce,
  routing,
  view,
};

/** Warms each case up for long enough that V8 has made of it what it will. */
const OPTIONS = { warmup_samples: 2000, min_cpu_time: 5e8 };

const nanoseconds = (value) => value.toFixed(value < 100 ? 1 : 0);

/**
 * @param {readonly string[]} names parts to measure; all unless told
 * @throws Error for a name that is no part
 */
export default async function measureParts(names) {
  const unknown = names.find((name) => !Object.hasOwn(PARTS, name));
  if (unknown !== undefined)
    throw new Error(`There is no part called "${unknown}". There is: ${Object.keys(PARTS).join(', ')}.`);
  for (const [part, cases] of Object.entries(PARTS)) {
    if (names.length > 0 && !names.includes(part)) continue;
    const rows = [];
    for (const [name, work] of Object.entries(cases)) {
      const isAsync = work.constructor.name === 'AsyncFunction';
      const { min, p50, p99 } = await measure(
        isAsync ? async () => do_not_optimize(await work()) : () => do_not_optimize(work()),
        OPTIONS,
      );
      rows.push({
        [part]: name.trim(),
        'ns at least': nanoseconds(min),
        median: nanoseconds(p50),
        p99: nanoseconds(p99),
      });
    }
    console.log(`${table(rows)}\n`);
  }
}
