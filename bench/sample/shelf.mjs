// What a collection of 50 is made of.

/** The JSON Schema of a book. */
export const bookFields = {
  type: 'object',
  properties: {
    book_id: { type: 'string', description: 'Given by the server.' },
    title: { type: 'string', description: 'As on the cover.' },
    author: { type: 'string', description: 'Who wrote it.' },
    year: { type: 'integer', description: 'Of the first edition.' },
    pages: { type: 'integer', description: 'How long it is.' },
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
