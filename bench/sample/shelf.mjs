// The collection of 50.

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
