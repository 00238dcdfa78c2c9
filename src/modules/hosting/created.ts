/** An entity that a PUT has made, where there was none. */
export class Created<Entity> {
  readonly entity: Entity;

  constructor(entity: Entity) {
    this.entity = entity;
  }
}

/**
 * Says that `update` has made a new entity: it is answered with 201 and `Location` (RFC 9110, 9.3.4).
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
