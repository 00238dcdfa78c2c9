import { importOpenapi } from '../../../src/modules/documentation-import';
import { startTestPlatform } from '../../factories/platform';

const Part = { type: 'object', required: ['size'], properties: { size: { type: 'integer' } } };
const Named = { type: 'object', required: ['name'], properties: { name: { type: 'string', default: '' } } };
const part = { $ref: '#/components/schemas/Part' };

const documentOf = (members: object, parameters: readonly object[] = []): string =>
  JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Things', version: '1' },
    paths: {
      '/things': {
        post: {
          parameters,
          requestBody: {
            required: true,
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
          },
          responses: { 200: { description: 'A' } },
        },
      },
    },
    components: { schemas: { Thing: { type: 'object', properties: members }, Part, Named } },
  });

const OTHER = '#/components/schemas/Other';

const isAboutDefault = (warning: string): boolean => warning.includes('default that');

describe('an imported default', () => {
  it.each([
    ['of another type', { type: 'integer', default: 'ten' }],
    ['that is not listed', { type: 'string', enum: ['a'], default: 'A' }],
    ['in another format', { type: 'string', format: 'date', default: '' }],
    ['without a member that a reference requires', { default: {}, allOf: [part] }],
    ['with a member of another type', { default: { size: '1' }, allOf: [part] }],
    ['with an item of another type', { type: 'array', items: part, default: [{}] }],
    ['with too few members', { type: 'object', minProperties: 1, default: {} }],
    [
      'with a member that is not declared',
      { properties: { a: { type: 'integer' } }, additionalProperties: false, default: { z: 1 } },
    ],
    [
      'with an additional member of another type',
      { additionalProperties: { type: 'integer' }, default: { z: 'x' } },
    ],
    ['that is excluded', { not: { type: 'string' }, default: 'x' }],
    [
      'with an item at a place of another type',
      { type: 'array', prefixItems: [{ type: 'integer' }], default: ['a'] },
    ],
    ['that no branch accepts', { oneOf: [{ type: 'integer' }, part], default: 'x' }],
  ])('%s is removed, with a warning', (_, member) => {
    const { api, warnings } = importOpenapi({ text: documentOf({ member }), name: 'file' }, 1);
    expect(warnings.filter(isAboutDefault)).toEqual([
      'default that its schema does not accept: #/components/schemas/Thing/properties/member/default',
    ]);
    expect(JSON.stringify(api)).not.toContain(`"default":${JSON.stringify(member.default)}`);
  });

  it.each([
    ['without restrictions', { default: { a: 1 } }],
    ['that is null', { type: 'string', nullable: true, default: null }],
    ['that is null, next to a reference', { nullable: true, default: null, allOf: [part] }],
    ['without a member that has a default', { default: {}, allOf: [{ $ref: '#/components/schemas/Named' }] }],
    [
      'without a member that clients do not send',
      { type: 'object', required: ['id'], properties: { id: { readOnly: true } }, default: {} },
    ],
    [
      'with enough members, as those with defaults count',
      { type: 'object', properties: { a: { default: 1 } }, minProperties: 1, default: {} },
    ],
    ['of a branch', { oneOf: [{ type: 'integer' }, part], default: { size: 1 } }],
    ['that is a list', { type: 'array', items: { type: 'integer' }, default: [1, 2] }],
  ])('%s is kept', (_, member) => {
    const { warnings } = importOpenapi({ text: documentOf({ member }), name: 'file' }, 1);
    expect(warnings.filter(isAboutDefault)).toEqual([]);
  });

  it('is removed if a member that it needs loses its own', () => {
    const Other = { type: 'object', required: ['n'], properties: { n: { type: 'integer', default: 'x' } } };
    const document = JSON.parse(documentOf({ member: { default: {}, allOf: [{ $ref: OTHER }] } })) as {
      components: { schemas: object };
    };
    Object.assign(document.components.schemas, { Other });
    const { warnings } = importOpenapi({ text: JSON.stringify(document), name: 'file' }, 1);
    expect(warnings.filter(isAboutDefault)).toEqual([
      `default that its schema does not accept: ${OTHER}/properties/n/default, ` +
        '#/components/schemas/Thing/properties/member/default',
    ]);
  });

  it('lets requests without the member or parameter pass', async () => {
    const members = {
      part: { default: {}, allOf: [part] },
      date: { type: 'string', format: 'date', default: '' },
    };
    const parameters = [
      { name: 'n', in: 'query', schema: { type: 'integer', default: 'ten' } },
      { name: 'm', in: 'query', schema: { type: 'integer', default: '20' } },
    ];
    const { api, warnings } = importOpenapi({ text: documentOf(members, parameters), name: 'file' }, 1);
    expect(warnings.filter(isAboutDefault)).toEqual([
      'default that its schema does not accept: #/paths/~1things/post/parameters/0/schema/default, ' +
        '#/components/schemas/Thing/properties/part/default, #/components/schemas/Thing/properties/date/default',
    ]);
    const platform = await startTestPlatform({ local: { 'platform-hosting': { apis: { Things: api } } } });
    try {
      const post = (body: object): Promise<Response> =>
        platform.request('/v1/things', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
      expect((await post({})).status).toBe(501);
      expect((await post({ part: {} })).status).toBe(422);
    } finally {
      await platform.stop();
    }
  });
});
