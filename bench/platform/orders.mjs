// A procedure that takes a kilobyte of ten fields.
import { defineApi, defineProcedure, defineRpcService, Type } from 'apidesc-platform';
import { orderFields, receipt, receiptFields } from '../sample/order.mjs';

const Order = defineRpcService({
  description: 'Orders.',
  route: '/orders',
  methods: {
    POST: defineProcedure({
      description: 'Takes an order.',
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
