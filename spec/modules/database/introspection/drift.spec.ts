import { completed, driftOf } from '../../../../src/modules/database/introspection/drift';
import type { TableModel } from '../../../../src/modules/database/introspection/table-model';

const products: TableModel = {
  name: 'products',
  kind: 'table',
  columns: {
    id: { type: 'integer', declared: 'INTEGER', isNullable: false },
    name: { type: 'text', declared: 'TEXT', isNullable: false },
  },
  primaryKey: ['id'],
  unique: [['name']],
  indexes: [],
  foreignKeys: [],
  fullText: { name: 'product_search' },
};

const drift = (changed: Partial<TableModel>): readonly string[] =>
  driftOf({ tables: { products } }, { tables: { products: { ...products, ...changed } } }).map(
    ({ severity, message }) => `${severity}: ${message}`,
  );

describe('the drift of a table', () => {
  it('is empty without a change', () => {
    expect(drift({})).toEqual([]);
  });

  it('is empty for a snapshot that does not record keys that may be NULL', () => {
    const id = { ...products.columns.id!, isNullableKey: true };
    expect(drift({ columns: { ...products.columns, id } })).toEqual([]);
  });

  it.each([{ isNullableKey: true }, { enumType: '"public"."kind"' }, { dimensions: 2 }])(
    'is empty for a snapshot that does not record %j, which completes it',
    (facts) => {
      const { type, declared, isNullable } = products.columns.name!;
      const name = { type, declared, ...facts, isNullable };
      const now = { ...products, columns: { ...products.columns, name } };
      const before = { tables: { products } };
      const actual = { tables: { products: now } };
      expect(driftOf(before, actual)).toEqual([]);
      expect(completed(before, actual)).toEqual(actual);
      expect(completed(before, { tables: {} })).toEqual(before);
      expect(driftOf(actual, before)).toEqual([]);
    },
  );

  it.each<[string, Partial<TableModel>]>([
    ['breaking: products is a view, and was a table', { kind: 'view' }],
    ['breaking: the column products.name does not exist', { columns: { id: products.columns.id! } }],
    ['breaking: the full-text index of products is another one', { fullText: { name: 'other' } }],
    ['breaking: products has no primary key or unique index of id any more', { primaryKey: [] }],
    ['note: products has no primary key or unique index of name any more', { unique: [] }],
    ['note: the key id of products may be checked at the commit now', { deferrable: [['id']] }],
    ['note: triggers change rows of products now', { isChangedByTriggers: true }],
  ])('%s', (message, changed) => {
    expect(drift(changed)).toEqual([message]);
  });

  it('names a key that cannot be checked at the commit any more', () => {
    const before = { tables: { products: { ...products, deferrable: [['id'], ['name']] } } };
    const now = { tables: { products: { ...products, deferrable: [['name']] } } };
    expect(driftOf(before, now).map(({ message }) => message)).toEqual([
      'the key id of products is checked at once now',
    ]);
  });

  it('names the values that were added to an enum', () => {
    const withValues = (...values: string[]): TableModel => ({
      ...products,
      columns: { name: { type: 'text', declared: 'kind', isNullable: false, values } },
    });
    const messages = (...values: string[]) =>
      driftOf({ tables: { products: withValues('a') } }, { tables: { products: withValues(...values) } }).map(
        ({ message }) => message,
      );
    expect(messages('a', 'b')).toEqual([
      'the column products.name has the new value "b", which clients cannot send yet',
    ]);
    expect(messages('c', 'b', 'a')).toEqual([
      'the column products.name has the new values "c", "b", which clients cannot send yet',
    ]);
  });

  it('has a full-text index that was added or removed', () => {
    const { fullText: _, ...without } = products;
    expect(driftOf({ tables: { products } }, { tables: { products: without } })).toMatchObject([
      { severity: 'breaking', part: 'search', message: 'the full-text index of products does not exist' },
    ]);
    expect(driftOf({ tables: { products: without } }, { tables: { products } })).toMatchObject([
      { severity: 'note', part: 'search', message: 'the full-text index of products is new' },
    ]);
  });

  it('does not repeat a removed column as a key', () => {
    const changed = { columns: { name: products.columns.name! }, primaryKey: [] };
    expect(drift(changed)).toEqual(['breaking: the column products.id does not exist']);
  });
});
