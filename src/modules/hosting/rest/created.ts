/** A new entity created by a PUT. */
export class Created<Entity> {
  readonly entity: Entity;

  constructor(entity: Entity) {
    this.entity = entity;
  }
}

/**
 * Marks the result of `update` as a new entity: the response is 201 with `Location` (RFC 9110, 9.3.4).
 *
 * @example
 * update(id, data) {
 *   const product = { ...data, product_id: id };
 *   return this.#products.put(product) ? product : created(product);
 * }
 */
export function created<Entity>(entity: Entity): Created<Entity> {
  return new Created(entity);
}
