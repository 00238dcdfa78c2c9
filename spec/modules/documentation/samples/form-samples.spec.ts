import type { TObject } from '@sinclair/typebox';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { Documentation } from '../../../../src/modules/documentation/documentation';
import {
  SAMPLE_LANGUAGES,
  type SampleLanguage,
} from '../../../../src/modules/documentation/samples/languages';
import { docSamples } from '../../../../src/modules/documentation/samples/samples';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import {
  defineApi,
  defineProcedure,
  defineRpcService,
  fileField,
  Type,
  type Module,
} from '../../../../src/platform';
import { withPrograms, type Program } from '../../../factories/processes/programs';
import { setTestTimeout } from '../../../factories/test-timeout';
import { RUNNERS, runSample } from './run-sample';

setTestTimeout(60);

/** The commands that are samples themselves. */
const COMMANDS: Readonly<Record<string, readonly Program[]>> = { curl: ['curl'], httpie: ['http'] };

const execute = promisify(execFile);
const TITLE = 'It\'s "red" & round; 100 %';
const texts = {
  title: Type.String({ examples: [TITLE] }),
  tags: Type.Array(Type.String(), { examples: [['one', 'zwölf']] }),
};

/** Fields that are JSON in a form, and one that is null. */
const NESTED = {
  place: { name: 'It\'s "here"; now, at C:\\' },
  stops: [{ nights: 1 }],
  grid: [[1, 2], [3]],
  none: null,
};
const nested = Type.Object({
  place: Type.Object({ name: Type.String() }, { examples: [NESTED.place] }),
  stops: Type.Array(Type.Object({ nights: Type.Integer() }), { examples: [NESTED.stops] }),
  grid: Type.Array(Type.Array(Type.Integer()), { examples: [NESTED.grid] }),
  none: Type.Union([Type.Integer(), Type.Null()], { examples: [null] }),
  omitted: Type.Optional(Type.Union([Type.String(), Type.Null()], { examples: [null] })),
});
const NAMES = { 'größe & co': 'large', 'a"b': 'quoted' };
const named = Type.Object({
  'größe & co': Type.String({ examples: ['large'] }),
  'a"b': Type.String({ examples: ['quoted'] }),
});
const echo = (route: string, type: string, fields: TObject) =>
  defineRpcService({
    route,
    content_type: [type],
    methods: { POST: defineProcedure({ fields, handler: ({ body }) => body }) },
  });

const albums: Module & { apis: unknown } = {
  name: 'albums',
  requires: ['hosting'],
  apis: [
    defineApi({
      name: 'Albums',
      versions: {
        1: {
          services: {
            Picture: defineRpcService({
              route: '/pictures',
              content_type: ['multipart/form-data'],
              methods: {
                POST: defineProcedure({
                  fields: Type.Object({ ...texts, picture: fileField({ types: ['image/png', 'image/*'] }) }),
                  handler: ({ body: { title, tags, picture } }) => ({
                    title,
                    tags,
                    picture: `${picture.filename} ${picture.size}`,
                  }),
                }),
              },
            }),
            Sheet: defineRpcService({
              route: '/sheets',
              content_type: ['multipart/form-data'],
              methods: {
                POST: defineProcedure({
                  fields: Type.Object({ 'sheet; new': fileField({ types: ['text/csv'] }) }),
                  handler: ({ body: { 'sheet; new': sheet } }) => `${sheet.filename} ${sheet.type}`,
                }),
              },
            }),
            Note: defineRpcService({
              route: '/notes',
              content_type: ['application/x-www-form-urlencoded'],
              methods: { POST: defineProcedure({ fields: Type.Object(texts), handler: ({ body }) => body }) },
            }),
            Place: defineRpcService({
              route: '/places',
              content_type: ['multipart/form-data'],
              methods: {
                POST: defineProcedure({
                  fields: Type.Object({
                    place: Type.Object({ name: Type.String({ examples: ['here'] }) }),
                    size: Type.Union([Type.Literal('small'), Type.Literal('large')]),
                    picture: fileField({ types: ['image/png'] }),
                  }),
                  handler: ({ body: { place, size } }) => ({ place, size }),
                }),
              },
            }),
            Nested: echo('/nested', 'multipart/form-data', nested),
            EncodedNested: echo('/encoded-nested', 'application/x-www-form-urlencoded', nested),
            Names: echo('/names', 'multipart/form-data', named),
            EncodedNames: echo('/encoded-names', 'application/x-www-form-urlencoded', named),
            Search: defineRpcService({
              route: '/search',
              methods: {
                GET: defineProcedure({
                  query: Type.Object({
                    ids: Type.Array(Type.Integer(), { examples: [[1, 2]] }),
                    word: Type.Optional(Type.Union([Type.String(), Type.Null()], { examples: [null] })),
                    limit: Type.Union([Type.Integer(), Type.Null()], { examples: [null] }),
                  }),
                  handler: ({ query }) => query,
                }),
              },
            }),
          },
        },
      },
    }),
  ],
};

let platform: TestPlatform;
let folder: string;
beforeAll(async () => {
  platform = await startTestPlatform({ extra: [albums] });
  folder = mkdtempSync(path.join(tmpdir(), 'samples-'));
  writeFileSync(path.join(folder, 'sheet; new.csv'), 'a,b');
  writeFileSync(path.join(folder, 'picture.png'), Buffer.from([0, 255, 13, 10]));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await platform.stop();
});

async function sampleOf(name: string, language: SampleLanguage): Promise<string> {
  const documentation = await platform.application.services.get(Documentation);
  const apis = documentation.listFor({ isGuest: true }).getApis();
  const service = apis.find((api) => api.getName() === 'Albums')!.getService(name)!;
  return docSamples(service, service.getOperations()[0]!, platform.origin, [language])[0]!.code;
}

/** Runs a sample and returns the response of the service. */
async function outputOf(language: string, code: string): Promise<string> {
  const options = { cwd: folder, env: { ...process.env, no_proxy: '*' }, timeout: 20_000 };
  if (language === 'curl' || language === 'httpie') {
    const line = code.replace(/^http /, 'http --ignore-stdin --body ').replace(/^curl /, 'curl --silent ');
    return (await execute('/bin/sh', ['-c', line], options)).stdout;
  }
  if (language === 'javascript' || language === 'python') {
    const shown = language === 'python' ? 'response.read().decode()' : 'await response.text()';
    const printed = code.replace(/await response\.json\(\)|json\.load\(response\)/, shown);
    return (await runSample(language, printed, folder)).slice('200 '.length);
  }
  return (await runSample(language, code, folder)).slice('200 '.length);
}

const LANGUAGES = ['curl', 'javascript', 'python', 'httpie', 'php', 'java', 'ruby'] as const;

describe.each(LANGUAGES)('the form sample for %s', (language) => {
  const { it } = withPrograms(...(COMMANDS[language] ?? RUNNERS[language]?.programs ?? []));

  const answerTo = async (service: string): Promise<unknown> =>
    JSON.parse(await outputOf(language, await sampleOf(service, language)));

  it('sends text, lists and files', async () => {
    const answer = await answerTo('Picture');
    expect(answer).toEqual({ title: TITLE, tags: ['one', 'zwölf'], picture: 'picture.png 4' });
  });

  it('sends the type of a file', async () => {
    const answer = await answerTo('Sheet');
    expect(answer).toBe('sheet; new.csv text/csv');
  });

  it('is URL-encoded if the service requires it', async () => {
    const answer = await answerTo('Note');
    expect(answer).toEqual({ title: TITLE, tags: ['one', 'zwölf'] });
  });

  it('sends objects as JSON, and null as an empty field', async () => {
    for (const service of ['Nested', 'EncodedNested']) {
      const answer = await answerTo(service);
      expect([service, answer]).toEqual([service, NESTED]);
    }
  });

  it('composes the fields next to a file of the examples of their members', async () => {
    const answer = await answerTo('Place');
    expect(answer).toEqual({ place: { name: 'here' }, size: 'small' });
  });

  it('encodes the names of fields', async () => {
    for (const service of ['Names', 'EncodedNames']) {
      const answer = await answerTo(service);
      expect([service, answer]).toEqual([service, NAMES]);
    }
  });

  it('repeats a query parameter for each item of a list, and omits null', async () => {
    const answer = await answerTo('Search');
    expect(answer).toEqual({ ids: [1, 2], limit: null });
  });
});

describe('the form sample for HTTPie', () => {
  const { it } = withPrograms('http');

  it('sends names and text with separators as they are', async () => {
    const form = [
      { name: 'handle', text: '@jane' },
      { name: 'note', text: '=1' },
      { name: 'raw', text: ':=@a==b' },
      { name: 'a:b', text: 'c' },
      { name: 'd=e@f;g', text: 'h' },
      { name: 'path', text: 'C:\\temp' },
    ];
    const body = { type: 'application/x-www-form-urlencoded', value: {}, form };
    const [{ code }] = SAMPLE_LANGUAGES.httpie.sampleOf(
      {
        method: 'POST',
        path: '/notes',
        query: [],
        accept: undefined,
        credentials: undefined,
        body,
        answersJson: false,
      },
      'http://localhost',
    ) as readonly [{ readonly code: string }];
    const line = code.replace(/^http /, 'http --ignore-stdin --offline --print=B ');
    const options = { cwd: folder, env: process.env, timeout: 20_000 };
    const { stdout } = await execute('/bin/sh', ['-c', line], options);
    expect([...new URLSearchParams(stdout.trim())]).toEqual(form.map(({ name, text }) => [name, text]));
  });
});
