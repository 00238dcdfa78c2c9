// Applications with 1,000 and 10,000 services of five operations: start, memory, and the first documentation, with the
// longest that it keeps other requests waiting.
import { exhaust } from '../measure/exhaust.mjs';
import { longestWait } from '../measure/longest-wait.mjs';
import { get } from '../measure/requests.mjs';
import { measureStarts } from '../measure/starts.mjs';
import { table } from '../report/table.mjs';
import { startRow, startVerdict } from './start-rows.mjs';

const ENTITY = get('/service-7/1');

/** Targets by number of services: milliseconds and mebibytes of the start, milliseconds of the first documentation. */
const TARGETS = {
  1_000: { milliseconds: 1_000, mebibytes: 150, documentation: 300 },
  10_000: { milliseconds: 6_000, mebibytes: 500, documentation: 3_000 },
};

/** Milliseconds that the first documentation may keep others waiting. */
const MAX_WAIT = 10;

/** Requests the documentation for the first time, while another client requests an entity again and again. */
const documented = (path) => async (service) => {
  let documentation = 0;
  const wait = await longestWait(service.port, ENTITY, async () => {
    const start = performance.now();
    const status = await exhaust(service.port, get(path));
    documentation = performance.now() - start;
    if (status !== 200) throw new Error(`The documentation responded ${status}.`);
  });
  return { documentation, wait, afterwards: service.memory().most };
};

const fastify = (name, environment) => ({
  name,
  start: (servers) => servers.peer('peers/fastify/documented.mjs', environment),
  request: ENTITY,
  after: documented('/documentation/json'),
});

function casesOf(count) {
  const environment = { BENCH_SERVICES: String(count) };
  const named = (name) => `${name}, ${count.toLocaleString('en')} services × 5 operations`;
  const ours = (kind) => (servers) => servers.platform(kind, 'documented', { environment });
  return [
    {
      name: named('everything on'),
      ours: true,
      start: ours('everything'),
      request: ENTITY,
      after: documented('/platform/documentation/Documented'),
    },
    { name: named('hosting alone'), ours: true, start: ours('hosting'), request: ENTITY },
    // With 10,000 services, its start takes minutes.
    ...(count > 1_000 ? [] : [fastify(named('Fastify with swagger'), environment)]),
  ];
}

const rounded = (value) => (value === undefined ? '' : Math.round(value));

function documentationVerdict(own, peer, most) {
  const figures = ({ documentation, wait }) =>
    `${Math.round(documentation)} ms, others wait ${wait.toFixed(1)} ms`;
  return {
    workload: `First documentation, ${own.name}`,
    target: `≤ ${most} ms, others wait ≤ ${MAX_WAIT} ms`,
    ours: figures(own),
    'best peer': peer === undefined ? '' : `${figures(peer)} (${peer.name})`,
    met: own.documentation <= most && own.wait <= MAX_WAIT ? 'yes' : 'no',
  };
}

export default {
  name: 'many-services',
  title: 'Many services: start and first documentation',
  /** @param {import('../measure/options.mjs').Options} options */
  async measure(options) {
    const rows = [];
    const verdicts = [];
    // A functional check has fewer services, once.
    const targets = options.short ? { 20: TARGETS[1_000] } : TARGETS;
    for (const [count, most] of Object.entries(targets)) {
      // A start with 10,000 services takes longer than the differences between several.
      const times = options.short || Number(count) > 1_000 ? 1 : 3;
      const found = await measureStarts(casesOf(Number(count)), times, options);
      const [everything, , fastify] = found;
      rows.push(...found);
      verdicts.push(
        startVerdict(everything, fastify, most),
        documentationVerdict(everything, fastify, most.documentation),
      );
    }
    return {
      text: table(
        rows.map((row) => ({
          ...startRow(row),
          'first documentation, ms': rounded(row.documentation),
          'others wait, ms': row.wait?.toFixed(1) ?? '',
          'peak MB after it': rounded(row.afterwards),
        })),
      ),
      verdicts,
      failed: 0,
    };
  },
};
