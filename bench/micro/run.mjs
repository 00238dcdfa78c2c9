// `npm run bench:micro`: the cost of single parts, measured with mitata. For finding hot spots; whole requests are
// measured separately.
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

/** Warms each case up long enough for V8 to optimize it. */
const OPTIONS = { warmup_samples: 2000, min_cpu_time: 5e8 };

const nanoseconds = (value) => value.toFixed(value < 100 ? 1 : 0);

/**
 * @param {readonly string[]} names parts to measure; defaults to all
 * @throws Error for an unknown name
 */
export default async function measureParts(names) {
  const unknown = names.find((name) => !Object.hasOwn(PARTS, name));
  if (unknown !== undefined)
    throw new Error(`Part "${unknown}" does not exist. Available: ${Object.keys(PARTS).join(', ')}.`);
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
