import { defineApi, defineProcedure, defineRpcService } from '../../../src/modules/hosting';
import type { Module } from '../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../factories/platform';
import { basic, bodyOf } from '../../factories/requests';
import { authenticatedBy, PEOPLE } from '../../fixtures/people';

/** One API for everyone, and one that guests are told nothing of. */
const apis: Module = {
  name: 'visibility',
  needs: ['hosting'],
  apis: (['public', 'authenticated'] as const).map((visibility) =>
    defineApi({
      name: visibility === 'public' ? 'Open' : 'Inside',
      visibility,
      versions: {
        1: {
          services: {
            Hidden: defineRpcService({
              route: `/${visibility}`,
              methods: { GET: defineProcedure({ handler: () => ({}) }) },
            }),
          },
        },
      },
    }),
  ),
};

const ADA = { authorization: basic('ada', 'password') };
const FORMATS = ['application/json', 'text/html', 'application/vnd.apidesc+json'];

describe('an API that only users are told of', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    const people = authenticatedBy('people');
    platform = await startTestPlatform({
      extra: [apis],
      files: PEOPLE,
      local: {
        'platform-mvc-auth': {
          authentication: {
            ...(people['platform-mvc-auth'] as { authentication: object }).authentication,
            map: { '*': 'people', '@documentation': 'people' },
          },
        },
      },
    });
  });
  afterAll(() => platform.stop());

  it.each(FORMATS)('is absent from the list for guests, and there for users, as %s', async (accept) => {
    const guests = await (await platform.request('/platform/documentation', { headers: { accept } })).text();
    const users = await (
      await platform.request('/platform/documentation', { headers: { accept, ...ADA } })
    ).text();
    expect(guests).toContain('Open');
    expect(guests).not.toContain('Inside');
    expect(users).toContain('Inside');
  });

  it.each(['Inside', 'Inside-v1', 'Inside/Hidden', 'Inside/Nothing', 'Inside-v7'])(
    'asks guests who want to read of %s to sign in',
    async (scope) => {
      const answer = await platform.request(`/platform/documentation/${scope}`);
      expect(answer.status).toBe(401);
      expect(await answer.text()).not.toContain('Hidden');
    },
  );

  it('is documented for users', async () => {
    const answer = await platform.request('/platform/documentation/Inside', { headers: ADA });
    expect(answer.status).toBe(200);
    expect(await bodyOf(answer)).toMatchObject({ name: 'Inside' });
  });

  it('is not named among the APIs there are', async () => {
    const answer = await platform.request('/platform/documentation/Insid');
    expect(answer.status).toBe(404);
    expect(await answer.text()).not.toContain('Inside');
  });
});
