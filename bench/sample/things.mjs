// The routed services, each of which returns a small entity.

/** Returns an entity like a store: a new object for every request. @param {string} id */
export function thing(id) {
  return { thing_id: id, name: 'Globe', price: 49, in_stock: true, tags: ['paper', 'round'] };
}

/** Whether handlers are asynchronous, as those that ask a database are; configurable in the environment. */
export const isAsync = process.env.BENCH_ASYNC === '1';

/** The same entity, as a store returns it that is asked over a network. @param {string} id */
export async function findThing(id) {
  return thing(id);
}

/** The JSON Schema of a thing. */
export const thingFields = {
  type: 'object',
  properties: {
    thing_id: { type: 'string', description: 'Assigned by the server.' },
    name: { type: 'string', description: 'Display name.' },
    price: { type: 'number', description: 'In euros.' },
    in_stock: { type: 'boolean', description: 'Whether it ships today.' },
    tags: { type: 'array', items: { type: 'string' }, description: 'Search tags.' },
  },
  required: ['thing_id', 'name', 'price', 'in_stock', 'tags'],
};

/** The number of services; configurable in the environment. */
export const serviceCount = Number(process.env.BENCH_SERVICES ?? 10);
