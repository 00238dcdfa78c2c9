// From the start of the process to the first response of the sample.
import { get } from '../measure/requests.mjs';
import { measureStarts } from '../measure/starts.mjs';
import { table } from '../report/table.mjs';
import { startRow, startVerdict } from './start-rows.mjs';

/** The number of services of both versions of the Atlas. */
const SMALL = { BENCH_SERVICES: '6' };

/** Milliseconds. */
const MAX_START = 300;

/** The sample. */
export const atlasStart = {
  name: 'the Atlas, everything on',
  ours: true,
  start: (servers) => servers.sample(),
  request: get('/v1/atlas/countries/DE'),
};

const fastify = {
  name: 'Fastify with swagger, 6 services × 5 operations',
  start: (servers) => servers.peer('peers/fastify/documented.mjs', SMALL),
  request: get('/service-3/1'),
};

export default {
  name: 'start',
  title: 'Start to first answer',
  /** @param {import('../measure/options.mjs').Options} options */
  async measure(options) {
    const [atlas, peer] = await measureStarts([atlasStart, fastify], options.short ? 1 : 9, options);
    return {
      text: table([atlas, peer].map(startRow)),
      verdicts: [startVerdict(atlas, peer, { milliseconds: MAX_START })],
      failed: 0,
    };
  },
};
