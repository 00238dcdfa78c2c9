import { setTimeout as delay } from 'node:timers/promises';
import { ContainerModule, type HookContext, type Module } from '../../../../../src/platform';
import { bodyOf, sendJson } from '../../../../factories/http/requests';
import { onEachDatabase, type TablePlatform } from '../../../../factories/database/table-databases';

interface Desk {
  names: { name: string };
}

type Values = Readonly<Record<string, unknown>>;

/** Executes a statement that fails for a known name, and catches that. */
const insertName = async (name: unknown, { db }: HookContext<Desk>): Promise<void> => {
  try {
    await db
      .insertInto('names')
      .values({ name: String(name) })
      .execute();
  } catch {
    // The author believes that nothing has happened.
  }
};

/** What a hook sets, by the name that a client sends. */
const SET: Readonly<Record<string, Values>> = {
  text: { amount: 'many' },
  fraction: { amount: 1.5 },
  object: { name: { first: 'Ada' } },
  number: { name: 7 },
  day: { day: '2026-02-30' },
  flag: { done: 'yes' },
  digits: { amount: '7', day: '2026-02-28', done: true },
  instant: { made: new Date(Date.UTC(2026, 0, 31, 10, 30)) },
};

const hooks: Module = {
  name: 'hooks',
  services: new ContainerModule(({ bind }) => {
    bind('Hooks').toConstantValue({
      async beforeCreate(values: Values, context: HookContext<Desk>) {
        const { name } = values;
        if (name === 'caught') await insertName('taken', context);
        const set = SET[String(name)];
        return set === undefined ? undefined : { ...values, ...set };
      },
      async afterCreate({ name }: Values, context: HookContext<Desk>) {
        if (name === 'last') await insertName('taken', context);
        if (name === 'again') {
          await insertName('taken', context);
          await context.db.insertInto('names').values({ name: 'free' }).execute();
        }
        if (name === 'uncaught') await context.db.insertInto('names').values({ name: 'taken' }).execute();
        if (name === 'slow') await delay(20_000, undefined, { signal: context.signal });
      },
    });
  }),
};

onEachDatabase(({ it, start }) => {
  let platform: TablePlatform;
  beforeAll(async () => {
    platform = await start({
      script: `CREATE TABLE names (name VARCHAR(20) PRIMARY KEY);
        INSERT INTO names VALUES ('taken');
        CREATE TABLE notes (
          name VARCHAR(20) PRIMARY KEY, amount INTEGER, day DATE, done BOOLEAN, made TIMESTAMP
        );`,
      services: {
        Note: {
          table_name: 'notes',
          route: '/notes[/:id]',
          entity_identifier_name: 'name',
          columns: { name: {}, amount: {}, day: {}, done: {}, made: {} },
          hooks: 'Hooks',
          collection: { GET: {}, POST: {} },
          entity: { GET: {} },
        },
      },
      extra: [hooks],
      options: { statement_timeout: 1 },
    });
  }, 60_000);

  const post = (name: string): Promise<Response> => platform.request('/notes', sendJson({ name }));
  const batch = (...names: readonly string[]): Promise<Response> =>
    platform.request(
      '/platform/batch',
      sendJson({ operations: names.map((name) => ({ method: 'POST', path: '/notes', body: { name } })) }),
    );
  const stored = async (): Promise<readonly unknown[]> =>
    ((await bodyOf(await platform.request('/notes'))).items as Values[]).map(({ name }) => name);
  /** The logged errors with their causes. */
  const logged = (): string =>
    platform.log.lines
      .flatMap(({ level, details }) => (level === 'error' && 'err' in details ? [details.err as Error] : []))
      .map(({ message, cause }) => `${message} ${cause instanceof Error ? cause.message : ''}`)
      .join('\n');

  it.each([
    ['caught', 'beforeCreate'],
    ['last', 'afterCreate'],
    ['again', 'afterCreate'],
  ])('does not blame the client for a failure that a hook has caught (%s)', async (name, hook) => {
    platform.log.lines.length = 0;
    expect((await post(name)).status).toBe(500);
    expect(logged()).toContain(`The hook ${hook} of Note caught the failure of a statement`);
    expect((await batch('first', name)).status).toBe(500);
    expect(await stored()).toEqual([]);
  });

  it('still says that a name is taken if a hook does not catch that', async () => {
    expect((await post('uncaught')).status).toBe(409);
  });

  it('names the hook that exceeds its time limit', async () => {
    platform.log.lines.length = 0;
    const response = await post('slow');
    const { detail } = await bodyOf(response);
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2']);
    expect(detail).toBe('The hook afterCreate of Note exceeded its timeout of 1 second. Try again later.');
    expect(logged()).toMatch(
      /The hook afterCreate of Note .*statement_timeout.*"after", .*\(in a batch, before that\)/,
    );
    expect((await bodyOf(await batch('slow'))).detail).toBe(
      'Operation 0 failed, and nothing was changed: The hook afterCreate of Note exceeded its timeout of 1 second. Try again later.',
    );
    expect(await stored()).toEqual([]);
  }, 60_000);

  it.each([
    ['text', 'amount', 'a string'],
    ['fraction', 'amount', 'a number'],
    ['object', 'name', 'an object'],
    ['number', 'name', 'a number'],
    ['day', 'day', 'a string'],
    ['flag', 'done', 'a string'],
  ])('does not store a value of a hook that its column cannot have (%s)', async (name, column, type) => {
    platform.log.lines.length = 0;
    expect((await post(name)).status).toBe(500);
    expect(logged()).toContain(`The hook beforeCreate of Note returned ${type} for the column ${column}`);
    expect(await stored()).toEqual([]);
  });

  it('stores values that its columns can have, also digits and dates of JavaScript', async () => {
    expect(await bodyOf(await post('digits'))).toMatchObject({ amount: 7, day: '2026-02-28', done: true });
    expect(await bodyOf(await post('instant'))).toMatchObject({ made: '2026-01-31T10:30:00' });
  });
});
