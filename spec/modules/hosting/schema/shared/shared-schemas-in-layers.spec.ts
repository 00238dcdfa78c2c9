import type { Static } from '@sinclair/typebox';
import {
  defineApi,
  defineProcedure,
  defineRpcService,
  Type,
  type ConfigObject,
  type Module,
} from '../../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../../factories/platform';
import { bodyOf, sendJson } from '../../../../factories/http/requests';
import { HOSTING, startRefusal } from '../../../../factories/processes/start-refusal';

const Size = Type.Object({ width: Type.Integer({ minimum: 1 }), depth: Type.Integer() });
// Type.Recursive copies its content.
const aSize = Type.Unsafe<Static<typeof Size>>({ $ref: '#/schemas/Size' });
const Node = Type.Recursive((self) => Type.Object({ size: aSize, next: Type.Optional(self) }));

const echo = (fields: ReturnType<typeof Type.Object>) =>
  defineProcedure({ fields, response: fields, handler: ({ body }) => body });

const boxes: Module = {
  name: 'boxes',
  requires: ['hosting'],
  apis: [
    defineApi({
      name: 'Boxes',
      versions: {
        1: {
          schemas: { Size, Node, Colour: Type.String() },
          services: {
            Box: defineRpcService({
              route: '/boxes',
              methods: {
                POST: echo(
                  Type.Object({
                    size: { ...Size, description: 'How large it is.' },
                    other: Type.Optional(Size),
                    node: Type.Optional(Node),
                    colour: Type.Optional(Type.Unsafe({ $ref: '#/schemas/Colour' })),
                  }),
                ),
              },
            }),
          },
        },
        2: { inherits: 1 },
      },
    }),
  ],
};

const layer = (versions: ConfigObject): ConfigObject => ({
  'platform-hosting': { apis: { Boxes: { versions } } },
});
const size = { width: 3, depth: 3 };

describe('shared schemas that code and configuration define', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startTestPlatform({
      modules: [...HOSTING, 'documentation', 'documentation-apidesc'],
      extra: [boxes],
      local: layer({
        1: { schemas: { Size: { properties: { width: { maximum: 9, minimum: null } } } } },
        2: { schemas: { Colour: { type: 'string', enum: ['red'] }, Weight: { type: 'number' } } },
      }),
    });
  });
  afterAll(() => platform.stop());
  const post = async (version: number, value: object): Promise<number> =>
    (await platform.request(`/v${version}/boxes`, sendJson(value))).status;
  const schemasOf = async (version: number): Promise<Record<string, object>> => {
    const document = await bodyOf(
      await platform.request(`/platform/documentation/Boxes-v${version}?format=apidesc`),
    );
    return (document.components as { schemas: Record<string, object> }).schemas;
  };

  it('are merged member by member, wherever they are used', async () => {
    expect(await post(1, { size })).toBe(200);
    expect(await post(1, { size: { ...size, width: 0 } })).toBe(200);
    expect(await post(1, { size: { ...size, width: 10 } })).toBe(422);
    expect(await post(1, { size, other: { ...size, width: 10 } })).toBe(422);
    expect(await post(1, { size, node: { size, next: { size: { ...size, width: 10 } } } })).toBe(422);
  });

  it('are inherited, except for those that the version overrides', async () => {
    expect(await post(1, { size, colour: 'blue' })).toBe(200);
    expect(await post(2, { size, colour: 'blue' })).toBe(422);
    expect(await post(2, { size, colour: 'red' })).toBe(200);
    expect(await post(2, { size: { ...size, width: 10 } })).toBe(422);
  });

  it('are recognized in code by identity, with other descriptions too', async () => {
    const schemas = await schemasOf(1);
    expect(schemas.BoxPostRequest).toMatchObject({
      properties: {
        size: { $ref: '#/components/schemas/Size', description: 'How large it is.' },
        other: { $ref: '#/components/schemas/Size' },
        node: { $ref: '#/components/schemas/Node' },
        colour: { $ref: '#/components/schemas/Colour' },
      },
    });
    expect(schemas.Size).toMatchObject({ properties: { width: { type: 'integer', maximum: 9 } } });
    expect(schemas.Node).toMatchObject({
      properties: {
        size: { $ref: '#/components/schemas/Size' },
        next: { $ref: '#/components/schemas/Node' },
      },
    });
    expect(Object.keys(schemas).sort()).toEqual(['BoxPostRequest', 'Colour', 'Node', 'Problem', 'Size']);
  });
});

describe('a shared schema that configuration removes', () => {
  it('does not exist, nor in a version that inherits', async () => {
    const refusal = (versions: ConfigObject) =>
      startRefusal({ modules: HOSTING, extra: [boxes], local: layer(versions) });
    expect(await refusal({ 1: { schemas: { Colour: null } } })).toBe(
      [1, 2]
        .map(
          (version) =>
            `The service Box of Boxes-v${version}: methods POST: fields refers to "#/schemas/Colour" at properties.colour, which is not in the "schemas" of the version. Available: Size, Node.`,
        )
        .join('\n'),
    );
    expect(await refusal({ 2: { schemas: { Colour: null } } })).toContain('The service Box of Boxes-v2');
  });

  it('has a name that is valid in a reference', async () => {
    const refusal = await startRefusal({
      modules: HOSTING,
      local: layer({ 3: { schemas: { 'a/b': {} } } }),
    });
    expect(refusal).toContain('platform-hosting.apis.Boxes.versions.3.schemas');
    expect(refusal).toContain('a/b');
  });
});

describe('declarations of shared schemas in code', () => {
  it('are validated', async () => {
    const wrong: Module = {
      ...boxes,
      apis: [{ name: 'Boxes', versions: { 1: { schemas: { Size: 'large' as never, 'b c': Size } } } }],
    };
    const refusal = await startRefusal({ modules: HOSTING, extra: [wrong] });
    expect(refusal.split('\n')).toEqual([
      'The module "boxes": apis.Boxes.versions.1.schemas.b c: unknown key. Allowed: names that match ^[A-Za-z0-9_.-]+$.',
      'The module "boxes": apis.Boxes.versions.1.schemas.Size: is "large"; it must be of type object.',
    ]);
  });
});
