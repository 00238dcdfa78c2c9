import type { SqlStatement } from '../../../../../src/modules/database/adapters/database-adapter';
import { StatementNames } from '../../../../../src/modules/database/adapters/postgres/statement-names';
import { PostgresServer } from '../../../../factories/postgres';
import { withPrograms } from '../../../../factories/programs';

const reading = (text: string): SqlStatement => ({ text, kind: 'read' });

describe('names of prepared statements', () => {
  it('are given to statements that are executed again, one for each text', () => {
    const names = new StatementNames();
    const [one, same] = [reading('SELECT 1'), reading('SELECT 1')];
    expect(names.nameOf(one)).toBeUndefined();
    const name = names.nameOf(one);
    expect(name).toMatch(/^[\w-]{27}$/);
    expect(names.nameOf(one)).toBe(name);
    expect([names.nameOf(same), names.nameOf(same)]).toEqual([undefined, name]);
  });

  it('are others after they are renewed', () => {
    const names = new StatementNames();
    const one = reading('SELECT 1');
    const before = [names.nameOf(one), names.nameOf(one)];
    names.renew();
    const after = [names.nameOf(one), names.nameOf(one)];
    expect(after).toEqual([undefined, expect.stringMatching(/^[\w-]{27}$/)]);
    expect(after).not.toEqual(before);
  });

  it('are limited, since servers keep what is prepared', () => {
    const names = new StatementNames(2);
    const all = [reading('SELECT 1'), reading('SELECT 2'), reading('SELECT 3')];
    for (const statement of all) names.nameOf(statement);
    expect(all.map((statement) => names.nameOf(statement) === undefined)).toEqual([false, false, true]);
    expect(all.map((statement) => names.nameOf(statement) === undefined)).toEqual([false, false, true]);
  });

  it('are limited by the length of the statements as well', () => {
    const names = new StatementNames();
    const all = Array.from({ length: 60 }, (_, at): SqlStatement => {
      return { text: `INSERT ${at} ${'?, '.repeat(7_000)}`, kind: 'write' };
    });
    for (const statement of all) names.nameOf(statement);
    expect(all.filter((statement) => names.nameOf(statement) !== undefined)).toHaveLength(47);
    names.renew();
    for (const statement of all) names.nameOf(statement);
    expect(all.filter((statement) => names.nameOf(statement) !== undefined)).toHaveLength(47);
  });

  it('are not given to queries with thousands of values', () => {
    const names = new StatementNames();
    const long = reading(`SELECT 1 WHERE 1 IN (${'$1, '.repeat(3_000)})`);
    expect([names.nameOf(long), names.nameOf(long), names.nameOf(long)]).toEqual(Array(3).fill(undefined));
  });
});

const { describe: describeServer, it: itServer } = withPrograms('postgres');
describeServer('a connection to PostgreSQL', () => {
  itServer(
    'prepares what is executed again, and not what is executed once',
    async () => {
      const server = await PostgresServer.start();
      try {
        const adapter = server.adapter({ pool: 1 });
        const again = reading('SELECT 1 AS one');
        for (let count = 0; count < 3; count++) await adapter.execute(again, []);
        for (let count = 0; count < 20; count++) await adapter.execute(reading(`SELECT ${count} AS n`), []);
        const list = reading('SELECT statement FROM pg_prepared_statements');
        expect((await adapter.execute(list, [])).map(({ statement }) => statement)).toEqual([
          'SELECT 1 AS one',
        ]);
      } finally {
        await server.close();
      }
    },
    60_000,
  );
});
