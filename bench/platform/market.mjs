// Items for everyone, accounts and orders for signed-in users.
import { defineApi, defineRestService, Type } from 'apidesc-platform';
import { makers, pageOf, pageSize, sortNames } from '../sample/catalog.mjs';
import {
  account,
  accountFields,
  item,
  itemFields,
  placed,
  storedOrder,
  storedOrderFields,
} from '../sample/market.mjs';

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
  entity: { GET: { description: 'Returns an item.' } },
  resource: {
    fetchAll: ({ page, query, sort: [key] }) =>
      pageOf(query.maker, `${key.descending ? '-' : ''}${key.name}`, page.page),
    fetch: (id) => item(id),
  },
});

const Account = defineRestService({
  description: 'Accounts.',
  route: '/accounts[/:account_id]',
  route_identifier_name: 'account_id',
  parameters: { account_id: Type.String({ description: 'The account.' }) },
  authorization: 'authenticated',
  fields: Type.Unsafe(accountFields),
  entity: { GET: { description: 'Returns an account.' } },
  resource: { fetch: (id) => account(id) },
});

const Order = defineRestService({
  description: 'Orders.',
  route: '/orders[/:order_id]',
  route_identifier_name: 'order_id',
  parameters: { order_id: Type.String({ description: 'The order.' }) },
  authorization: 'authenticated',
  fields: Type.Unsafe(storedOrderFields),
  collection: { POST: { description: 'Places an order.' } },
  entity: { PATCH: { description: 'Changes an order.' } },
  resource: {
    create: (order) => placed(order),
    patch: (id, patch, { merge }) => merge(storedOrder(id), patch),
  },
});

export default {
  name: 'bench-market',
  requires: ['hosting'],
  apis: [
    defineApi({
      name: 'Market',
      description: 'Items, accounts and orders.',
      versions: { 1: { services: { Item, Account, Order } } },
    }),
  ],
};
