import {
  defineApi,
  defineModule,
  defineRestService,
  Type,
  type Module,
  type RestResource,
} from '../../../../src/platform';
import type { ConfigObject } from '../../../../src/framework';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { sendJson } from '../../../factories/http/requests';
import { HOSTING, startRefusal } from '../../../factories/processes/start-refusal';

/** A module whose services list the words of a text. */
const words: Module = defineModule({
  name: 'words',
  requires: ['hosting'],
  serviceKinds: [
    {
      name: 'words',
      settings: { words: Type.Optional(Type.String({ description: 'The words.' })) },
      define: ({ words: text, kind: _, ...declared }) =>
        defineRestService({
          route_identifier_name: 'word',
          fields: Type.Object({ word: Type.String() }),
          collection: { GET: {} },
          ...declared,
          route: String(declared.route),
          resource: {
            fetchAll: () =>
              String(text)
                .split(' ')
                .map((word) => ({ word })),
          },
        }),
    },
  ],
});

const configured = (service: ConfigObject): ConfigObject => ({
  'platform-hosting': { apis: { Text: { versions: { 1: { services: { Word: service } } } } } },
});

describe('a kind of service that a module adds', () => {
  const service = { kind: 'words', route: '/words[/:word]', words: 'one two' };

  it('is declared in configuration and becomes a service like any other', async () => {
    const platform = await startTestPlatform({
      modules: [...HOSTING, 'documentation'],
      extra: [words],
      local: configured(service),
    });
    try {
      expect(await (await platform.request('/words')).json()).toEqual([{ word: 'one' }, { word: 'two' }]);
    } finally {
      await platform.stop();
    }
  });

  it('has keys of its own, and those of every service, which are validated', async () => {
    const failure = await startRefusal({
      modules: HOSTING,
      extra: [words],
      local: configured({ ...service, words: 7 }),
    });
    expect(failure).toContain('platform-hosting.apis.Text.versions.1.services.Word.words');
  });

  it('is suggested for one that does not exist', async () => {
    const failure = await startRefusal({
      modules: HOSTING,
      extra: [words],
      local: configured({ ...service, kind: 'word' }),
    });
    expect(failure).toContain('allowed: "rest" or "rpc" or "words"');
  });

  it('may exist once', async () => {
    const failure = await startRefusal({
      modules: HOSTING,
      extra: [words, { ...words, name: 'others' }],
      local: {},
    });
    expect(failure).toContain('The modules "words" and "others" both add services of the kind "words".');
  });
});

describe('a resource that checks preconditions itself', () => {
  const calls: string[] = [];
  const resource: RestResource<{ id: string }, object> = {
    checksPreconditions: true,
    fetch: (id) => {
      calls.push('fetch');
      return { id };
    },
    revision: () => 1,
    patch: (id, _, { precondition }) => {
      calls.push(`patch ${JSON.stringify(precondition.ifMatch)}`);
      precondition.assert(2);
      return { id };
    },
  };
  const module_ = defineModule({
    name: 'checked',
    requires: ['hosting'],
    apis: [
      defineApi({
        name: 'Checked',
        versions: {
          1: {
            services: {
              Item: defineRestService({
                route: '/items[/:id]',
                route_identifier_name: 'id',
                fields: Type.Object({ id: Type.String() }),
                input: Type.Object({ name: Type.Optional(Type.String()) }),
                entity: { GET: {}, PATCH: { precondition: 'required' } },
                resource,
              }),
            },
          },
        },
      }),
    ],
  });
  let platform: TestPlatform;
  beforeAll(async () => (platform = await startTestPlatform({ modules: HOSTING, extra: [module_] })));
  afterAll(() => platform.stop());
  beforeEach(() => calls.splice(0));

  it('is called without a fetch before it, and decides', async () => {
    const patched = (headers: Record<string, string>) =>
      platform.request('/items/7', sendJson({ name: 'x' }, 'PATCH', headers));
    expect((await patched({ 'If-Match': '"1"' })).status).toBe(412);
    expect((await patched({ 'If-Match': '"2"' })).status).toBe(200);
    expect(calls).toEqual(['patch ["1"]', 'patch ["2"]']);
    expect((await patched({})).status).toBe(428);
  });
});
