import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import {
  HypermediaCollection,
  HypermediaEntity,
  LinkedEntities,
} from '../../../src/modules/content-negotiation';
import { toHal } from '../../../src/modules/hal/hal';
import { halText } from '../../../src/modules/hal/hal-text';
import { ResponseWriters } from '../../../src/modules/hosting/response-writer/response-writer';

const Book = Type.Object({ id: Type.String(), pages: Type.Optional(Type.Integer()) });
const writers = new ResponseWriters();
const bookWriter = writers.of(Book, false);
const pageWriter = writers.of(Type.Object({ books: Type.Array(Book), page: Type.Integer() }), false);
const listWriter = writers.of(Type.Array(Book), false);

const books = fc.array(
  fc.record({ id: fc.string(), pages: fc.integer() }, { requiredKeys: ['id'] }).map((book) => ({ ...book })),
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

describe('HAL written as text', () => {
  it('is that of the document', () => {
    fc.assert(
      fc.property(books, links, fc.constantFrom(undefined, { page: 1 }, {}), (entities, own, paging) => {
        const options = { name: 'books', links: own, ...(paging === undefined ? {} : { paging }) };
        const writer = paging === undefined ? listWriter : pageWriter;
        const wrapped = entities.map((book) => new HypermediaEntity(book, { links: own }));
        const all = [
          new LinkedEntities(entities, locate, options),
          new HypermediaCollection(wrapped, options),
        ];
        for (const content of all)
          expect(writer && halText(content, writer)).toBe(JSON.stringify(toHal(content)));
        const [first] = wrapped;
        if (first !== undefined)
          expect(bookWriter && halText(first, bookWriter)).toBe(JSON.stringify(toHal(first)));
      }),
      { numRuns: 200 },
    );
  });

  it.each<[string, unknown]>([
    ['an entity with embedded resources', new HypermediaEntity({ id: 'a' }, { embedded: { b: {} } })],
    ['an entity with undeclared members', new HypermediaEntity({ id: 'a', hash: 'h' })],
    ['an item with embedded resources', page([new HypermediaEntity({ id: 'a' }, { embedded: { b: {} } })])],
    ['an item without links of its own', page([{ id: 'a' }])],
    ['a collection of another name', new HypermediaCollection([], { name: 'others', paging: { page: 1 } })],
    ['content without hypermedia', { id: 'a' }],
  ])('is not written for %s', (_, content) => {
    expect(
      pageWriter && halText(content, { ...pageWriter, write: bookWriter?.write ?? fail }),
    ).toBeUndefined();
  });

  it('creates the entities of a collection only when they are read', () => {
    const collection = new LinkedEntities([{ id: 'a', pages: 3 }], locate, { name: 'books', links: {} });
    expect(collection.items).toEqual([
      new HypermediaEntity({ id: 'a', pages: 3 }, { links: { self: '/books/3?"' } }),
    ]);
    expect(collection.items).toBe(collection.items);
  });
});

function page(items: readonly unknown[]): HypermediaCollection {
  return new HypermediaCollection(items, { name: 'books', paging: { page: 1 } });
}

function fail(): never {
  throw new Error('The schema is not covered.');
}
