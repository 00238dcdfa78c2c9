// A collection of 50, which clients request as HAL.
import { defineApi, defineRestService, Type } from 'apidesc-platform';
import { bookFields, books } from '../sample/shelf.mjs';

const Book = defineRestService({
  description: 'Books.',
  route: '/books[/:book_id]',
  route_identifier_name: 'book_id',
  parameters: { book_id: Type.String({ description: 'The book.' }) },
  fields: Type.Unsafe(bookFields),
  collection_name: 'books',
  page_size: 50,
  selector: 'HalJson',
  accept: ['application/hal+json', 'application/json'],
  collection: { GET: { description: 'Lists books.' } },
  entity: { GET: { description: 'Returns a book.' } },
  resource: {
    fetchAll: ({ page }) => ({
      items: books.slice(page.offset, page.offset + page.pageSize),
      total: books.length,
    }),
    fetch: (id) => books.find(({ book_id }) => book_id === id),
  },
});

export default {
  name: 'bench-shelf',
  requires: ['hosting', 'hal'],
  apis: [defineApi({ name: 'Shelf', description: 'Books.', versions: { 1: { services: { Book } } } })],
};
