// Hono: prices and pages of the catalog, with zod for queries.
import { zValidator } from '@hono/zod-validator';
import { z } from 'zod';
import { makers, pageBody, pageLinks, pageOf, priceOf, sortNames } from '../../sample/catalog.mjs';

const quantity = z.coerce.number().int().min(1).max(1000);
const quotes = {
  1: z.strictObject({ quantity }),
  4: z.strictObject({
    quantity,
    currency: z.enum(['EUR', 'USD', 'GBP']).optional(),
    discount: z.coerce.number().min(0).max(1).optional(),
    gift: z
      .enum(['true', 'false'])
      .transform((text) => text === 'true')
      .optional(),
  }),
};
const pages = z.strictObject({
  maker: z.enum(makers),
  sort: z.enum(sortNames.flatMap((name) => [name, `-${name}`])),
  page: z.coerce.number().int().min(1).default(1),
});

/** @param {import('hono').Hono} app */
export function catalog(app, only) {
  for (const [count, schema] of Object.entries(quotes))
    app.get(`/prices-${count}/:item_id`, only, zValidator('query', schema), (context) =>
      context.json(priceOf(context.req.param('item_id'), context.req.valid('query'))),
    );
  app.get('/items', only, zValidator('query', pages), (context) => {
    const { maker, sort, page } = context.req.valid('query');
    const body = pageBody(pageOf(maker, sort, page), page);
    if (page > body.page_count) return context.json({ status: 409 }, 409);
    const links = pageLinks('/items', `maker=${maker}&sort=${sort}`, page, body.page_count);
    return context.json(body, 200, { Link: links });
  });
}
