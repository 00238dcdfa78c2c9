// From the start of the process to the first response: the sample, and an application with a thousand services.
import { measureStarts } from '../measure/starts.mjs';
import { get } from '../measure/requests.mjs';
import { table } from '../report/table.mjs';

const COUNTRY = get('/v1/atlas/countries/DE');
const ENTITY = get('/service-7/1');

/** The number of services of both versions of the Atlas. */
const SMALL = { BENCH_SERVICES: '6' };

const ATLAS = [
  { name: 'the Atlas, everything on', ours: true, start: (servers) => servers.sample(), request: COUNTRY },
  {
    name: 'Fastify with swagger, 6 services × 5 operations',
    start: (servers) => servers.peer('peers/fastify/documented.mjs', SMALL),
    request: get('/service-3/1'),
  },
];

const thousand = (count) => {
  const environment = { BENCH_SERVICES: String(count) };
  const named = (name) => `${name}, ${count.toLocaleString('en')} services × 5 operations`;
  return [
    {
      name: named('everything on'),
      ours: true,
      start: (servers) => servers.platform('everything', 'documented', { environment }),
      request: ENTITY,
    },
    {
      name: named('hosting alone'),
      ours: true,
      start: (servers) => servers.platform('hosting', 'documented', { environment }),
      request: ENTITY,
    },
    {
      name: named('Fastify with swagger'),
      start: (servers) => servers.peer('peers/fastify/documented.mjs', environment),
      request: ENTITY,
    },
  ];
};

const figures = ({ milliseconds, mebibytes }) =>
  `${Math.round(milliseconds)} ms, ${Math.round(mebibytes)} MB`;

const verdict = (own, peer, most) => ({
  workload: `Start, ${own.name}`,
  target: `≤ ${most.milliseconds} ms${most.mebibytes === undefined ? '' : `, ≤ ${most.mebibytes} MB`}`,
  ours: figures(own),
  'best peer': `${figures(peer)} (${peer.name})`,
  met: own.milliseconds <= most.milliseconds && own.mebibytes <= (most.mebibytes ?? Infinity) ? 'yes' : 'no',
});

export default {
  name: 'start',
  title: 'Start to first answer',
  /** @param {import('../measure/options.mjs').Options} options */
  async measure(options) {
    const { short } = options;
    const atlas = await measureStarts(ATLAS, short ? 1 : 9, options);
    const many = await measureStarts(thousand(short ? 50 : 1000), short ? 1 : 3, options);
    const rows = [...atlas, ...many].map(({ name, milliseconds, mebibytes }) => ({
      server: name,
      'ms to the first answer': Math.round(milliseconds),
      'peak MB': Math.round(mebibytes),
    }));
    const [everything, , fastify] = many;
    return {
      text: table(rows),
      verdicts: [
        verdict(atlas[0], atlas[1], { milliseconds: 300 }),
        verdict(everything, fastify, { milliseconds: 1000, mebibytes: 150 }),
      ],
      failed: 0,
    };
  },
};
