import { LocalConfiguration } from '../../../../../src/framework';
import {
  DocumentationTexts,
  textsOf,
} from '../../../../../src/modules/admin/actions/texts/documentation-texts';
import type { Actor } from '../../../../../src/modules/admin/changes/change';
import { ConfigurationChanges } from '../../../../../src/modules/admin/changes/configuration-changes';
import { defineApi, defineRestService, Type, type Module } from '../../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../../factories/platform';
import { bodyOf, sendJson } from '../../../../factories/http/requests';

const ADA: Actor = { name: 'ada', via: 'command' };

const money = Type.Object(
  { amount: Type.Integer({ description: 'In cents.' }) },
  { description: 'A price.' },
);

/** Version 2 inherits everything from version 1. */
const shop: Module = {
  name: 'shop',
  requires: ['hosting'],
  apis: [
    defineApi({
      name: 'Shop',
      description: 'A shop.',
      versions: {
        1: {
          schemas: { Money: money },
          services: {
            Article: defineRestService({
              description: 'Articles.',
              route: '/articles[/:article_id]',
              route_identifier_name: 'article_id',
              parameters: { article_id: Type.String({ description: 'Which.' }) },
              fields: Type.Object({ name: Type.String({ description: 'A name.' }), price: money }),
              collection: { GET: { description: 'Lists them.' }, POST: { description: 'Adds one.' } },
              entity: { GET: { description: 'Shows one.' } },
              resource: {
                fetchAll: () => [],
                fetch: () => undefined,
                create: (article) => article,
              },
            }),
          },
        },
        2: { inherits: 1 },
      },
    }),
  ],
};

describe('Texts that several versions inherit', () => {
  let platform: TestPlatform;
  let changes: ConfigurationChanges;
  let texts: DocumentationTexts;
  beforeEach(async () => {
    platform = await startTestPlatform({ extra: [shop] });
    changes = new ConfigurationChanges(platform.host, new LocalConfiguration(platform.root));
    texts = new DocumentationTexts(changes);
  });
  afterEach(() => platform.stop());

  const keyOf = async (version: number, name: string, was: string): Promise<string> => {
    const found = textsOf(await texts.get('Shop', version)).find(
      (one) => one.name === name && one.text === was,
    );
    if (found === undefined) throw new Error(`Version ${version} has no text of ${name}.`);
    return found.key;
  };
  const write = async (version: number, key: string, text: string): Promise<unknown> =>
    changes.apply(await texts.prepareChange('Shop', version, new Map([[key, text]])), ADA);
  const openApi = async (version: number): Promise<string> => {
    const target = `/platform/documentation/Shop-v${version}?format=openapi`;
    return JSON.stringify(await bodyOf(await platform.request(target)));
  };

  it.each([
    ['a field', 'name', 'A name.'],
    ['a parameter', 'article_id', 'Which.'],
    ['a schema that operations share', 'Money', 'A price.'],
    ['a field of such a schema', 'amount', 'In cents.'],
  ])('are one text for all versions: of %s, edited in the inheriting version', async (_, name, was) => {
    await write(2, await keyOf(2, name, was), 'Another text.');
    for (const version of [1, 2]) {
      expect(await openApi(version)).toContain('Another text.');
      expect(await openApi(version)).not.toContain(`"${was}"`);
    }
    // The requirements for requests are unchanged.
    for (const version of [1, 2]) {
      const wrong = await platform.request(`/v${version}/articles`, sendJson({ name: 5 }));
      expect(wrong.status).toBe(422);
      expect((await bodyOf(wrong)).errors).toHaveLength(2);
    }
  });

  it('are separate in a version that replaces the whole object', async () => {
    await write(2, '/versions/2/services/Article/description', 'Of the second.');
    expect(await openApi(2)).toContain('Of the second.');
    expect(await openApi(1)).not.toContain('Of the second.');
  });
});
