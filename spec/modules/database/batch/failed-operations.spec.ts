import { RequestMetrics } from '../../../../src/modules/operations';
import { ContainerModule, problem, Problem, type Module } from '../../../../src/platform';
import { onEachDatabase, type TablePlatform } from '../../../factories/database/table-databases';
import { sendJson } from '../../../factories/http/requests';

/** What a hook throws, by the name that a client sends. */
const FAILURES: Readonly<Record<string, Problem>> = {
  own: new Problem(409, 'The visit is over.', {
    type: 'https://example.com/problems#forbidden',
    title: 'Visit over',
    extensions: { since: '2026-01-31', errors: [{ pointer: '/name', message: 'is over' }] },
  }),
  texts: new Problem(409, 'It is closed.', { extensions: { errors: ['The door is locked.'] } }),
  byName: new Problem(409, 'It is closed.', { extensions: { errors: { name: ['is closed'] } } }),
  fragment: new Problem(409, 'It is closed.', {
    extensions: { errors: [{ pointer: '#/name', detail: 'is closed' }] },
  }),
  paths: new Problem(409, 'It is closed.', {
    extensions: { errors: [{ pointer: '$.name' }, { pointer: '' }] },
  }),
  relative: new Problem(409, 'It is closed.', { type: 'problems#closed', extensions: { instance: '#door' } }),
  rooted: new Problem(409, 'It is closed.', {
    type: '/problems#closed',
    extensions: { instance: 'urn:door' },
  }),
  blank: new Problem(409, 'It is closed.', { type: 'about:blank', extensions: { instance: '//[' } }),
  spaced: new Problem(409, 'It is closed.', { type: ' https://example.com/a', extensions: { instance: 7 } }),
  plain: new Problem(409, 'It is sold.'),
  coded: problem('forbidden', { scopes: ['visits'] }, { extensions: { scope: 'visits' } }),
};

const hooks: Module = {
  name: 'hooks',
  services: new ContainerModule(({ bind }) => {
    bind('Hooks').toConstantValue({
      beforeCreate({ name }: { readonly name: string }) {
        const failure = FAILURES[name];
        if (failure !== undefined) throw failure;
      },
    });
  }),
};

onEachDatabase(({ it, start }) => {
  let platform: TablePlatform;
  beforeAll(async () => {
    platform = await start({
      script: 'CREATE TABLE visits (name VARCHAR(20) PRIMARY KEY);',
      services: {
        Visit: {
          table_name: 'visits',
          route: '/visits[/:id]',
          entity_identifier_name: 'name',
          columns: { name: {} },
          hooks: 'Hooks',
          collection: { POST: {} },
        },
      },
      modules: ['documentation', 'operations'],
      // The proxy removes the path.
      server: { public_url: 'https://example.com/gateway' },
      extra: [hooks],
    });
  }, 60_000);

  const visit = (name: string) => ({ method: 'POST', path: '/visits', body: { name } });
  const failureOf = async (...names: readonly string[]): Promise<unknown> =>
    (await platform.request('/platform/batch', sendJson({ operations: names.map(visit) }))).json();

  it('a batch has the type, title and members of the problem of its operation', async () => {
    expect(await failureOf('first', 'own')).toEqual({
      type: 'https://example.com/problems#forbidden',
      title: 'Visit over',
      status: 409,
      detail: 'Operation 1 failed, and nothing was changed: The visit is over.',
      since: '2026-01-31',
      operation: 1,
      errors: [{ pointer: '/operations/1/body/name', message: 'is over' }],
      request_id: expect.any(String) as string,
    });
  });

  it.each([
    ['texts', ['The door is locked.']],
    ['byName', { name: ['is closed'] }],
    ['paths', [{ pointer: '$.name' }, { pointer: '/operations/0/body' }]],
    ['fragment', [{ pointer: '#/operations/0/body/name', detail: 'is closed' }]],
  ])('a batch has the errors of the problem of its operation, in any form (%s)', async (name, errors) => {
    expect(await failureOf(name)).toMatchObject({ operation: 0, errors });
  });

  it.each([
    ['relative', '/gateway/problems#closed', '/gateway/visits#door'],
    ['rooted', '/problems#closed', 'urn:door'],
    ['blank', 'about:blank', '//['],
    ['spaced', ' https://example.com/a', 7],
  ])('the type and instance of a problem identify the same in a batch (%s)', async (name, type, instance) => {
    expect(await failureOf(name)).toMatchObject({ type, instance });
  });

  it.each(['plain', 'coded'])('a batch has the type that its operation alone has (%s)', async (name) => {
    const alone: unknown = await (await platform.request('/visits', sendJson({ name }))).json();
    const { type, title, status, ...others } = alone as Record<string, unknown>;
    const members = Object.fromEntries(Object.entries(others).filter(([member]) => member === 'scope'));
    expect(await failureOf(name)).toMatchObject({ type, title, status, operation: 0, ...members });
  });

  it('counts as a problem with the code of its operation, if that is one of the platform', async () => {
    const counted = () =>
      platform.application.sharedState.find(RequestMetrics)?.problems.get('forbidden') ?? 0;
    const before = counted();
    await failureOf('own');
    expect(counted()).toBe(before);
    await failureOf('coded');
    // That of the operation, and that of the batch.
    expect(counted()).toBe(before + 2);
  });
});
