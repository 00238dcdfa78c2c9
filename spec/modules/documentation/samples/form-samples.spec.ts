import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { Documentation } from '../../../../src/modules/documentation/documentation';
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
import { withPrograms, type Program } from '../../../factories/programs';

jest.setTimeout(60_000);

const execute = promisify(execFile);
const TITLE = 'It\'s "red" & round; 100 %';
const texts = {
  title: Type.String({ examples: [TITLE] }),
  tags: Type.Array(Type.String(), { examples: [['one', 'zwölf']] }),
};

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
            Note: defineRpcService({
              route: '/notes',
              content_type: ['application/x-www-form-urlencoded'],
              methods: { POST: defineProcedure({ fields: Type.Object(texts), handler: ({ body }) => body }) },
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
  writeFileSync(path.join(folder, 'picture.png'), Buffer.from([0, 255, 13, 10]));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await platform.stop();
});

async function sampleOf(name: string, language: string): Promise<string> {
  const documentation = await platform.application.services.get(Documentation);
  const apis = documentation.listFor({ isGuest: true }).getApis();
  const service = apis.find((api) => api.getName() === 'Albums')!.getService(name)!;
  const samples = docSamples(service, service.getOperations()[0]!, platform.origin);
  return samples.find((sample) => sample.language === language)!.code;
}

/** Runs a sample and returns the response of the service. */
async function outputOf(language: string, code: string): Promise<string> {
  const options = { cwd: folder, env: { ...process.env, no_proxy: '*' }, timeout: 20_000 };
  if (language === 'curl' || language === 'httpie') {
    const line = code.replace(/^http /, 'http --ignore-stdin --body ').replace(/^curl /, 'curl --silent ');
    return (await execute('/bin/sh', ['-c', line], options)).stdout;
  }
  const [command, file] = language === 'fetch' ? ['node', 'sample.mjs'] : ['python3', 'sample.py'];
  const shown = language === 'fetch' ? 'JSON.stringify(await response.json())' : 'response.read().decode()';
  const quiet = code.replace(/response\.status, (await response\.json\(\)|json\.load\(response\))/, shown);
  writeFileSync(path.join(folder, file), quiet);
  return (await execute(command, [file], options)).stdout;
}

/** The commands that run samples, except for Node.js. */
const PROGRAMS: Readonly<Record<string, readonly Program[]>> = {
  curl: ['curl'],
  python: ['python3'],
  httpie: ['http'],
};

describe.each(['curl', 'fetch', 'python', 'httpie'])('the form sample for %s', (language) => {
  const { it } = withPrograms(...(PROGRAMS[language] ?? []));

  it('sends text, lists and files', async () => {
    const answer: unknown = JSON.parse(await outputOf(language, await sampleOf('Picture', language)));
    expect(answer).toEqual({ title: TITLE, tags: ['one', 'zwölf'], picture: 'picture.png 4' });
  });

  it('is URL-encoded if the service requires it', async () => {
    const answer: unknown = JSON.parse(await outputOf(language, await sampleOf('Note', language)));
    expect(answer).toEqual({ title: TITLE, tags: ['one', 'zwölf'] });
  });
});
