// A market of items, accounts and orders: the requests of a realistic mix.
import { itemFields } from './catalog.mjs';
import { orderFields, orderText } from './order.mjs';

/** An item like those in pages. @param {string} id */
export function item(id) {
  return { item_id: id, name: 'Globe', maker: 'acme', price: 49, in_stock: true };
}

export { itemFields };

/** The JSON Schema of an account. */
export const accountFields = {
  type: 'object',
  properties: {
    account_id: { type: 'string', description: 'Assigned by the server.' },
    owner: { type: 'string', description: 'Name of the owner.' },
    email: { type: 'string', description: 'Email address.' },
    credit: { type: 'number', description: 'In euros.' },
    roles: { type: 'array', items: { type: 'string' }, description: 'What the owner may do.' },
  },
  required: ['account_id', 'owner', 'email', 'credit', 'roles'],
};

/** @param {string} id */
export function account(id) {
  return { account_id: id, owner: 'Ada Lovelace', email: 'ada@example.org', credit: 120.5, roles: ['buyer'] };
}

/** The JSON Schema of an order with its identifier. */
export const storedOrderFields = {
  ...orderFields,
  properties: {
    order_id: { type: 'string', description: 'Assigned by the server.' },
    ...orderFields.properties,
  },
};

/** The JSON Schema of a change: any members. */
export const orderPatchFields = { ...orderFields, required: [] };

const stored = JSON.parse(orderText);

/** The order as it is stored. @param {string} id */
export function storedOrder(id) {
  return { order_id: id, ...stored };
}

/** A new order. @param {object} order */
export function placed(order) {
  return { order_id: '4711', ...order };
}

export const patchText = JSON.stringify({ quantity: 5, gift: false, note: 'Ring twice.' });
