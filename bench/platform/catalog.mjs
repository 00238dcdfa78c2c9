// Prices with one or four declared query parameters, and pages of items with filter and sort.
import { defineApi, defineRestService, Type } from 'apidesc-platform';
import {
  itemFields,
  makers,
  pageOf,
  pageSize,
  priceFields,
  priceOf,
  quoteFields,
  sortNames,
} from '../sample/catalog.mjs';

const prices = (count) =>
  defineRestService({
    description: `Prices for ${count} parameters.`,
    route: `/prices-${count}[/:item_id]`,
    route_identifier_name: 'item_id',
    parameters: { item_id: Type.String({ description: 'The item.' }) },
    fields: Type.Unsafe(priceFields),
    entity: {
      GET: {
        description: 'Returns a price.',
        query: Type.Unsafe({
          type: 'object',
          properties: quoteFields[count],
          required: ['quantity'],
          additionalProperties: false,
        }),
      },
    },
    resource: { fetch: (id, { query }) => priceOf(id, query) },
  });

const Item = defineRestService({
  description: 'Items.',
  route: '/items[/:item_id]',
  route_identifier_name: 'item_id',
  parameters: { item_id: Type.String({ description: 'The item.' }) },
  fields: Type.Unsafe(itemFields),
  page_size: pageSize,
  max_page_size: pageSize,
  collection: {
    GET: {
      description: 'Lists items of a maker.',
      sort: sortNames,
      query: Type.Object({ maker: Type.Unsafe({ type: 'string', enum: makers, description: 'The maker.' }) }),
    },
  },
  resource: {
    fetchAll: ({ page, query, sort: [key] }) =>
      pageOf(query.maker, `${key.descending ? '-' : ''}${key.name}`, page.page),
  },
});

export default {
  name: 'bench-catalog',
  requires: ['hosting'],
  apis: [
    defineApi({
      name: 'Catalog',
      description: 'Prices and items.',
      versions: { 1: { services: { One: prices(1), Four: prices(4), Item } } },
    }),
  ],
};
