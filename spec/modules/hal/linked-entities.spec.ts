import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import {
  HypermediaCollection,
  HypermediaEntity,
  LinkedEntities,
} from '../../../src/modules/content-negotiation';
import { toHal } from '../../../src/modules/hal/hal';
import { ResponseMatchers } from '../../../src/modules/hosting/response-matcher/response-matcher';

const Book = Type.Object({ id: Type.String(), pages: Type.Optional(Type.Integer()) });
const copyBook = new ResponseMatchers().of(Type.Array(Book), false)?.lists.get('')?.() ?? fail();

const books = fc.array(
  fc
    .tuple(fc.record({ id: fc.string(), pages: fc.integer() }, { requiredKeys: ['id'] }), fc.boolean())
    .map(([book, isReversed]) =>
      Object.fromEntries(isReversed ? Object.entries(book).reverse() : Object.entries(book)),
    ),
  { maxLength: 4 },
);
const links = fc.constantFrom(
  {},
  { self: '/a"b' },
  { self: '/a', next: { href: '/b{?q}', templated: true }, tag: ['/1', { href: '/2' }] },
);

/** An entity without identifier has no link to itself. */
const locate = (book: object): string | undefined =>
  'pages' in book ? `/books/${encodeURIComponent(String(book.pages))}?"` : undefined;

describe('A collection of linked entities', () => {
  it('is shown as HAL like one of separate entities', () => {
    fc.assert(
      fc.property(books, links, fc.constantFrom(undefined, { page: 1 }, {}), (entities, own, paging) => {
        const options = { name: 'books', links: own, ...(paging === undefined ? {} : { paging }) };
        const linked = new LinkedEntities(entities, locate, copyBook, options);
        const separate = new HypermediaCollection(linked.items, options);
        expect(JSON.parse(JSON.stringify(toHal(linked)))).toEqual(
          JSON.parse(JSON.stringify(toHal(separate))),
        );
      }),
      { numRuns: 200 },
    );
  });

  it('creates its items only when they are read', () => {
    const collection = new LinkedEntities([{ id: 'a', pages: 3 }], locate, copyBook, {
      name: 'books',
      links: {},
    });
    expect(collection.items).toEqual([
      new HypermediaEntity({ id: 'a', pages: 3 }, { links: { self: '/books/3?"' } }),
    ]);
    expect(collection.items).toBe(collection.items);
  });
});

function fail(): never {
  throw new Error('The schema is not covered.');
}
