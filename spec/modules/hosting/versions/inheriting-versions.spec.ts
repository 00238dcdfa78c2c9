import {
  defineApi,
  defineProcedure,
  defineRestService,
  defineRpcService,
  Type,
  type ApiDefinition,
  type ConfigObject,
  type Module,
  type VersionDefinition,
} from '../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { sendRaw } from '../../../factories/http/raw-http';
import { bodyOf, sendJson } from '../../../factories/http/requests';
import { HOSTING, startRefusal } from '../../../factories/processes/start-refusal';

const fields = Type.Object({ word: Type.String() });
const Word = defineRestService({
  description: 'Words.',
  route: '/words[/:word]',
  route_identifier_name: 'word',
  fields,
  page_size: 1,
  collection: { GET: { description: 'Lists.' }, POST: { description: 'Adds.' } },
  entity: { GET: { description: 'Shows.' } },
  resource: {
    fetchAll: () => [{ word: 'a' }, { word: 'b' }],
    fetch: (word) => ({ word }),
    create: (data) => data,
  },
});
const Old = defineRpcService({
  route: '/old',
  methods: { GET: defineProcedure({ handler: () => 'old' }) },
});
const Status = defineRpcService({
  route: '/status',
  methods: {
    GET: defineProcedure({ handler: () => 'first' }),
    POST: defineProcedure({ handler: () => 'posted' }),
  },
});

const Search = defineRpcService({
  route: '/search',
  methods: {
    GET: defineProcedure({
      query: Type.Object({ for: Type.String(), in: Type.Optional(Type.String()) }),
      handler: ({ query }) => query,
    }),
  },
});

const inquiries = (route: string) =>
  defineRestService({
    description: 'Inquiries.',
    route,
    route_identifier_name: 'word',
    fields,
    collection: { QUERY: { description: 'Finds.' } },
    entity: { GET: { description: 'Shows.' } },
    resource: { queryAll: () => [{ word: 'a' }], fetch: (word) => ({ word }) },
  });
const Question = inquiries('/questions[/:word]');
const Answer = inquiries('/answers[/:word]');

const dictionary = (versions: ApiDefinition['versions']): Module => ({
  name: 'dictionary',
  requires: ['hosting'],
  apis: [defineApi({ name: 'Dictionary', versions })],
});

const versions: ApiDefinition['versions'] = {
  1: {
    deprecated: '2026-01-31',
    sunset: '2027-06-30T12:00:00Z',
    services: { Word, Old, Status, Search, Question, Answer },
  },
  2: {
    inherits: 1,
    deprecated: '2026-06-30',
    successor: 4,
    services: {
      Word: { description: 'Better words.', page_size: 2, collection: { POST: null } },
      Old: null,
      Question: { collection: { QUERY: null } },
      Status: { kind: 'rpc', methods: { GET: { handler: () => 'second' } } },
      Search: {
        kind: 'rpc',
        methods: { GET: { query: Type.Object({ for: Type.String() }), handler: ({ query }) => query } },
      },
    },
  },
  3: { inherits: 2, services: {} },
  4: { inherits: 3, services: { Word: { route: '/terms[/:word]' } } },
};

describe('a version that inherits', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    const modules = [...HOSTING, 'documentation', 'documentation-apidesc'];
    const local = {
      'platform-hosting': {
        apis: {
          Dictionary: {
            versions: { 2: { services: { Word: { entity: { GET: { description: 'Shows one.' } } } } } },
          },
        },
      },
    };
    platform = await startTestPlatform({ modules, extra: [dictionary(versions)], local });
  });
  afterAll(() => platform.stop());
  const describeService = async (version: number) =>
    bodyOf(await platform.request(`/platform/documentation/Dictionary-v${version}/Word?format=json`));

  it('has what it does not change', async () => {
    expect(await (await platform.request('/v2/words/x')).json()).toEqual({ word: 'x' });
    expect(await (await platform.request('/v3/words/x')).json()).toEqual({ word: 'x' });
    expect(await (await platform.request('/v2/status', { method: 'POST' })).json()).toBe('posted');
  });

  it('has what it changes, and leaves the earlier version unchanged', async () => {
    expect(await bodyOf(await platform.request('/v1/words'))).toMatchObject({ page_size: 1 });
    expect(await bodyOf(await platform.request('/v2/words'))).toMatchObject({ page_size: 2 });
    expect(await (await platform.request('/v1/status')).json()).toBe('first');
    expect(await (await platform.request('/v3/status')).json()).toBe('second');
    expect(await describeService(1)).toMatchObject({ description: 'Words.' });
    expect(await describeService(3)).toMatchObject({ description: 'Better words.' });
  });

  it('lacks what it removes: an operation, a service, a route', async () => {
    expect((await platform.request('/v1/words', sendJson({ word: 'x' }))).status).toBe(201);
    expect((await platform.request('/v2/words', sendJson({ word: 'x' }))).status).toBe(405);
    expect((await platform.request('/v1/old')).status).toBe(200);
    expect((await platform.request('/v3/old')).status).toBe(404);
    expect((await platform.request('/v4/words/x')).status).toBe(404);
    expect((await platform.request('/v4/terms/x')).status).toBe(200);
  });

  it('includes its configuration, and passes it on', async () => {
    const shows = async (version: number) =>
      ((await describeService(version)).entity_operations as { description: string }[])[0]?.description;
    expect([await shows(1), await shows(2), await shows(3)]).toEqual(['Shows.', 'Shows one.', 'Shows one.']);
  });
});

describe('a deprecated version', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    const modules = [...HOSTING, 'documentation', 'documentation-apidesc'];
    platform = await startTestPlatform({ modules, extra: [dictionary(versions)] });
  });
  afterAll(() => platform.stop());
  const lifecycleOf = async (path: string, init?: RequestInit) => {
    const { headers, status } = await platform.request(path, init);
    return {
      status,
      deprecation: headers.get('deprecation'),
      sunset: headers.get('sunset'),
      successor: /<([^>]*)>; rel="successor-version"/.exec(headers.get('link') ?? '')?.[1],
      next: /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1],
    };
  };

  it('says so in every response, with a link to the same path in its successor', async () => {
    expect(await lifecycleOf('/v1/words/K%C3%A4se')).toEqual({
      status: 200,
      deprecation: '@1769817600',
      sunset: 'Wed, 30 Jun 2027 12:00:00 GMT',
      successor: '/v2/words/K%C3%A4se',
      next: undefined,
    });
  });

  it('says so next to the links of pages, and in errors', async () => {
    expect(await lifecycleOf('/v1/words')).toMatchObject({
      next: '/v1/words?page=2',
      successor: '/v2/words',
    });
    expect(await lifecycleOf('/v1/words?page=2')).toMatchObject({ successor: '/v2/words?page=2' });
    const refused = await lifecycleOf('/v1/words', { method: 'DELETE' });
    expect(refused).toMatchObject({ status: 405, deprecation: '@1769817600' });
    const gone = await lifecycleOf('/words/x', { headers: { Accept: 'application/vnd.dictionary.v1+json' } });
    expect(gone).toMatchObject({ status: 200, successor: '/v2/words/x' });
  });

  it('repeats the query in the link, unless the successor lacks one of its parameters, or it is long', async () => {
    for (const [query, expected] of [
      ['?for=K%C3%A4se&for=', '?for=K%C3%A4se&for='],
      ['?for=a+b>;"', '?for=a+b%3E%3B%22'],
      ['?for=a&in=b', ''],
      ['?for=a&unknown=b', ''],
      [`?for=${'a'.repeat(1_000)}`, ''],
    ] as const) {
      const head = ['Host: localhost', 'Connection: close'].join('\r\n');
      const { text } = await sendRaw(platform.origin, `GET /v1/search${query} HTTP/1.1\r\n${head}\r\n\r\n`);
      expect(text).toContain(`Link: </v2/search${expected}>; rel="successor-version"`);
    }
  });

  it('may name its successor, and omits the link when the path does not exist there', async () => {
    expect(await lifecycleOf('/v2/status')).toMatchObject({
      deprecation: '@1782777600',
      sunset: null,
      successor: '/v4/status',
    });
    expect(await lifecycleOf('/v2/words/x')).toMatchObject({
      deprecation: '@1782777600',
      successor: undefined,
    });
    expect(await lifecycleOf('/v1/old')).toMatchObject({ status: 200, successor: undefined });
  });

  it('links its QUERY as a POST only to a successor with a QUERY, and an entity with that path to the entity', async () => {
    expect(await lifecycleOf('/v1/questions/query', sendJson({}))).toMatchObject({
      status: 200,
      deprecation: '@1769817600',
      successor: undefined,
    });
    expect((await platform.request('/v2/questions/query', sendJson({}))).status).toBe(405);
    expect(await lifecycleOf('/v1/questions/query')).toMatchObject({
      status: 200,
      successor: '/v2/questions/query',
    });
    expect(await lifecycleOf('/v1/answers/query', sendJson({}))).toMatchObject({
      status: 200,
      successor: '/v2/answers/query',
    });
  });

  it('has no link through a segment that clients remove', async () => {
    for (const [word, isSent] of [
      ['%2e%2e', false],
      ['...', true],
    ] as const) {
      const head = ['Host: localhost', 'Connection: close'].join('\r\n');
      const { text } = await sendRaw(platform.origin, `GET /v1/words/${word} HTTP/1.1\r\n${head}\r\n\r\n`);
      expect(text).toContain('Deprecation: ');
      expect(text.includes('successor-version')).toBe(isSent);
    }
  });

  it('is distinguished from the other versions', async () => {
    expect(await lifecycleOf('/v4/terms/x')).toEqual({ status: 200, deprecation: null, sunset: null });
  });

  it('is marked in OpenAPI', async () => {
    const paths = async (version: number) =>
      (await bodyOf(await platform.request(`/platform/documentation/Dictionary-v${version}?format=apidesc`)))
        .paths;
    expect(await paths(1)).toMatchObject({
      '/v1/words': {
        get: { deprecated: true, responses: { 200: { headers: { Deprecation: {}, Sunset: {} } } } },
      },
    });
    expect(JSON.stringify(await paths(3))).not.toMatch(/deprecat/i);
  });
});

describe('the platform does not start', () => {
  const refusal = (all: Record<number, VersionDefinition>) =>
    startRefusal({ modules: HOSTING, extra: [dictionary(all)] });

  it.each<[string, Record<number, VersionDefinition>]>([
    [
      'Version 2 of the API Dictionary inherits from version 7, which does not exist. Available: 1, 2.',
      { 1: { services: { Word } }, 2: { inherits: 7 } },
    ],
    [
      'Version 1 of the API Dictionary inherits from version 1, and thereby from itself.',
      { 1: { inherits: 1, services: { Word } } },
    ],
    [
      'Version 2 of the API Dictionary inherits from version 1, and thereby from itself.',
      { 1: { inherits: 2, services: { Word } }, 2: { inherits: 1 } },
    ],
    [
      'Version 1 of the API Dictionary: deprecated is "soon", which is not a date. Write "2026-12-31" or "2026-12-31T12:00:00Z".',
      { 1: { deprecated: 'soon', services: { Word } } },
    ],
    [
      'Version 1 of the API Dictionary: sunset is "2027-02-30", which is not a date. Write "2026-12-31" or "2026-12-31T12:00:00Z".',
      { 1: { sunset: '2027-02-30', services: { Word } } },
    ],
    [
      'Version 1 of the API Dictionary: sunset is before deprecated.',
      { 1: { deprecated: '2027-01-02', sunset: '2027-01-01', services: { Word } } },
    ],
    [
      'Version 1 of the API Dictionary: the successor 3 is not another version of the API. Available: 1, 2.',
      { 1: { deprecated: '2027-01-02', successor: 3, services: { Word } }, 2: { inherits: 1 } },
    ],
    [
      'The service New of Dictionary-v1 has no route, no route_identifier_name, no fields, no resource.',
      { 1: { services: { New: { description: 'x' } } } },
    ],
  ])('and reports: %s', async (reason, all) => {
    expect(await refusal(all)).toBe(reason);
  });
});

describe('null in configuration', () => {
  const started = async (local: ConfigObject) =>
    startTestPlatform({
      modules: HOSTING,
      extra: [dictionary({ 1: { services: { Word, Old } } })],
      local: { 'platform-hosting': { apis: local } },
    });

  it('removes operations, services and keys that code declares', async () => {
    const platform = await started({
      Dictionary: {
        versions: { 1: { services: { Old: null, Word: { page_size: null, collection: { POST: null } } } } },
      },
    });
    try {
      expect((await platform.request('/old')).status).toBe(404);
      expect((await platform.request('/words', sendJson({ word: 'x' }))).status).toBe(405);
      expect(await (await platform.request('/words')).json()).toEqual([{ word: 'a' }, { word: 'b' }]);
    } finally {
      await platform.stop();
    }
  });

  it('removes the whole value: a higher layer must then be complete', async () => {
    const servicesOf = (services: ConfigObject): ConfigObject => ({
      'platform-hosting': { apis: { Dictionary: { versions: { 1: { services } } } } },
    });
    const files = { 'config/autoload/global.json': JSON.stringify(servicesOf({ Old: null })) };
    const project = { modules: HOSTING, extra: [dictionary({ 1: { services: { Word, Old } } })], files };
    const kind = 'rpc';
    expect(
      await startRefusal({ ...project, local: servicesOf({ Old: { kind, description: 'Again.' } }) }),
    ).toBe('The service Old of Dictionary-v1 has no route, no methods.');
  });

  it('removes a whole API', async () => {
    const platform = await started({ Dictionary: null });
    try {
      expect((await platform.request('/old')).status).toBe(404);
    } finally {
      await platform.stop();
    }
  });
});

it('The start warns about the successor of a version that is neither deprecated nor removed', async () => {
  const platform = await startTestPlatform({
    modules: HOSTING,
    extra: [
      dictionary({
        1: { successor: 3, services: { Word } },
        2: { inherits: 1, sunset: '2030-01-01', successor: 3 },
        3: { inherits: 2 },
      }),
    ],
  });
  try {
    const warnings = platform.application.warnings.filter((one) => one.includes('successor'));
    expect(warnings).toEqual([
      'Version 1 of the API Dictionary: successor has no effect without "deprecated" or "sunset". Add one of the dates, or remove it.',
    ]);
    expect((await platform.request('/v1/words')).headers.get('link')).not.toContain('successor-version');
  } finally {
    await platform.stop();
  }
});

describe('an invalid lifecycle in configuration', () => {
  it.each([
    [
      'with a date that does not exist',
      { sunset: '2027-02-30' },
      '7:13: platform-hosting.apis.Dictionary.versions.1: sunset is "2027-02-30", which is not a date. Write "2026-12-31" or "2026-12-31T12:00:00Z".',
    ],
    [
      'with a release that has no date',
      { release_date: 'soon' },
      '7:13: platform-hosting.apis.Dictionary.versions.1: release_date is "soon", which is not a date. Write "2026-12-31" or "2026-12-31T12:00:00Z".',
    ],
    [
      'whose removal is before the deprecation',
      { deprecated: '2027-01-02', sunset: '2027-01-01' },
      '8:13: platform-hosting.apis.Dictionary.versions.1: sunset is before deprecated.',
    ],
    [
      'whose deprecation is after the removal that code declares',
      { deprecated: '2029-01-01' },
      '7:13: platform-hosting.apis.Dictionary.versions.1: sunset is before deprecated.',
    ],
    [
      'with a successor that does not exist',
      { successor: 3 },
      '7:13: platform-hosting.apis.Dictionary.versions.1: the successor 3 is not another version of the API. Available: 1, 2.',
    ],
  ])('%s is reported with its location', async (_, version, message) => {
    const refused = await startRefusal({
      modules: HOSTING,
      extra: [
        dictionary({
          1: { deprecated: '2027-01-01', sunset: '2028-01-01', services: { Word } },
          2: { inherits: 1 },
        }),
      ],
      local: { 'platform-hosting': { apis: { Dictionary: { versions: { 1: version } } } } },
    });
    expect(refused).toBe(`config/autoload/local.json:${message}`);
  });
});

describe('an invalid value of an API in configuration', () => {
  it.each([
    [
      { base_path: '/tools/' },
      '5:9: platform-hosting.apis.Dictionary: base_path is "/tools/". Write a path without parameters and without a trailing slash, such as "/shop".',
    ],
    [
      { license: { name: 'MIT', url: 'MIT' } },
      '7:11: platform-hosting.apis.Dictionary: license.url is "MIT". Write a URL that begins with https:// or http://.',
    ],
    [
      { contact: { name: 'Ada', url: 'ada.example' } },
      '7:11: platform-hosting.apis.Dictionary: contact.url is "ada.example". Write a URL that begins with https:// or http://.',
    ],
    [
      { default_version: 4 },
      '5:9: platform-hosting.apis.Dictionary: default_version is 4, which is not a version of the API. Available: 1.',
    ],
    [
      { cors: { origins: ['shop.example'] } },
      '5:9: platform-hosting.apis.Dictionary: cors lists "shop.example", which is not an origin. Write scheme, host, and port unless it is the default: "https://shop.example", "http://localhost:3000".',
    ],
  ])('%j is reported with its location', async (api, message) => {
    const refused = await startRefusal({
      modules: HOSTING,
      extra: [dictionary({ 1: { services: { Word } } })],
      local: { 'platform-hosting': { apis: { Dictionary: api } } },
    });
    expect(refused).toBe(`config/autoload/local.json:${message}`);
  });
});

describe('invalid names in configuration', () => {
  it.each([
    [{ '2nd': {} }, 'platform-hosting.apis.2nd'],
    [{ Dictionary: { versions: { one: {} } } }, 'platform-hosting.apis.Dictionary.versions.one'],
    [
      { Dictionary: { versions: { 1: { services: { Word: { entity: { get: {} } } } } } } },
      'platform-hosting.apis.Dictionary.versions.1.services.Word.entity.get',
    ],
  ])('are reported with their location', async (apis, place) => {
    const refused = await startRefusal({
      modules: HOSTING,
      extra: [dictionary({ 1: { services: { Word } } })],
      local: { 'platform-hosting': { apis } },
    });
    expect(refused).toContain(place);
    expect(refused).toContain('config/autoload/local.json');
  });
});
