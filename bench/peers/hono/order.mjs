// An order as zod validates it.
import { z } from 'zod';

export const order = z.strictObject({
  customer: z.string().min(1).max(80),
  email: z
    .string()
    .regex(/^[^@\s]+@[^@\s]+$/)
    .max(120),
  street: z.string().min(1).max(120),
  city: z.string().min(1).max(80),
  postcode: z.string().regex(/^[0-9A-Z -]{3,10}$/),
  country: z.string().regex(/^[A-Z]{2}$/),
  quantity: z.int().min(1).max(100),
  price: z.number().min(0),
  gift: z.boolean(),
  note: z.string().max(1000),
});
