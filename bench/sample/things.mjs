// What is routed to: many services that answer with a small entity.

/** An entity as a store gives it: a new object for every request. @param {string} id */
export function thing(id) {
  return { thing_id: id, name: 'Globe', price: 49, in_stock: true, tags: ['paper', 'round'] };
}

/** The JSON Schema of a thing. */
export const thingFields = {
  type: 'object',
  properties: {
    thing_id: { type: 'string', description: 'Given by the server.' },
    name: { type: 'string', description: 'What customers see.' },
    price: { type: 'number', description: 'In euros.' },
    in_stock: { type: 'boolean', description: 'Whether it can be sent today.' },
    tags: { type: 'array', items: { type: 'string' }, description: 'What it is found by.' },
  },
  required: ['thing_id', 'name', 'price', 'in_stock', 'tags'],
};

/** Services that a server has, unless the environment says otherwise. */
export const serviceCount = Number(process.env.BENCH_SERVICES ?? 10);
