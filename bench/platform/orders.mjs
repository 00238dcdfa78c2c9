// A procedure that accepts a kilobyte of ten fields.
import { defineApi, defineProcedure, defineRpcService, Type } from 'apidesc-platform';
import { orderFields, receipt, receiptFields } from '../sample/order.mjs';

const Order = defineRpcService({
  description: 'Orders.',
  route: '/orders',
  methods: {
    POST: defineProcedure({
      description: 'Places an order.',
      fields: Type.Unsafe(orderFields),
      response: Type.Unsafe(receiptFields),
      handler: ({ body }) => receipt(body),
    }),
  },
});

export default {
  name: 'bench-orders',
  requires: ['hosting'],
  apis: [defineApi({ name: 'Orders', description: 'Orders.', versions: { 1: { services: { Order } } } })],
};
