import fc from 'fast-check';
import { bodyOf } from '../../../../factories/http/requests';
import { onEachDatabase, type TablePlatform } from '../../../../factories/database/table-databases';

/** Columns with the SQL of their values, in SQLite and PostgreSQL. */
const COLUMNS = {
  real: ['0.30000000000000004', '1.7976931348623157e308', '5e-324', '-0.0', '5', '1e20', '-1e-7', 'NULL'],
  exact: ['0.0000001', '100000000000000000000', '12.50', '9007199254740993', '-0.30000000000000004'],
  whole: ['9007199254740991', '-9007199254740991', '0'],
  large: ['9223372036854775807', '-9223372036854775808'],
  truth: ['TRUE', 'FALSE', 'NULL'],
  document: [
    `'{"a":[1e400,0.12345678901234567890,"x"]}'`,
    `'"text"'`,
    `'1e20'`,
    `'0.30000000000000004'`,
    `'null'`,
    `'9007199254740993'`,
    `'"12345678901234567890"'`,
    'NULL',
  ],
  text: [`'0.5'`, `'"é\\"'`, `''`],
  day: [`'2026-01-31'`],
  moment: [`'2026-01-31 10:30:00.5'`],
} as const;

const NAMES = Object.keys(COLUMNS) as readonly (keyof typeof COLUMNS)[];

const UNREADABLE: unknown = expect.stringContaining('a value that cannot be returned exactly');

/** What only one of the databases can store. */
const OWN = {
  sqlite: {
    real: ['9e999', '-9e999', `'text'`, `'NaN'`, `'Infinity'`],
    exact: ['9e999', '1.5e300', `'text'`],
    whole: ['0.30000000000000004', '1e20', `'text'`],
    large: ['1.5'],
    truth: ['0.30000000000000004'],
    document: [
      '1e20',
      '0.30000000000000004',
      '5',
      '9007199254740993',
      `jsonb('{"a":1}')`,
      `jsonb('"t"')`,
      `jsonb('["1"]')`,
    ],
    text: [],
    day: ['20260131', '2451545.123456789'],
    moment: ['2451545.123456789'],
    other: ['0.30000000000000004', `'text'`, '5'],
    native: [],
  },
  postgres: {
    real: [`'Infinity'`, `'-Infinity'`, `'NaN'`],
    exact: [`'NaN'`, '1e-30'],
    whole: [],
    large: [],
    truth: [],
    document: [],
    text: [],
    day: [`'infinity'`],
    moment: [`'infinity'`],
    other: ['NULL', `'(1.5,2)'`],
    native: ['5', '4294967295'],
  },
} as const;

const TYPES = {
  sqlite: 'REAL, NUMERIC, INTEGER, BIGINT, BOOLEAN, JSON, TEXT, DATE, TIMESTAMP, GEOMETRY, TEXT',
  postgres: 'DOUBLE PRECISION, NUMERIC, BIGINT, BIGINT, BOOLEAN, JSON, TEXT, DATE, TIMESTAMP, POINT, OID',
} as const;

onEachDatabase(({ it, dialect, start }) => {
  let platform: TablePlatform;
  let next = 0;
  const names = [...NAMES, 'other', 'native'] as const;
  const embedded = ['id', ...names, 'opposite'];
  beforeAll(async () => {
    const types = TYPES[dialect].split(', ');
    const columns = names.map((name, at) => `"${name}" ${types[at]}`);
    const opposite = '"opposite" DOUBLE PRECISION GENERATED ALWAYS AS (-"real") STORED';
    platform = await start({
      script: `CREATE TABLE owners (id INTEGER PRIMARY KEY);
        CREATE TABLE samples (id INTEGER PRIMARY KEY, owner_id INTEGER REFERENCES owners (id), ${columns.join(', ')}, ${opposite});
        CREATE TABLE shares (owner_id INTEGER REFERENCES owners (id), sample_id INTEGER REFERENCES samples (id),
          PRIMARY KEY (owner_id, sample_id));
        CREATE TABLE references_to (id INTEGER PRIMARY KEY, sample_id INTEGER REFERENCES samples (id))`,
      services: {
        Sample: {
          table_name: 'samples',
          route: '/samples[/:id]',
          collection_name: 'samples',
          columns: Object.fromEntries(embedded.map((name) => [name, {}])),
          collection: { GET: { sort: ['id'] } },
          entity: { GET: {} },
        },
        Owner: {
          table_name: 'owners',
          route: '/owners[/:id]',
          columns: { id: {} },
          embeds: {
            samples: { table_name: 'samples', foreign_key: 'owner_id', columns: embedded, limit: 100 },
            shared: { table_name: 'samples', through: 'shares', columns: embedded, limit: 100 },
          },
          collection: { GET: {} },
          entity: { GET: {} },
        },
        Reference: {
          table_name: 'references_to',
          route: '/references[/:id]',
          columns: { id: {}, sample_id: { embed: { columns: embedded } } },
          collection: { GET: {} },
          entity: { GET: {} },
        },
      },
    });
    await platform.database.runScripts(['INSERT INTO owners VALUES (1)']);
  }, 60_000);
  const get = async (path: string): Promise<Record<string, unknown>> => {
    const response = await platform.request(path);
    const body = await bodyOf(response);
    expect([path, response.status, response.status === 200 ? '' : body]).toEqual([path, 200, '']);
    return body;
  };

  const clear = (): Promise<void> =>
    platform.database.runScripts(['DELETE FROM references_to; DELETE FROM shares; DELETE FROM samples']);

  /** Stores values of a column, and expects the same of rows that are embedded in each way, and of the rows themselves. */
  async function expectEqual(column: string, values: readonly string[]): Promise<void> {
    if (values.length === 0) return;
    await clear();
    const first = next + 1;
    const statements = values.map(
      (value) => `INSERT INTO samples (id, owner_id, "${column}") VALUES (${++next}, 1, ${value});
        INSERT INTO shares VALUES (1, ${next}); INSERT INTO references_to VALUES (${next}, ${next})`,
    );
    await platform.database.runScripts([statements.join(';')]);
    const rows = [];
    for (let id = first; id <= next; id += 1) {
      const row = await get(`/samples/${id}`);
      rows.push(row);
      expect((await get(`/references/${id}?embed=sample`)).sample).toEqual(row);
    }
    const owner = await get('/owners/1?embed=samples,shared');
    expect(owner).toEqual({ id: 1, samples: rows, shared: rows });
  }

  it.each(names)('an embedded value of the column %s is that of the row itself', async (name) => {
    await expectEqual(name, name === 'other' || name === 'native' ? [] : COLUMNS[name]);
    await expectEqual(name, OWN[dialect][name]);
  });

  it('an embedded double is that of the row itself, whichever it is', async () => {
    const double = fc.double({ noNaN: true, noDefaultInfinity: true });
    const decimal = fc.tuple(fc.maxSafeInteger(), fc.integer({ min: -330, max: 290 }));
    const text = fc.oneof(
      double.map((value) => String(value)),
      decimal.map(([digits, exponent]) => String(Number(`${digits}e${exponent}`))),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(text, { minLength: 1, maxLength: 60 }),
        fc.constantFrom<'real' | 'exact'>('real', 'exact'),
        async (numbers, column) => {
          const stored = numbers.filter((number) => !number.includes('Infinity'));
          await expectEqual(column, stored);
        },
      ),
      { numRuns: 20 },
    );
  }, 120_000);

  if (dialect === 'postgres') return;

  it('an embedded integer beyond 2^53 is unreadable where that of the row itself is', async () => {
    for (const name of ['whole', 'truth', 'day', 'moment']) {
      await clear();
      await platform.database.runScripts([
        `INSERT INTO samples (id, owner_id, "${name}") VALUES (1, 1, 9007199254740993)`,
        'INSERT INTO references_to VALUES (1, 1)',
      ]);
      for (const path of ['/samples/1', '/references/1?embed=sample', '/owners/1?embed=samples'])
        expect([name, path, (await platform.request(path)).status]).toEqual([name, path, 500]);
    }
  });

  it('bytes in a column of another type are unreadable, also where they are embedded', async () => {
    // Integers of 64 bits are selected as texts.
    for (const name of NAMES.filter((one) => one !== 'large')) {
      await clear();
      await platform.database.runScripts([
        `INSERT INTO samples (id, owner_id, "${name}") VALUES (1, 1, x'00ff')`,
        'INSERT INTO references_to VALUES (1, 1)',
      ]);
      for (const path of ['/samples/1', '/references/1?embed=sample', '/owners/1?embed=samples']) {
        const response = await platform.request(path);
        const { detail } = await bodyOf(response);
        expect([name, path, response.status, detail]).toEqual([name, path, 500, UNREADABLE]);
      }
    }
  });
});
