import { ApiContent } from '../../../../src/modules/documentation';
import { markdownChunks } from '../../../../src/modules/documentation-formats/markdown/document';
import { Api } from '../../../../src/modules/documentation/model/api';
import type { JsonSchema } from '../../../../src/modules/documentation/model/data';
import { apiData, operationData, serviceData } from '../../../fixtures/documentation';

const text = { type: 'string' };
const Pet = { type: 'object', properties: { name: text, owner: { $ref: '#/$defs/Owner' } } };
const Owner = { type: 'object', properties: { name: text } };

/** A service with two operations that refer to a pet. */
const keeper = (name: string, $defs: JsonSchema): ReturnType<typeof serviceData> =>
  serviceData({
    name,
    operations: [1, 2].map(() => operationData({ responseSchema: { $ref: '#/$defs/Pet', $defs } })),
  });

const documentOf = (...services: readonly ReturnType<typeof serviceData>[]): string =>
  [...markdownChunks(new ApiContent(new Api(apiData({ services }))))].join('');

const sections = (document: string): readonly string[] =>
  document
    .split(/^#### Pet$/m)
    .slice(1)
    .map((section) => section.split(/^#/m, 1)[0]?.trim() ?? '');

describe('the Markdown document of an API', () => {
  it('describes a schema of several services once', () => {
    const [first, second] = sections(
      documentOf(keeper('Zoo', { Pet, Owner }), keeper('Shop', { Pet: structuredClone(Pet), Owner })),
    );
    expect(first).toContain('| `owner.name` | string | no |');
    expect(second).toBe('The same as under Zoo.');
  });

  it('describes a schema again that has only its name in common, or that of a schema it refers to', () => {
    const Other = { type: 'object', properties: { code: text } };
    const all = sections(
      documentOf(
        keeper('Zoo', { Pet, Owner }),
        keeper('Shop', { Pet: { ...Pet, required: ['name'] }, Owner }),
        keeper('Park', { Pet, Owner: Other }),
      ),
    );
    expect(all[1]).toContain('| `name` | string | yes |');
    expect(all[2]).toContain('| `owner.code` | string | no |');
  });

  it('compares schemas that refer to each other', () => {
    const Nested = {
      type: 'object',
      properties: { pets: { type: 'array', items: { $ref: '#/$defs/Pet' } } },
    };
    const $defs = { Pet, Owner: Nested };
    expect(sections(documentOf(keeper('Zoo', $defs), keeper('Shop', structuredClone($defs))))[1]).toBe(
      'The same as under Zoo.',
    );
  });

  it('lists the request headers of operations', () => {
    const header = {
      name: 'If-Match',
      in: 'header',
      description: 'Entity tag.',
      required: true,
      schema: text,
    } as const;
    const service = serviceData({ operations: [operationData({ requestHeaders: [header] })] });
    expect(documentOf(service)).toMatch(
      /^#+ Request headers\n\n\| Parameter .*\n.*\n\| `If-Match` \| string \| yes \| Entity tag. \|$/m,
    );
  });
});
