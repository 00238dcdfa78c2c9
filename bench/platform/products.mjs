// A table service over the products of a database.
import { defineApi, defineTableService } from 'apidesc-platform';

const Product = defineTableService({
  adapter_name: 'bench',
  table_name: 'products',
  route: '/products[/:id]',
  route_identifier_name: 'id',
  columns: { id: {}, name: {}, price: {}, maker: {}, note: {} },
  filters: { price: ['gte'] },
  page_size: 25,
  max_page_size: 300_000,
  collection: { GET: { sort: ['price'] }, POST: {} },
  entity: { GET: {} },
});

export default {
  name: 'bench-products',
  requires: ['database'],
  defaults: { 'platform-db': { adapters: { bench: JSON.parse(process.env.BENCH_DATABASE) } } },
  apis: [
    defineApi({ name: 'Products', description: 'Products.', versions: { 1: { services: { Product } } } }),
  ],
};
