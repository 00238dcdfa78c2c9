import { failedValidation } from '../../content-validation';
import type { EntityId } from '../../hosting';
import type { Table } from '../service/table';
import { keyNames } from '../service/table-key';

type Keyed = Pick<Table, 'keys'>;

/** Returns the pointer, within an item, to its key; to the item if that has several columns. */
export function keyPointer(table: Keyed): string {
  const [name, ...others] = keyNames(table);
  return others.length === 0 ? `/${name}` : '';
}

/** The rows that the items of a list change: each once, because the response has each as it is afterwards. */
export class DistinctRows {
  readonly #positions = new Map<string, number>();

  constructor(private readonly table: Keyed) {}

  /**
   * @param at position of the item; it may be repeated with the transaction
   * @throws Problem 422 if an item before has the same row
   */
  assertFirst(id: EntityId, at: number): void {
    const text = JSON.stringify(id);
    const first = this.#positions.get(text);
    if (first === undefined) this.#positions.set(text, at);
    else if (first !== at) {
      const message = `is the row of the item ${first} as well`;
      throw failedValidation([{ pointer: keyPointer(this.table), keyword: 'uniqueItems', message }]);
    }
  }
}
