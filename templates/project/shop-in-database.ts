import { defineApi, defineModule, defineTableService, Type } from 'apidesc-platform';

/** Each is applied once, when the server starts. Never change one that was applied: add another. */
const migrations = [
  {
    name: '1_products',
    sql: `
      CREATE TABLE products (
        slug VARCHAR(100) PRIMARY KEY,
        name VARCHAR(100) NOT NULL,
        price INTEGER NOT NULL CHECK (price >= 0)
      );
      CREATE INDEX products_by_price ON products (price, slug);
      INSERT INTO products VALUES ('globe', 'Globe', 4900), ('world-map', 'World map', 1200);
    `,
  },
];

const Product = defineTableService({
  description: 'The products of the shop.',
  adapter_name: 'shop',
  table_name: 'products',
  route: '/shop/products[/:slug]',
  route_identifier_name: 'slug',
  collection_name: 'products',
  columns: {
    slug: { read_only: true, description: 'Derived from the name.' },
    name: {
      schema: Type.String({ minLength: 1, maxLength: 100, pattern: '[A-Za-z0-9]' }),
      description: 'The display name.',
    },
    price: { description: 'In cents.' },
  },
  filters: { price: ['gte', 'lte'] },
  page_size: 25,
  hooks: {
    beforeCreate: (values) => ({
      ...values,
      slug: values.name
        ?.toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '-')
        .replaceAll(/^-|-$/g, ''),
    }),
  },
  collection: {
    GET: { description: 'Lists products.', sort: ['price'] },
    POST: { description: 'Adds a product.', status_codes: [{ code: 409, message: 'Conflict' }] },
  },
  entity: {
    GET: { description: 'Returns a product.' },
    PATCH: { description: 'Changes a product.' },
    DELETE: { description: 'Removes a product.' },
  },
});

export default defineModule({
  name: 'shop',
  requires: ['database'],
  migrations: { shop: { sqlite: migrations, postgres: migrations } },
  apis: [
    defineApi({ name: 'Shop', description: 'Globes and maps.', versions: { 1: { services: { Product } } } }),
  ],
});
