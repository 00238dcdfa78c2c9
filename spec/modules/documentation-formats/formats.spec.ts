import Ajv04 from 'ajv-draft-04';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import { openapiErrors } from '../../factories/documents/openapi-errors';
import { sampleAuthentication, startTestPlatform, type TestPlatform } from '../../factories/platform';
import { ClubModule } from '../../fixtures/club-module';
import { HostileModule } from '../../fixtures/hostile-module';
import officialSwagger from '../../fixtures/swagger-2.0/schema.json';

const swagger = new Ajv04({ strict: false, allErrors: true });
addFormats(swagger);
swagger.addFormat('regex', true);
const isSwagger = swagger.compile(officialSwagger);

const SCOPES = [
  '',
  '/Atlas',
  '/Atlas-v1',
  '/Atlas/Visit',
  '/Club',
  '/Club/Note',
  '/Hostile',
  '/Hostile/Plain',
];

let platform: TestPlatform;
beforeAll(
  async () =>
    (platform = await startTestPlatform({
      extra: [new ClubModule(), new HostileModule()],
      local: sampleAuthentication,
    })),
);
afterAll(() => platform.stop());

async function read(
  scope: string,
  accept: string,
): Promise<{ readonly type: string | null; readonly text: string }> {
  const answer = await platform.request(`/platform/documentation${scope}`, { headers: { accept } });
  expect(answer.status).toBe(200);
  return { type: answer.headers.get('content-type'), text: await answer.text() };
}

describe.each(SCOPES)('the documentation at "%s"', (scope) => {
  it('is the same OpenAPI 3.1 document under the registered and the vendor media type', async () => {
    const { type, text } = await read(scope, 'application/vnd.oai.openapi+json');
    expect(type).toBe('application/vnd.oai.openapi+json;version=3.1');
    expect(text).toBe((await read(scope, 'application/vnd.apidesc+json')).text);
    expect(openapiErrors(JSON.parse(text))).toEqual([]);
  });

  it('is the same document as YAML', async () => {
    const { type, text } = await read(scope, 'application/yaml');
    expect(type).toBe('application/yaml');
    const json = (await read(scope, 'application/vnd.oai.openapi+json')).text;
    expect(parse(text)).toEqual(JSON.parse(json));
    // YAML 1.1 parsers read a bare `no` as false, and a date as a date.
    expect(parse(text, { version: '1.1' })).toEqual(JSON.parse(json));
  });

  it('is valid Swagger 2.0, and its references resolve', async () => {
    const { type, text } = await read(scope, 'application/vnd.swagger+json');
    expect(type).toBe('application/vnd.swagger+json');
    const document = JSON.parse(text) as { readonly definitions: object; readonly paths: object };
    isSwagger(document);
    expect(isSwagger.errors).toBeNull();
    for (const [, name = ''] of text.matchAll(/"\$ref":"([^"]*)"/g)) {
      expect(Object.keys(document.definitions).map((one) => `#/definitions/${one}`)).toContain(name);
    }
    const described = JSON.parse((await read(scope, 'application/vnd.apidesc+json')).text) as {
      paths: object;
    };
    expect(Object.keys(document.paths)).toEqual(Object.keys(described.paths));
  });

  it('is Markdown with a single title', async () => {
    const { type, text } = await read(scope, 'text/markdown');
    expect(type).toBe('text/markdown; charset=utf-8');
    const outside = text.replace(/^(`{3,})[^]*?^\1$/gm, '');
    expect(outside.match(/^# .+/gm)).toHaveLength(1);
  });
});

it.each([
  ['application/vnd.oai.openapi+json;version=3.1', 'application/vnd.oai.openapi+json;version=3.1'],
  ['application/vnd.oai.openapi', 'application/vnd.oai.openapi;version=3.1'],
])('responds to %s with %s', async (accept, type) => {
  expect((await read('/Atlas', accept)).type).toBe(type);
});

it('responds 406 for an unsupported version of OpenAPI', async () => {
  const accept = 'application/vnd.oai.openapi+json;version=3.0';
  expect((await platform.request('/platform/documentation', { headers: { accept } })).status).toBe(406);
});

it.each([
  ['openapi', 'application/vnd.oai.openapi+json;version=3.1'],
  ['yaml', 'application/yaml'],
  ['swagger', 'application/vnd.swagger+json'],
  ['markdown', 'text/markdown; charset=utf-8'],
])('has the short name %s', async (format, type) => {
  const answer = await platform.request(`/platform/documentation/Atlas?format=${format}`);
  expect(answer.headers.get('content-type')).toBe(type);
});

describe('Markdown', () => {
  it('describes the call, the access rule and the response of each operation', async () => {
    const { text } = await read('/Atlas/Visit', 'text/markdown');
    expect(text).toContain('## POST /atlas/visits');
    expect(text).toContain('Authentication required: HTTP Digest credentials for the realm `Atlas`.');
    expect(text).toMatch(/\| `note` \| string \| no \| A note about the visit\..*At most 500 characters\./);
    expect(text).toMatch(/\| 201 \| Created \|/);
  });

  it('lists nested fields with dotted names', async () => {
    const { text } = await read('/Atlas/Country', 'text/markdown');
    expect(text).toMatch(/^\| `currencies\[\]\.code` \|/m);
  });

  it('escapes names and examples', async () => {
    const { text } = await read('/Hostile', 'text/markdown');
    const rows = text.split('\n').filter((line) => line.startsWith('|'));
    for (const row of rows) {
      const cells = row.match(/(?<!\\)\|/g)?.length;
      expect(cells === 5 || cells === 4 || cells === 3).toBe(true);
    }
  });
});
