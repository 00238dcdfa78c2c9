// Hono: a page of the shelf as HAL, with zod for the query.
import { zValidator } from '@hono/zod-validator';
import { z } from 'zod';
import { halPage, hasPage, linkField, shelfLinks } from '../../sample/shelf.mjs';

const query = z.strictObject({ page: z.coerce.number().int().min(1).default(1) });

/** @param {import('hono').Hono} app */
export function shelf(app, only) {
  app.get('/books', only, zValidator('query', query), (context) => {
    const { page } = context.req.valid('query');
    if (!hasPage(page)) return context.json({ status: 409 }, 409);
    const links = shelfLinks(page);
    const { pathname, search } = new URL(context.req.url);
    const text = JSON.stringify(halPage(`${pathname}${search}`, page, links));
    return context.body(text, 200, { 'Content-Type': 'application/hal+json', Link: linkField(links) });
  });
}
