import { defineApi, defineModule, defineRestService, Problem, Type } from 'apidesc-platform';

const fields = Type.Object({
  product_id: Type.String({ description: 'Assigned by the server.', examples: ['1'] }),
  name: Type.String({ minLength: 1, description: 'The display name.', examples: ['Globe'] }),
  price: Type.Number({ minimum: 0, description: 'In euros.', examples: [49] }),
});

const products = new Map([
  ['1', { product_id: '1', name: 'Globe', price: 49 }],
  ['2', { product_id: '2', name: 'World map', price: 12 }],
]);

const Product = defineRestService({
  description: 'The products of the shop.',
  route: '/shop/products[/:product_id]',
  route_identifier_name: 'product_id',
  fields,
  input: Type.Omit(fields, ['product_id'], { additionalProperties: false }),
  collection_name: 'products',
  page_size: 25,
  collection: {
    GET: {
      description: 'Lists products.',
      query: Type.Object({
        cheaper_than: Type.Optional(Type.Number({ description: 'The maximum price.' })),
      }),
    },
    POST: { description: 'Adds a product.', status_codes: [{ code: 409, message: 'Conflict' }] },
  },
  entity: {
    GET: { description: 'Returns a product.' },
    DELETE: { description: 'Removes a product.' },
  },
  resource: {
    fetchAll({ query, page }) {
      const { cheaper_than: limit = Infinity } = query;
      const found = [...products.values()].filter(({ price }) => price <= limit);
      return { items: found.slice(page.offset, page.offset + page.pageSize), total: found.length };
    },
    fetch(id) {
      return products.get(id);
    },
    create({ name, price }) {
      if ([...products.values()].some((one) => one.name === name)) {
        throw new Problem(409, `A product named "${name}" already exists.`);
      }
      const product = { product_id: crypto.randomUUID(), name, price };
      products.set(product.product_id, product);
      return product;
    },
    delete(id) {
      return products.delete(id);
    },
  },
});

export default defineModule({
  name: 'shop',
  requires: ['hosting'],
  apis: [
    defineApi({ name: 'Shop', description: 'Globes and maps.', versions: { 1: { services: { Product } } } }),
  ],
});
