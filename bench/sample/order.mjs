// The request body: 1 KB of JSON with ten validated fields.

/** The JSON Schema of an order. */
export const orderFields = {
  type: 'object',
  properties: {
    customer: { type: 'string', minLength: 1, maxLength: 80, description: 'The customer.' },
    email: {
      type: 'string',
      pattern: '^[^@\\s]+@[^@\\s]+$',
      maxLength: 120,
      description: 'Email address of the customer.',
    },
    street: { type: 'string', minLength: 1, maxLength: 120, description: 'Street and number.' },
    city: { type: 'string', minLength: 1, maxLength: 80, description: 'Town or city.' },
    postcode: { type: 'string', pattern: '^[0-9A-Z -]{3,10}$', description: 'Postal code.' },
    country: { type: 'string', pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2 code.' },
    quantity: { type: 'integer', minimum: 1, maximum: 100, description: 'Pieces.' },
    price: { type: 'number', minimum: 0, description: 'Price in euros per item.' },
    gift: { type: 'boolean', description: 'Whether to wrap it.' },
    note: { type: 'string', maxLength: 1000, description: 'Remark of the customer.' },
  },
  required: [
    'customer',
    'email',
    'street',
    'city',
    'postcode',
    'country',
    'quantity',
    'price',
    'gift',
    'note',
  ],
  additionalProperties: false,
};

/** The JSON Schema of the response. */
export const receiptFields = {
  type: 'object',
  properties: {
    order_id: { type: 'string', description: 'Assigned by the server.' },
    total: { type: 'number', description: 'Euros.' },
  },
  required: ['order_id', 'total'],
};

/** @param {{ quantity: number, price: number }} order */
export function receipt({ quantity, price }) {
  return { order_id: '4711', total: quantity * price };
}

const order = {
  customer: 'Ada Lovelace',
  email: 'ada@example.org',
  street: '12 St James Square',
  city: 'London',
  postcode: 'SW1Y 4JH',
  country: 'GB',
  quantity: 3,
  price: 49.5,
  gift: true,
  note: '',
};

/** 1,024 bytes. */
export const orderText = JSON.stringify({
  ...order,
  note: 'Please leave it with the neighbours. '.repeat(30).slice(0, 1024 - JSON.stringify(order).length),
});
