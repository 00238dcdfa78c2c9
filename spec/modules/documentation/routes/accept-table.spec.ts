import { sampleAuthentication, startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { sendRaw, type RawAnswer } from '../../../factories/http/raw-http';

const TYPES = {
  json: 'application/json',
  html: 'text/html; charset=utf-8',
  apidesc: 'application/vnd.apidesc+json',
  openapi: 'application/vnd.oai.openapi+json;version=3.1',
  yaml: 'application/yaml',
  openapiYaml: 'application/vnd.oai.openapi;version=3.1',
  swagger: 'application/vnd.swagger+json',
  markdown: 'text/markdown; charset=utf-8',
} as const;

type Answer = keyof typeof TYPES | 406;

/** `Accept` fields and the expected media types; `undefined` for a request without the field. */
const TABLE: Readonly<Record<string, readonly (readonly [accept: string | undefined, answer: Answer])[]>> = {
  'without preference': [
    [undefined, 'json'],
    ['', 'json'],
    ['   ', 'json'],
    [',', 'json'],
    [' , ,', 'json'],
    ['*/*', 'json'],
    ['*/*;q=0.1', 'json'],
    ['*/*;q=1.000', 'json'],
  ],
  'each type by its name': [
    ['application/json', 'json'],
    ['text/html', 'html'],
    ['application/vnd.apidesc+json', 'apidesc'],
    ['application/vnd.oai.openapi+json', 'openapi'],
    ['application/vnd.oai.openapi+json;version=3.1', 'openapi'],
    ['application/vnd.oai.openapi+json; version=3.1', 'openapi'],
    ['application/vnd.oai.openapi+json;version="3.1"', 'openapi'],
    ['application/yaml', 'yaml'],
    ['application/vnd.oai.openapi', 'openapiYaml'],
    ['application/vnd.oai.openapi;version=3.1', 'openapiYaml'],
    ['application/vnd.swagger+json', 'swagger'],
    ['text/markdown', 'markdown'],
  ],
  'RFC 9110, 12.5.1: its examples': [
    ['audio/*; q=0.2, audio/basic', 406],
    ['text/plain; q=0.5, text/html, text/x-dvi; q=0.8, text/x-c', 'html'],
    ['text/*, text/plain, text/plain;format=flowed, */*', 'html'],
    [
      'text/*;q=0.3, text/plain;q=0.7, text/plain;format=flowed, text/plain;format=fixed;q=0.4, */*;q=0.5',
      'json',
    ],
    ['text/*;q=0.3, text/html;q=0.7, text/html;level=1, text/html;level=2;q=0.4, */*;q=0.5', 'html'],
  ],
  'letter case and white space': [
    ['TEXT/HTML', 'html'],
    ['Application/JSON', 'json'],
    ['Application/Vnd.Apidesc+Json', 'apidesc'],
    ['text/html;Q=0.5, application/json;q=0.4', 'html'],
    ['\ttext/html\t', 'html'],
    ['text/html ; q=0.1 , application/json ; q=0.2', 'json'],
    ['text/html;q=0.1,application/json;q=0.2', 'json'],
    ['image/png,,, text/html,', 'html'],
  ],
  weights: [
    ['text/html;q=0.9, application/json;q=0.8', 'html'],
    ['text/html;q=0.8, application/json;q=0.9', 'json'],
    ['application/json;q=0.001, image/png', 'json'],
    ['application/vnd.apidesc+json, application/json;q=0.999', 'apidesc'],
    ['application/json;q=0.999, application/vnd.apidesc+json', 'apidesc'],
    ['text/markdown;q=1.0, text/html;q=0.99', 'markdown'],
    ['application/yaml;q=0.5, text/markdown;q=0.25', 'yaml'],
    ['text/html, application/json', 'html'],
    ['application/json, text/html', 'json'],
    ['application/yaml;q=0.9, application/json;q=0.9', 'yaml'],
  ],
  'what is refused': [
    ['application/json;q=0', 406],
    ['application/json;q=0.000', 406],
    ['*/*;q=0', 406],
    ['text/html;q=0, application/json;q=0', 406],
    ['application/json;q=0, */*', 'html'],
    ['*/*, application/json;q=0', 'html'],
    ['application/*;q=0, */*', 'html'],
    ['text/*;q=0, */*', 'json'],
    ['text/html;q=0, text/*', 'markdown'],
    ['application/*, application/json;q=0', 'apidesc'],
  ],
  'ranges, the more specific first': [
    ['text/*', 'html'],
    ['application/*', 'json'],
    ['text/*, application/json;q=0.9', 'html'],
    ['text/*;q=0.8, application/json;q=0.9', 'json'],
    ['text/html;q=0.2, text/*', 'markdown'],
    ['text/*;q=0.2, text/html', 'html'],
    ['*/*;q=0.2, text/html;q=0.1', 'json'],
    ['*/*;q=0.1, text/html;q=0.2', 'html'],
    ['application/*;q=0.5, application/vnd.swagger+json', 'swagger'],
    ['image/*, text/markdown;q=0.1', 'markdown'],
  ],
  'suffixes (RFC 6839)': [
    ['application/*+json', 'json'],
    ['application/*+json, application/json;q=0', 'apidesc'],
    ['application/*+json;q=0.5, text/html;q=0.4', 'json'],
    ['application/*+xml', 406],
    ['text/*+json', 406],
  ],
  'parameters of a type': [
    ['text/html;level=1', 'html'],
    ['text/html;charset=utf-8', 'html'],
    ['application/json; charset=utf-8', 'json'],
    ['application/json;profile="https://example.org/a,b;c"', 'json'],
    ['text/markdown;variant=GFM', 'markdown'],
    ['application/vnd.oai.openapi+json;version=3.0', 406],
    ['application/vnd.oai.openapi+json;version=3.0, application/json;q=0.1', 'json'],
  ],
  'what browsers send': [
    [
      'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7',
      'html',
    ],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'html'],
    ['text/html, application/xhtml+xml, image/jxr, */*', 'html'],
    ['application/xml,application/xhtml+xml,text/html;q=0.9, text/plain;q=0.8,image/png,*/*;q=0.5', 'html'],
    ['image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8', 'json'],
    ['text/css,*/*;q=0.1', 'json'],
  ],
  'what programs send': [
    ['application/json, text/plain, */*', 'json'],
    ['application/json, */*;q=0.5', 'json'],
    ['application/json, text/javascript, */*; q=0.01', 'json'],
    ['text/html, image/gif, image/jpeg, */*; q=.2', 'html'],
    ['application/hal+json, application/json;q=0.9', 'json'],
    ['application/openapi+json, application/json;q=0.5', 'json'],
    ['text/markdown, text/plain;q=0.8, */*;q=0.1', 'markdown'],
    [
      'application/vnd.oai.openapi+json, application/vnd.oai.openapi;q=0.9, application/yaml;q=0.8',
      'openapi',
    ],
  ],
  'a missing resource': [
    ['image/png', 406],
    // The pages are not well-formed XML.
    ['application/xhtml+xml', 406],
    ['application/xhtml+xml, application/json;q=0.1', 'json'],
    ['application/xhtml+xml, text/html;q=0.1', 'html'],
    ['application/xml', 406],
    ['text/plain', 406],
    ['application/vnd.apidesc+xml', 406],
    ['application/vnd.atlas.v2+json', 406],
    ['text/htm', 406],
    ['application/jsonp', 406],
  ],
  'invalid media ranges': [
    ['text', 406],
    ['*', 406],
    ['*/json', 406],
    [';;;', 406],
    ['text/html;q=abc', 406],
    ['text/html;q=1.5', 406],
    ['text/html;q=-1', 406],
    ['nonsense, text/html', 'html'],
    ['text/html;q=abc, application/json;q=0.1', 'json'],
  ],
};

let platform: TestPlatform;
beforeAll(async () => (platform = await startTestPlatform({ local: sampleAuthentication })));
afterAll(() => platform.stop());

/** Sends the field byte for byte: `fetch` adds a default, and trims values. */
async function get(
  accept: string | undefined,
): Promise<RawAnswer & { readonly field: (name: string) => string }> {
  const line = accept === undefined ? '' : `Accept: ${accept}\r\n`;
  const answer = await sendRaw(
    platform.origin,
    `GET /platform/documentation/Atlas HTTP/1.1\r\nHost: localhost\r\n${line}Connection: close\r\n\r\n`,
  );
  return { ...answer, field: (name) => new Map(answer.fields).get(name) ?? '' };
}

it('lists at least 80 unique fields', () => {
  const fields = Object.values(TABLE)
    .flat()
    .map(([accept]) => accept);
  expect(fields.length).toBeGreaterThanOrEqual(80);
  expect(new Set(fields).size).toBe(fields.length);
});

describe.each(Object.entries(TABLE))('Accept: %s', (_, rows) => {
  it.each(rows)('%j gets %s', async (accept, expected) => {
    const answer = await get(accept);
    expect(answer.status).toBe(expected === 406 ? 406 : 200);
    expect(answer.field('vary')).toMatch(/\bAccept\b/);
    expect(answer.field('content-type')).toBe(
      expected === 406 ? 'application/problem+json' : TYPES[expected],
    );
    if (expected === 406) expect(answer.body).toContain('"available":["application/json","text/html"');
  });
});

it('rejects a field above 16 KB as too large, and reads one of 8 KB', async () => {
  const long = Array.from({ length: 800 }, (_, at) => `application/x-${at};q=0.5`).join(',');
  expect(long.length).toBeGreaterThan(16_000);
  expect((await get(long)).status).toBe(431);
  expect((await get(`${long.slice(0, 8_000)}, text/html`)).field('content-type')).toBe(TYPES.html);
});
