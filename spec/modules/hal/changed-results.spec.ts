import { defineApi, defineRestService, Type, type BootstrapEvent, type Module } from '../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../factories/platform';
import { bodyOf } from '../../factories/http/requests';

const Book = defineRestService({
  description: 'Books.',
  route: '/books[/:id]',
  route_identifier_name: 'id',
  parameters: { id: Type.String({ description: 'The book.' }) },
  fields: Type.Object({ id: Type.String(), title: Type.String() }),
  collection_name: 'books',
  page_size: 10,
  selector: 'HalJson',
  accept: ['application/hal+json', 'application/json'],
  collection: { GET: { description: 'Lists books.' } },
  entity: { GET: { description: 'Returns a book.' } },
  resource: {
    fetchAll: () => [{ id: 'a', title: 'Atlas' }],
    fetch: (id) => ({ id, title: 'Atlas' }),
  },
});

/** Changes the listed books after the handler, and before they are shown. */
class ShelfModule implements Module {
  readonly name = 'shelf';
  readonly requires = ['hosting', 'hal'];
  readonly apis = [
    defineApi({ name: 'Shelf', description: 'Books.', versions: { 1: { services: { Book } } } }),
  ];
  change: Readonly<Record<string, unknown>> = {};

  onBootstrap({ application: { events } }: BootstrapEvent): void {
    events.attach(
      'dispatch',
      ({ result }) => {
        const { books = [] } = Object(result) as { readonly books?: readonly object[] };
        for (const book of books) Object.assign(book, this.change);
      },
      0,
    );
  }
}

describe('a HAL collection whose entities a listener changes after the handler', () => {
  const shelf = new ShelfModule();
  let platform: TestPlatform;
  beforeAll(async () => (platform = await startTestPlatform({ extra: [shelf] })));
  afterAll(() => platform.stop());

  const self = { href: '/books/a' };

  it.each<[string, Readonly<Record<string, unknown>>, Readonly<Record<string, unknown>>]>([
    ['nothing', {}, { _links: { self } }],
    ['links', { _links: { author: '/authors/7' } }, { _links: { self, author: { href: '/authors/7' } } }],
    [
      'embedded resources',
      { _embedded: { cover: { x: 1 } } },
      { _links: { self }, _embedded: { cover: { x: 1 } } },
    ],
    ['undeclared members', { hash: 'h' }, { _links: { self } }],
  ])('shows what it adds, if it may be sent: %s', async (_, change, shown) => {
    shelf.change = change;
    const document = await bodyOf(
      await platform.request('/books', { headers: { Accept: 'application/hal+json' } }),
    );
    expect(document._embedded).toEqual({ books: [{ id: 'a', title: 'Atlas', ...shown }] });
  });
});
