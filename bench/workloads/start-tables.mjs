// From the start of the process to the first response: table services against ordinary ones.
import { get } from '../measure/requests.mjs';
import { measureStarts } from '../measure/starts.mjs';
import { table } from '../report/table.mjs';
import { entityFields } from '../sample/documented.mjs';
import { sqliteWith } from '../sample/products.mjs';

const MAX_RATIO = 2;

const TYPES = { string: 'TEXT', integer: 'INTEGER', number: 'REAL', boolean: 'BOOLEAN' };

/** A table with the fields of the ordinary services, and one row. */
function statementsOf(at) {
  const { properties, required } = entityFields(at);
  const columns = Object.entries(properties).map(
    ([name, { type }]) => `${name} ${TYPES[type]}${required.includes(name) ? ' NOT NULL' : ''}`,
  );
  return [
    `CREATE TABLE entities_${at} (${columns.join(', ')}, PRIMARY KEY (entity_id))`,
    `INSERT INTO entities_${at} (entity_id, field_1, field_2, field_3) VALUES ('1', 'text', 2, 3.5)`,
  ];
}

const cases = (count, adapter) => {
  const services = { BENCH_SERVICES: String(count) };
  const request = get('/service-7/1');
  return [
    {
      name: `${count} services × 5 operations`,
      start: (servers) => servers.platform('hosting', 'documented', { environment: services }),
      request,
    },
    {
      name: `${count} table services × 5 operations, SQLite`,
      ours: true,
      start: (servers) =>
        servers.platform('hosting', 'tables', {
          besides: ['database'],
          environment: { ...services, BENCH_DATABASE: JSON.stringify(adapter) },
        }),
      request,
    },
  ];
};

export default {
  name: 'start-tables',
  title: 'Start with table services',
  /** @param {import('../measure/options.mjs').Options} options */
  async measure(options) {
    const count = options.short ? 20 : 500;
    const statements = Array.from({ length: count }, (_, at) => statementsOf(at)).flat();
    const { adapter, stop } = await sqliteWith(statements);
    try {
      const seen = await measureStarts(cases(count, adapter), options.short ? 1 : 5, options);
      const [ordinary, tables] = seen;
      const ratio = tables.milliseconds / ordinary.milliseconds;
      const rows = seen.map(({ name, milliseconds, mebibytes }) => ({
        server: name,
        'ms to the first answer': Math.round(milliseconds),
        'peak MB': Math.round(mebibytes),
      }));
      const verdict = {
        workload: `Start, ${tables.name}`,
        target: `≤ ${MAX_RATIO} of ${ordinary.name}`,
        ours: ratio.toFixed(2),
        'best peer': '',
        met: ratio <= MAX_RATIO ? 'yes' : 'no',
      };
      return { text: table(rows), verdicts: [verdict], failed: 0 };
    } finally {
      await stop();
    }
  },
};
