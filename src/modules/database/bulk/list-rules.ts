import { formatPointer } from '../../../framework';
import { failedValidation } from '../../content-validation';
import type { EntityId, Precondition, ResourceContext } from '../../hosting';
import { MAX_RESULTS } from '../adapters/row-length';
import type { Entity } from '../table/entity';
import type { Table } from '../table/table';
import { formatExactJson } from '../schema/exact-json';
import { keyNames } from '../table/table-key';

type Keyed = Pick<Table, 'keys'>;

/** Returns the pointer, within an item, to its key; to the item if that has several columns. */
export function keyPointer(table: Keyed): string {
  const [name = '', ...others] = keyNames(table);
  return others.length === 0 ? formatPointer([name]) : '';
}

/** The rows that the items of a list change: each once, because the response has each as it is afterwards. */
export class DistinctRows {
  readonly #positions = new Map<string, number>();

  constructor(private readonly table: Keyed) {}

  /**
   * @param id as it was sent, in one notation
   * @param at position of the item; it may be repeated with the transaction
   * @throws Problem 422 if an item before has the same row
   */
  assertFirst(id: EntityId, at: number): void {
    this.#assertNew(`sent ${JSON.stringify(id)}`, at);
  }

  /**
   * Compares the keys as they are stored: databases may ignore case or spaces. An overridden operation may return an entity
   * without them.
   * @throws as {@link assertFirst} does
   */
  assertStored(entity: Entity, at: number): void {
    const keys = keyNames(this.table).map((name) => entity[name]);
    if (keys.every((key) => key !== undefined)) this.#assertNew(`stored ${JSON.stringify(keys)}`, at);
  }

  #assertNew(text: string, at: number): void {
    const first = this.#positions.get(text);
    if (first === undefined) this.#positions.set(text, at);
    else if (first !== at) {
      const message = `is the same entity as the item ${first}`;
      throw failedValidation([{ pointer: keyPointer(this.table), keyword: 'uniqueItems', message }]);
    }
  }
}

const NO_PRECONDITION: Precondition = { ifMatch: undefined, ifNoneMatch: undefined, assert: () => undefined };

/**
 * Returns the context of the items of a list. The preconditions of the request are about the collection (RFC 9110, 13.1.1),
 * and have been compared with it.
 */
export function itemContext<Context extends ResourceContext<unknown>>(context: Context): Context {
  const { ifMatch, ifNoneMatch } = context.precondition;
  if (ifMatch === undefined && ifNoneMatch === undefined) return context;
  return new Proxy(context, {
    // Its class reads private members.
    get: (target, name): unknown =>
      name === 'precondition' ? NO_PRECONDITION : Reflect.get(target, name, target),
  });
}

const TOO_LONG = 'has, with the items before it, a result of more than 16 MiB: send fewer items';

/** The entities that the response to a list has. */
export class ResultList {
  readonly entities: Entity[] = [];
  #length = 0;

  /** @throws Problem 422 if they have more characters than are kept in memory */
  add(entity: Entity): void {
    for (const name in entity) this.#length += lengthOfValue(entity[name]);
    if (this.#length > MAX_RESULTS)
      throw failedValidation([{ pointer: '', keyword: 'results', message: TOO_LONG }]);
    this.entities.push(entity);
  }
}

function lengthOfValue(value: unknown): number {
  if (typeof value === 'string') return value.length;
  return typeof value === 'object' && value !== null ? formatExactJson(value).length : 0;
}
