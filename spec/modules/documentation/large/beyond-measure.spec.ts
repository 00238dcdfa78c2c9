import { NunjucksRenderer, ViewModel, type Module } from '../../../../src/framework';
import { compareApis } from '../../../../src/modules/documentation/compare/compare';
import { ServiceContent } from '../../../../src/modules/documentation/content';
import { Api } from '../../../../src/modules/documentation/model/api';
import type { FieldData, JsonSchema } from '../../../../src/modules/documentation/model/data';
import { fieldsFromSchema } from '../../../../src/modules/documentation/model/fields-from-schema';
import {
  MarkdownModel,
  MarkdownRenderer,
} from '../../../../src/modules/documentation-formats/markdown-model';
import { defineApi, defineProcedure, defineRpcService } from '../../../../src/modules/hosting';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { apiData, operationData, serviceData } from '../../../fixtures/documentation';

const object = (count: number, member: (at: number) => object): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(Array.from({ length: count }, (_, at) => [`member${at}`, member(at)])),
});
const text = { type: 'string' };

/** Ten members on each of eight levels, by references. */
const MULTIPLYING: JsonSchema = {
  ...object(10, () => ({ $ref: '#/$defs/L7' })),
  $defs: Object.fromEntries(
    Array.from({ length: 7 }, (_, at) => [
      `L${at + 1}`,
      object(10, () => (at === 0 ? text : { $ref: `#/$defs/L${at}` })),
    ]),
  ),
};
/** The same in three levels, without names. */
const NESTED = object(10, () => object(10, () => object(10, () => text)));
const WIDE = object(4_000, () => text);
const CHOICE = object(1, () => ({
  type: 'string',
  enum: Array.from({ length: 20_000 }, (_, at) => `v${at}`),
}));
const UNION = object(1, () => ({ anyOf: Array.from({ length: 20_000 }, (_, at) => ({ const: `v${at}` })) }));

function apiWith(schema: JsonSchema, version = 1, description = 'Something.'): Api {
  const fields: readonly FieldData[] = fieldsFromSchema(schema);
  const operation = (httpMethod: string) =>
    operationData({ httpMethod, requestSchema: schema, responseSchema: schema, fields });
  return new Api(
    apiData({
      version,
      services: [
        serviceData({ description, fields, schema, operations: [operation('GET'), operation('POST')] }),
      ],
    }),
  );
}

function piecesOf(steps: Iterator<unknown, string | Buffer>): {
  readonly count: number;
  readonly text: string;
} {
  for (let count = 0; ; count += 1) {
    const next = steps.next();
    if (next.done === true) return { count, text: String(next.value) };
  }
}

const big: Module = {
  name: 'big',
  requires: ['hosting'],
  apis: [
    defineApi({
      name: 'Big',
      versions: {
        1: {
          services: {
            Prose: defineRpcService({
              route: '/prose',
              description: `${'A *paragraph* of words.\n\n'.repeat(40_000)}The end.`,
              methods: { GET: defineProcedure({ handler: () => ({}) }) },
            }),
            Brackets: defineRpcService({
              route: '/brackets',
              description: '['.repeat(200_000),
              methods: { GET: defineProcedure({ description: '`a'.repeat(200_000), handler: () => ({}) }) },
            }),
          },
        },
      },
    }),
  ],
};

describe('documentation of huge schemas', () => {
  let platform: TestPlatform;
  beforeAll(async () => (platform = await startTestPlatform({ extra: [big] })));
  afterAll(() => platform.stop());

  const pageOf = async (api: Api) => {
    const renderer = await platform.application.services.get(NunjucksRenderer);
    const content = new ServiceContent(api.getServices()[0]!);
    return piecesOf(renderer.steps(new ViewModel(content, { template: 'platform-documentation/show' })));
  };
  const markdownOf = (api: Api) =>
    piecesOf(new MarkdownRenderer().steps(new MarkdownModel(new ServiceContent(api.getServices()[0]!))));

  it.each([
    ['sibling fields', WIDE, '3,700 more fields'],
    ['nested fields', NESTED, '10 more fields'],
    ['enum values', CHOICE, 'and 19,950 more'],
    ['union values', UNION, 'and 19,950 more'],
  ])('shows the first of too many %s on a page, with a link to all', async (_, schema, words) => {
    const { count, text: page } = await pageOf(apiWith(schema));
    expect(page.length).toBeLessThan(1_000_000);
    expect(page).toContain(words);
    expect(page).toMatch(/; see <a href="\?format=openapi" rel="alternate" type="[^"]+">openapi<\/a>/);
    // Each field is a chunk.
    if (schema === WIDE) expect(count).toBeGreaterThan(300);
  });

  it.each([
    ['sibling fields', WIDE, 'Not all fields are shown; see [openapi](?format=openapi)'],
    ['nested fields', NESTED, 'Not all fields are shown; see [openapi](?format=openapi)'],
    ['enum values', CHOICE, 'and 19950 more'],
    ['union values', UNION, 'and 19950 more'],
  ])('shows the first of too many %s in Markdown', (_, schema, words) => {
    const { text: document } = markdownOf(apiWith(schema));
    expect(document.length).toBeLessThan(200_000);
    expect(document).toContain(words);
  });

  it('describes named schemas once, despite many references', async () => {
    const { text: page } = await pageOf(apiWith(MULTIPLYING));
    const { text: document } = markdownOf(apiWith(MULTIPLYING));
    for (let at = 1; at <= 7; at += 1) {
      expect(page.split(`id="schema-L${at}"`)).toHaveLength(2);
      expect(document.split(`\n### L${at}\n`)).toHaveLength(2);
    }
    expect(page.length + document.length).toBeLessThan(300_000);
  });

  it('omits a schema that is too long for a page, but not in machine-readable formats', async () => {
    const { text: page } = await pageOf(apiWith(WIDE));
    expect(page).toContain('Response schema is too long for this page');
    expect((await pageOf(apiWith(object(3, () => text)))).text).toContain(
      '<summary>Response schema</summary>',
    );
  });

  it('shows the beginning of a very long description', async () => {
    const get = async (path: string, format: string): Promise<string> =>
      (await platform.request(`/platform/documentation/Big-v1${path}?format=${format}`)).text();
    for (const path of ['', '/Prose']) {
      const page = await get(path, 'html');
      expect(page.length).toBeLessThan(300_000);
      expect(page).toContain('Description shortened');
      expect(page).not.toContain('The end.');
    }
    for (const format of ['json', 'apidesc', 'yaml', 'swagger', 'markdown'])
      expect(await get('/Prose', format)).toContain('The end.');
  });

  it('is available in each format for a description of markup characters', async () => {
    for (const format of ['json', 'html', 'apidesc', 'openapi', 'yaml', 'swagger', 'markdown']) {
      const answer = await platform.request(`/platform/documentation/Big-v1/Brackets?format=${format}`);
      expect([format, answer.status]).toEqual([format, 200]);
      await answer.text();
    }
    expect((await platform.request('/platform/search?q=big')).status).toBe(200);
  });

  it('is compared in many steps, ignoring omitted members', () => {
    const compared = (before: JsonSchema, after: JsonSchema) => {
      const steps = compareApis(apiWith(before), apiWith(after, 2));
      for (let count = 0; ; count += 1) {
        const next = steps.next();
        if (next.done === true) return { count, changes: next.value };
      }
    };
    expect(compared(WIDE, WIDE).count).toBeGreaterThan(50);
    // One has its second level, the other omits it.
    const { changes } = compared(
      MULTIPLYING,
      object(10, () => object(10, () => object(2, () => text))),
    );
    expect(changes.filter(({ name }) => name.split('.').length > 2)).toEqual([]);
    const [change] = compared(
      CHOICE,
      object(1, () => ({ type: 'string', enum: ['v0'] })),
    ).changes;
    expect(change?.detail).toMatch(/ and 19950 more → "v0"$/);
  });
});
