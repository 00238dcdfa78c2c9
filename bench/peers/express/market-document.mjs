// The OpenAPI document of the market, written by hand, as Express generates none.
import { itemFields } from '../../sample/catalog.mjs';
import { accountFields, orderPatchFields, storedOrderFields } from '../../sample/market.mjs';
import { orderFields } from '../../sample/order.mjs';

const content = (schema) => ({ 'application/json': { schema } });
const text = { schema: { type: 'string' } };
const inPath = (name) => ({ name, in: 'path', required: true, ...text });
const operation = (description, { parameters = [], body, status = 200, schema }) => ({
  description,
  parameters,
  ...(body === undefined ? {} : { requestBody: { content: content(body) } }),
  responses: { [status]: { description: 'Success.', content: content(schema) } },
});

const page = {
  type: 'object',
  properties: {
    items: { type: 'array', items: itemFields },
    page: { type: 'integer' },
    page_size: { type: 'integer' },
    page_count: { type: 'integer' },
    total_items: { type: 'integer' },
  },
};

export const marketDocument = {
  openapi: '3.0.3',
  info: { title: 'Market', version: '1' },
  paths: {
    '/items/{item_id}': {
      get: operation('Returns an item.', { parameters: [inPath('item_id')], schema: itemFields }),
    },
    '/items': {
      get: operation('Lists items.', {
        parameters: ['maker', 'sort', 'page'].map((name) => ({ name, in: 'query', ...text })),
        schema: page,
      }),
    },
    '/accounts/{account_id}': {
      get: operation('Returns an account.', { parameters: [inPath('account_id')], schema: accountFields }),
    },
    '/orders': {
      post: operation('Places an order.', { body: orderFields, status: 201, schema: storedOrderFields }),
    },
    '/orders/{order_id}': {
      patch: operation('Changes an order.', {
        parameters: [inPath('order_id')],
        body: orderPatchFields,
        schema: storedOrderFields,
      }),
    },
  },
};
