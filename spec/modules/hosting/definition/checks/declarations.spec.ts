import fc from 'fast-check';
import { Type, type Module } from '../../../../../src/platform';
import { ConfigurationError } from '../../../../../src/framework';
import { assertDeclarations } from '../../../../../src/modules/hosting/definition/checks/declarations';
import { HOSTING, startRefusal } from '../../../../factories/processes/start-refusal';

/** Declarations that plain JavaScript allows but the types do not. */
const refusalOf = (apis: unknown): Promise<string> =>
  startRefusal({
    modules: HOSTING,
    extra: [{ name: 'shop', requires: ['hosting'], apis: apis as NonNullable<Module['apis']> }],
  });
const book = {
  route: '/books[/:id]',
  route_identifier_name: 'id',
  fields: Type.Object({ id: Type.String() }),
  collection: { GET: {} },
  resource: { fetchAll: () => [] },
};
const cover = { route: '/cover', methods: { GET: { handler: () => 1 } } };
const withServices = (services: unknown) => [{ name: 'Shop', versions: { 1: { services } } }];
const Book = 'The module "shop": apis.Shop.versions.1.services.Book';

it.each([
  [42, 'at least 100'],
  [99, 'at least 100'],
  [600, 'at most 599'],
])('a declaration has no status %d, which is not of HTTP (RFC 9110, 15)', async (code, limit) => {
  const GET = { status_codes: [{ code, message: 'Odd' }] };
  expect(await refusalOf(withServices({ Book: { ...book, collection: { GET } } }))).toBe(
    `${Book}.collection.GET.status_codes[0].code: is ${code}; it must be ${limit}.`,
  );
});

describe('a declaration in code', () => {
  it.each([
    [{ a: 1 }, 'apis is an object. Write a list of what defineApi returns, or a function that returns one.'],
    [() => 'x', 'apis is the string "x". Write a list of what defineApi returns'],
    [
      () => {
        throw new Error('no rates');
      },
      'apis() failed: no rates',
    ],
    [[undefined], 'apis[0] is undefined. Write a plain object, as defineApi returns it.'],
    [[new Map()], 'apis[0] is an instance of Map. Write a plain object'],
    [[{ versions: {} }], 'apis[0].name is undefined. Write a name that begins with a letter.'],
    [[{ name: 'Shop' }], 'the API Shop has no versions. Write versions: { 1: { services } }.'],
    [[{ name: 'Shop', versions: [] }], 'apis.Shop.versions: is []; it must be of type object.'],
    [
      [{ name: 'Shop', cors: '*', versions: { 1: {} } }],
      'apis.Shop.cors: is "*"; it must be of type object.',
    ],
    [
      [{ name: 'Shop', versions: { 1: {}, 2: { inherits: '1' } } }],
      'apis.Shop.versions.2.inherits: is "1"; it must be of type integer.',
    ],
    [withServices([book]), 'apis.Shop.versions.1.services: is an array; it must be of type object.'],
    [
      withServices({ Book: undefined }),
      'apis.Shop.versions.1.services.Book: is undefined; it must be of type object.',
    ],
  ])('that is not an API does not start, and names its module (%#)', async (apis, message) => {
    expect(await refusalOf(apis)).toContain(`The module "shop": ${message}`);
  });

  it.each([
    [{ kind: 'soap' }, 'kind: is "soap"; allowed: "rest" or "rpc".'],
    [{ route: 5 }, 'route: is 5; it must be of type string.'],
    [{ description: 5 }, 'description: is 5; it must be of type string.'],
    [{ body_limit: '10kb' }, 'body_limit: is "10kb"; it must be of type integer.'],
    [{ body_limit: -1 }, 'body_limit: is -1; it must be at least 0.'],
    [{ body_limit: 5n }, 'body_limit: is a bigint; it must be of type integer.'],
    [{ accept: 'application/json' }, 'accept: is "application/json"; it must be of type array.'],
    [{ content_type: [] }, 'content_type: is []; it must have at least 1 item.'],
    [{ content_type: ['*/*'] }, 'content_type[0]: is "*/*"; it must match'],
    [{ unknown_members: 'reject' }, 'unknown_members: is "reject"; allowed: "refuse" or "drop".'],
    [{ page_size: '5' }, 'page_size: is "5"; it must be of type integer.'],
    [{ fields: 'x' }, 'fields: is "x"; it must be of type object.'],
    [
      { resource: 5 },
      'resource: is 5; it must be of type string. In code it may also be a resource, or its class.',
    ],
    [
      { validators: () => [] },
      'validators: is a function validators; it must be of type array. In code it may also be functions.',
    ],
    [
      { validators: [() => [], 5] },
      'validators[1]: is 5; it must be of type string. In code it may also be functions.',
    ],
    [{ collection: { GET: { sort: 'id' } } }, 'collection.GET.sort: is "id"; it must be of type array.'],
    [
      { collection: { PUT: { precondition: 'yes' } } },
      'collection.PUT.precondition: is "yes"; allowed: "required".',
    ],
  ])('of a service with %p does not start, and names its key', async (odd, message) => {
    expect(await refusalOf(withServices({ Book: { ...book, ...odd } }))).toContain(`${Book}.${message}`);
  });

  it.each([
    [{ response_type: 'image/png' }, 'response_type: is "image/png"; it must be of type array.'],
    [{ stream: 'application/x-ndjson' }, 'stream: is "application/x-ndjson"; it must be of type array.'],
    [{ handler: 5 }, 'handler: is 5; it must be of type string. In code it may also be a function.'],
  ])('of a procedure with %p does not start, and names its key', async (odd, message) => {
    const methods = { GET: { ...cover.methods.GET, ...odd } };
    expect(await refusalOf(withServices({ Book: { ...cover, methods } }))).toContain(
      `${Book}.methods.GET.${message}`,
    );
  });

  it('reports all its errors at once', async () => {
    const message = await refusalOf(withServices({ Book: { ...book, route: 5, kind: 'soap' } }));
    expect(message.split('\n')).toHaveLength(2);
  });

  it('is rejected with a message, whatever it contains', () => {
    fc.assert(
      fc.property(
        fc.anything({ withBigInt: true, withDate: true, withMap: true }),
        fc.nat(5),
        (odd, depth) => {
          const nested = [
            odd,
            [odd],
            [{ name: 'Shop', versions: odd }],
            [{ name: 'Shop', versions: { 1: odd } }],
            withServices({ Book: odd }),
            withServices({ Book: { ...book, collection: { GET: odd } } }),
          ][depth];
          try {
            assertDeclarations(nested, 'shop', []);
          } catch (error) {
            expect(error).toBeInstanceOf(ConfigurationError);
          }
        },
      ),
    );
  });
});
