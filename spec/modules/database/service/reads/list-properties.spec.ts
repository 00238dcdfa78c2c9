import fc from 'fast-check';
import type { Dialect } from '../../../../../src/modules/database/adapters/database-adapter';
import { bodyOf } from '../../../../factories/http/requests';
import { onEachDatabase, type TablePlatform } from '../../../../factories/database/table-databases';

interface Row {
  readonly id: number;
  readonly name: string | null;
  readonly big: string | null;
  readonly amount: string | null;
  readonly ratio: number;
  readonly day: string | null;
  readonly flag: boolean | null;
  readonly at: string;
}

type Member = keyof Row;

/** Texts that statements and patterns could misread, that differ by case or composition, or that look like numbers. */
const NAMES = [
  '',
  'a',
  'A',
  'ä',
  'a\u0308',
  'ab',
  'a_b',
  'a%b',
  'a\\b',
  '\\',
  "it's",
  '"q"',
  '*',
  '[x]',
  '?',
  '𝔸',
  '日本',
  '\uffff',
  '1',
  '01',
  '1e1',
  'null',
  ' a',
  'a ',
  'a,b',
  '$1',
  ';--',
  null,
];
const BIGS = [
  '0',
  '-1',
  '9007199254740993',
  '9007199254740992',
  '9223372036854775807',
  '-9223372036854775808',
  null,
];
const AMOUNTS = ['0', '10.5', '9.25', '-3', '100', null];
const RATIOS = [0, -1.5, 0.1, 1e300, 1e-20, 3];
const DAYS = ['2020-02-29', '1999-12-31', '0001-01-01', '9999-12-31', '2020-10-01', null];
const FLAGS = [true, false, null];
const TIMES = [
  '2020-01-01T00:00:00',
  '2020-01-01T00:00:00.5',
  '2020-01-01T00:00:00.123456',
  '1969-12-31T23:59:59',
];

const rows: readonly Row[] = Array.from({ length: 84 }, (_, at) => ({
  id: at + 1,
  name: NAMES[(at * 5) % NAMES.length] ?? null,
  big: BIGS[(at * 3) % BIGS.length] ?? null,
  amount: AMOUNTS[(at * 5) % AMOUNTS.length] ?? null,
  ratio: RATIOS[(at * 7) % RATIOS.length] ?? 0,
  day: DAYS[(at * 11) % DAYS.length] ?? null,
  flag: FLAGS[at % FLAGS.length] ?? null,
  at: TIMES[(at * 3) % TIMES.length] ?? '',
}));

const literal = (value: string | number | boolean | null): string =>
  value === null ? 'NULL' : typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);

/** A row as the platform stores it: times are texts with a space in SQLite. */
const stored = (row: Row, dialect: Dialect): Row =>
  dialect === 'sqlite' ? { ...row, at: row.at.replace('T', ' ') } : row;

const script = (dialect: Dialect): string => `
  CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT, big BIGINT, amount ${dialect === 'sqlite' ? 'DECIMAL' : 'NUMERIC'},
    ratio DOUBLE PRECISION NOT NULL, day DATE, flag BOOLEAN, at TIMESTAMP NOT NULL);
  INSERT INTO things VALUES ${rows.map((row) => `(${Object.values(stored(row, dialect)).map(literal).join(', ')})`).join(', ')};`;

const comparisons = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in', 'is'];
const services = {
  Thing: {
    table_name: 'things',
    route: '/things[/:id]',
    columns: { id: {}, name: {}, big: {}, amount: {}, ratio: {}, day: {}, flag: {}, at: {} },
    filters: {
      id: comparisons,
      name: [...comparisons, 'starts', 'contains'],
      big: comparisons,
      amount: comparisons,
      ratio: comparisons,
      day: comparisons,
      flag: ['eq', 'ne', 'is'],
      at: comparisons,
    },
    page_size: 10,
    collection: { GET: { sort: ['id', 'name', 'big', 'amount', 'ratio', 'day', 'flag', 'at'] } },
  },
};

/** Compares two values as the type of their column does: texts by code point, and numbers in texts as numbers. */
function compare(member: Member, left: string | number | boolean, right: string | number | boolean): number {
  if (member === 'name') return Buffer.compare(Buffer.from(String(left)), Buffer.from(String(right)));
  if (member === 'big') return Number(BigInt(left) > BigInt(right)) - Number(BigInt(left) < BigInt(right));
  if (member === 'day' || member === 'at') return Number(left > right) - Number(left < right);
  return Math.sign(Number(left) - Number(right));
}

/** A filter as a query parameter, and the same condition in JavaScript. */
interface Filter {
  readonly parameter: string;
  readonly value: string;
  readonly matches: (row: Row) => boolean;
}

const MEETS: Readonly<Record<string, (order: number) => boolean>> = {
  eq: (order) => order === 0,
  lt: (order) => order < 0,
  lte: (order) => order <= 0,
  gt: (order) => order > 0,
  gte: (order) => order >= 0,
};

function filterOf(member: Member, operator: string, values: readonly (string | number | boolean)[]): Filter {
  const [value = ''] = values;
  const parameter = `${member}.${operator}`;
  const test = (matches: (found: string | number | boolean) => boolean) => (row: Row) =>
    row[member] !== null && matches(row[member]);
  switch (operator) {
    case 'is':
      return { parameter, value: 'null', matches: (row) => row[member] === null };
    case 'in':
      return {
        parameter,
        value: values.join(','),
        matches: test((found) => values.some((one) => compare(member, found, one) === 0)),
      };
    case 'ne':
      return {
        parameter,
        value: String(value),
        matches: (row) => row[member] === null || compare(member, row[member], value) !== 0,
      };
    case 'starts':
      return {
        parameter,
        value: String(value),
        matches: test((found) => String(found).startsWith(String(value))),
      };
    case 'contains':
      return {
        parameter,
        value: String(value),
        matches: test((found) => String(found).includes(String(value))),
      };
    default:
      return {
        parameter,
        value: String(value),
        matches: test((found) => MEETS[operator]?.(compare(member, found, value)) === true),
      };
  }
}

const VALUES: Readonly<Record<Member, readonly (string | number | boolean | null)[]>> = {
  id: [1, 40, 84, 85],
  name: [...NAMES, 'b', 'a%', '_'],
  big: [...BIGS, '5'],
  amount: [...AMOUNTS, '10.50', '007'],
  ratio: [...RATIOS, 2.5],
  day: [...DAYS, '2021-01-01'],
  flag: FLAGS,
  at: [...TIMES, '2020-06-01T12:00:00'],
};
const members = Object.keys(VALUES) as Member[];

const filter: fc.Arbitrary<Filter> = fc.constantFrom(...members).chain((member) => {
  const values = VALUES[member].filter((value) => value !== null);
  const operators = (services.Thing.filters[member] as readonly string[]).filter(
    // A list has no empty value and none with a comma.
    (operator) => operator !== 'in' || member !== 'name',
  );
  return fc
    .tuple(
      fc.constantFrom(...operators),
      fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 5 }),
    )
    .filter(([operator, [value]]) => value !== '' || (operator !== 'starts' && operator !== 'contains'))
    .map(([operator, chosen]) => filterOf(member, operator, chosen));
});

interface Key {
  readonly member: Member;
  readonly isDescending: boolean;
}

const order: fc.Arbitrary<readonly Key[]> = fc.uniqueArray(
  fc.record({ member: fc.constantFrom(...members), isDescending: fc.boolean() }),
  { selector: ({ member }) => member, maxLength: 3 },
);

/** Nulls last; ties in the order of the key, in the direction of the last member. */
function inOrder(list: readonly Row[], keys: readonly Key[]): readonly number[] {
  const all: readonly Key[] = [...keys, { member: 'id', isDescending: keys.at(-1)?.isDescending ?? false }];
  return [...list]
    .sort((a, b) => {
      for (const { member, isDescending } of all) {
        const [left, right] = [a[member], b[member]];
        if (left === null && right === null) continue;
        if (left === null) return 1;
        if (right === null) return -1;
        const found = compare(member, left, right);
        if (found !== 0) return isDescending ? -found : found;
      }
      return 0;
    })
    .map(({ id }) => id);
}

onEachDatabase(({ it, dialect, start }) => {
  let platform: TablePlatform;
  beforeAll(async () => {
    platform = await start({ script: script(dialect), services });
  }, 60_000);

  /** All rows of a query, through all of its pages. */
  async function walk(query: URLSearchParams): Promise<readonly Row[]> {
    const found: Row[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      if (cursor !== '') query.set('cursor', cursor);
      const body = await bodyOf(await platform.request(`/things?${query.toString()}`));
      if (!Array.isArray(body.items) || found.length > rows.length)
        throw new Error(JSON.stringify([body, found]).slice(0, 500));
      found.push(...(body.items as Row[]));
      cursor = body.next_cursor as string | null;
    }
    return found;
  }

  it('returns values as they were written', async () => {
    expect(await walk(new URLSearchParams())).toEqual(rows);
  });

  it('pages through numbers that JSON does not have', async () => {
    const values =
      dialect === 'sqlite'
        ? '9e999), (1), (-9e999), (9e999), (2), (-9e999'
        : "'NaN'), ('-Infinity'), (1), ('Infinity'), ('NaN'), (2";
    const odd = await start({
      script: `CREATE TABLE odd (id ${dialect === 'sqlite' ? 'INTEGER' : 'SERIAL'} PRIMARY KEY, ratio DOUBLE PRECISION); INSERT INTO odd (ratio) VALUES (${values})`,
      services: {
        Odd: {
          table_name: 'odd',
          route: '/odd[/:id]',
          columns: { id: {}, ratio: {} },
          page_size: 1,
          collection: { GET: { sort: ['ratio'] } },
        },
      },
    });
    for (const sort of ['ratio', '-ratio']) {
      const ids: number[] = [];
      for (let path: string | undefined = `/odd?sort=${sort}`; path !== undefined && ids.length < 9;) {
        const { items, next_cursor: next } = await bodyOf(await odd.request(path));
        ids.push(...(items as Row[]).map(({ id }) => id));
        path = typeof next === 'string' ? `/odd?sort=${sort}&cursor=${next}` : undefined;
      }
      expect([...ids].sort()).toEqual([1, 2, 3, 4, 5, 6]);
    }
  });

  it('filters, sorts and pages as JavaScript does, with each row exactly once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(filter, { selector: ({ parameter }) => parameter, maxLength: 2 }),
        order,
        async (filters, keys) => {
          const query = new URLSearchParams(filters.map(({ parameter, value }) => [parameter, value]));
          const sort = keys.map(({ member, isDescending }) => (isDescending ? `-${member}` : member)).join();
          if (sort !== '') query.set('sort', sort);
          const expected = rows.filter((row) => filters.every(({ matches }) => matches(row)));
          expect((await walk(query)).map(({ id }) => id)).toEqual(inOrder(expected, keys));
        },
      ),
      { numRuns: Number(process.env.PROPERTY_RUNS ?? 40) },
    );
  }, 600_000);
});
