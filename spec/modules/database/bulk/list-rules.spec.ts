import { DistinctRows } from '../../../../src/modules/database/bulk/list-rules';
import type { Table } from '../../../../src/modules/database/table/table';

// Of the keys, only the names of their columns are read.
const rows = (): DistinctRows =>
  new DistinctRows({ keys: [{ column: { name: 'id' } }] as unknown as Table['keys'] });

describe('the rows of a list', () => {
  it('are compared as they are stored, whatever was sent', () => {
    const list = rows();
    list.assertFirst('a', 0);
    list.assertStored({ id: 'A' }, 0);
    list.assertFirst('A', 1);
    expect(() => list.assertStored({ id: 'A' }, 1)).toThrow();
  });

  it('may be the same again when their transaction is repeated', () => {
    const list = rows();
    for (let turn = 0; turn < 2; turn++) {
      list.assertFirst('a', 0);
      expect(() => list.assertStored({ id: 'a' }, 0)).not.toThrow();
    }
  });

  it('are not compared where an overridden operation returns no key', () => {
    const list = rows();
    list.assertStored({ name: 'x' }, 0);
    expect(() => list.assertStored({ name: 'x' }, 1)).not.toThrow();
  });
});
