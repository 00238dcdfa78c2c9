import { defineApi, defineProcedure, defineRpcService, Type, type Module } from '../../../../src/platform';
import type { StatusDefinition } from '../../../../src/modules/hosting/definition/operation-definition';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { HOSTING, startRefusal } from '../../../factories/processes/start-refusal';

const Money = Type.Object({ amount: Type.Number() });
const Done = Type.Object({ total: Money });
const Queued = Type.Object({ job: Type.Integer(), expected: Money });
const query = Type.Object({ how: Type.Optional(Type.String()) });

const house = (statuses: readonly StatusDefinition[], status = 200): Module => ({
  name: 'house',
  requires: ['hosting'],
  apis: [
    defineApi({
      name: 'House',
      versions: {
        1: {
          schemas: { Money },
          services: {
            Sum: defineRpcService({
              route: '/sums',
              methods: {
                POST: defineProcedure({
                  query,
                  status,
                  response: Done,
                  status_codes: statuses,
                  handler: ({ query: { how }, event }) => {
                    if (how === undefined) return { total: { amount: 1 } };
                    event.response.status = 202;
                    return how === 'wrong' ? { total: { amount: 1 } } : { job: 7, expected: { amount: 1 } };
                  },
                }),
              },
            }),
          },
        },
      },
    }),
  ],
});

const accepted = { code: 202, message: 'It is queued.', response: Queued };

describe('a success status with a schema of its own', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startTestPlatform({
      modules: [...HOSTING, 'documentation', 'documentation-apidesc'],
      extra: [house([accepted])],
      local: { 'platform-hosting': { check_responses: 'report' } },
    });
  });
  afterAll(() => platform.stop());
  const ask = async (how = ''): Promise<number> =>
    (await platform.request(`/sums${how === '' ? '' : `?how=${how}`}`, { method: 'POST' })).status;

  it('is checked against it', async () => {
    expect([await ask(), await ask('later')]).toEqual([200, 202]);
    expect(platform.log.lines).toEqual([]);
    expect(await ask('wrong')).toBe(202);
    expect(JSON.stringify(platform.log.lines)).toContain(
      'House-v1/Sum POST returned a response that does not match its schema',
    );
  });

  it('is documented with it', async () => {
    const answer = await platform.request('/platform/documentation/House?format=apidesc');
    const { paths, components } = (await answer.json()) as {
      paths: Record<string, { post: { responses: Record<string, object> } }>;
      components: { schemas: Record<string, object> };
    };
    const responses = paths['/v1/sums']?.post.responses;
    const content = (name: string) => ({
      content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
    });
    expect(responses?.['200']).toMatchObject(content('SumPostResponse'));
    expect(responses?.['202']).toMatchObject({
      description: 'It is queued.',
      ...content('SumPostResponse202'),
    });
    expect(components.schemas.SumPostResponse202).toMatchObject({
      properties: { job: { type: 'integer' }, expected: { $ref: '#/components/schemas/Money' } },
    });
    const page = await platform.request('/platform/documentation/House/Sum?format=html');
    expect(await page.text()).toContain('Response schema for 202');
  });
});

it('the response of an additional status has no writeOnly members', async () => {
  const password = Type.String({ writeOnly: true });
  const response = Type.Object({ job: Type.Integer(), expected: Money, password });
  const platform = await startTestPlatform({
    modules: [...HOSTING, 'documentation', 'documentation-apidesc'],
    extra: [house([{ ...accepted, response }])],
    local: { 'platform-hosting': { check_responses: 'report' } },
  });
  try {
    const answer = await platform.request('/sums?how=later', { method: 'POST' });
    expect([answer.status, await answer.json()]).toEqual([202, { job: 7, expected: { amount: 1 } }]);
    expect(platform.log.lines).toEqual([]);
    const document = await platform.request('/platform/documentation/House?format=apidesc');
    expect(await document.text()).not.toContain('password');
  } finally {
    await platform.stop();
  }
});

describe('a schema for a status', () => {
  it.each([
    [[{ ...accepted, code: 409 }], 'Only success statuses with content may have one'],
    [[{ ...accepted, code: 204 }], 'Only success statuses with content may have one'],
    [[{ ...accepted, code: 200 }], '200 is the success status'],
    [[accepted, accepted], 'twice. Remove one of them.'],
  ])('%j does not start', async (statuses, message) => {
    const refusal = await startRefusal({ extra: [house(statuses)] });
    expect(refusal).toContain('House-v1/Sum POST: the status');
    expect(refusal).toContain(message);
  });
});
