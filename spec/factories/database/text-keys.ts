import type { ConfigObject } from '../../../src/framework';

/** Tables whose primary keys are one text, and two. SQLite allows null in both. */
export const TEXT_KEY_TABLES = `CREATE TABLE words (word TEXT PRIMARY KEY, size INTEGER);
  CREATE TABLE pairs (a TEXT, b TEXT, size INTEGER, PRIMARY KEY (a, b));`;

/** The services over {@link TEXT_KEY_TABLES}, at `/words` and `/pairs`, without operations. */
export const WORD_SERVICE: ConfigObject = {
  table_name: 'words',
  route: '/words[/:word]',
  route_identifier_name: 'word',
  columns: { word: {}, size: {} },
};
export const PAIR_SERVICE: ConfigObject = {
  table_name: 'pairs',
  route: '/pairs[/:a/:b]',
  route_identifier_name: ['a', 'b'],
  columns: { a: {}, b: {}, size: {} },
};
