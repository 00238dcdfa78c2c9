import fc from 'fast-check';
import { rowStatement } from '../../../../../src/modules/database/adapters/sqlite/row-statement';
import { openDatabase } from '../../../../../src/modules/database/adapters/sqlite/sqlite-driver';

const database = openDatabase(':memory:');
afterAll(() => database.close());

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const name = fc.oneof(
  fc.constantFrom('a', 'b', '__proto__', 'constructor', 'toString', '0', 'line\nbreak', '\u2028', 'é', "'"),
  fc.string({ minLength: 1, maxLength: 5, unit: 'grapheme' }).filter((one) => !/[\0*]/.test(one)),
);

it('rows have the columns and values of those of the driver, and the usual prototype', () => {
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 6 }), (names) => {
      const select = (value: string): string =>
        `SELECT ${names.map((one, at) => `${value}${at} AS ${quoted(one)}`).join(', ')}`;
      const text = `${select('1')} UNION ALL ${select('2')} UNION ALL SELECT ${names.map(() => '?').join(', ')}`;
      const parameters = names.map((_, at) => (at % 2 === 0 ? `text ${at}` : null));
      const [own, theirs] = [rowStatement(database.prepare(text), text), database.prepare(text)];
      const expected = theirs.all(...parameters).map((row) => Object.entries(row as object));
      const entries = (rows: readonly unknown[]): unknown =>
        rows.map((row) => {
          // Of the main context, where tests have one of their own.
          expect(Object.getPrototypeOf(row)).toHaveProperty('hasOwnProperty');
          return Object.entries(row as object);
        });
      expect(entries(own.all(...parameters))).toEqual(expected);
      expect(entries([...own.iterate(...parameters)])).toEqual(expected);
      expect(entries([own.get(...parameters)])).toEqual([expected[0]]);
    }),
  );
});

it('an iteration that is left can begin again', () => {
  const text = 'SELECT 1 AS a UNION ALL SELECT 2';
  const statement = rowStatement(database.prepare(text), text);
  for (const row of statement.iterate()) {
    expect(row).toEqual({ a: 1 });
    break;
  }
  expect([...statement.iterate()]).toEqual([{ a: 1 }, { a: 2 }]);
});

it('no row is undefined, and a statement without a result has none', () => {
  const none = 'SELECT 1 AS a WHERE FALSE';
  expect(rowStatement(database.prepare(none), none).get()).toBeUndefined();
  const create = 'CREATE TABLE t (a INTEGER)';
  expect(rowStatement(database.prepare(create), create).all()).toEqual([]);
});

it('a statement with "*" has the columns that the table has when it is executed', () => {
  database.exec('CREATE TABLE changing (a INTEGER); INSERT INTO changing VALUES (1)');
  const text = 'SELECT * FROM changing';
  const statement = rowStatement(database.prepare(text), text);
  expect(statement.all()).toEqual([{ a: 1 }]);
  database.exec('ALTER TABLE changing RENAME COLUMN a TO b');
  expect(statement.all().map((row) => Object.keys(row as object))).toEqual([['b']]);
});

it('integers beyond 2^53 can be bigints', () => {
  const text = 'SELECT 9007199254740993 AS a';
  const statement = rowStatement(database.prepare(text), text);
  statement.setReadBigInts(true);
  expect(statement.get()).toEqual({ a: 9007199254740993n });
});
