// The collection of 50, and its page as HAL, written by hand.

/** The JSON Schema of a book. */
export const bookFields = {
  type: 'object',
  properties: {
    book_id: { type: 'string', description: 'Assigned by the server.' },
    title: { type: 'string', description: 'Title.' },
    author: { type: 'string', description: 'Author.' },
    year: { type: 'integer', description: 'Year of the first edition.' },
    pages: { type: 'integer', description: 'Number of pages.' },
    price: { type: 'number', description: 'In euros.' },
  },
  required: ['book_id', 'title', 'author', 'year', 'pages', 'price'],
};

export const books = Array.from({ length: 50 }, (_, at) => ({
  book_id: `book-${at + 1}`,
  title: `The ${at + 1}th voyage`,
  author: 'Jules Verne',
  year: 1863 + at,
  pages: 200 + at,
  price: 9.9 + at,
}));

const pageSize = 50;
const pages = Math.ceil(books.length / pageSize);

/** Whether a page exists. @param {number} page */
export const hasPage = (page) => page >= 1 && page <= pages;

/**
 * The links of a page to others: the target of each by its relation.
 * @param {number} page @returns {Record<string, string>}
 */
export function shelfLinks(page) {
  const links = { first: '/books' };
  if (page > 1) links.prev = `/books?page=${page - 1}`;
  if (page < pages) links.next = `/books?page=${page + 1}`;
  links.last = `/books?page=${pages}`;
  return links;
}

/**
 * A page as HAL, with new objects for entities and links, like those of a server that reads a store.
 * @param {string} target of the request @param {number} page @param {Record<string, string>} links those of the page
 */
export function halPage(target, page, links) {
  const _links = { self: { href: target } };
  for (const rel in links) _links[rel] = { href: links[rel] };
  const found = books.slice((page - 1) * pageSize, page * pageSize).map((book) => ({
    _links: { self: { href: `/books/${encodeURIComponent(book.book_id)}` } },
    book_id: book.book_id,
    title: book.title,
    author: book.author,
    year: book.year,
    pages: book.pages,
    price: book.price,
  }));
  return {
    _links,
    _embedded: { books: found },
    page,
    page_size: pageSize,
    page_count: pages,
    total_items: books.length,
  };
}

/** `Link` (RFC 8288) of the links of a page. @param {Record<string, string>} links */
export function linkField(links) {
  const parts = [];
  for (const rel in links) parts.push(`<${links[rel]}>; rel="${rel}"`);
  return parts.join(', ');
}
