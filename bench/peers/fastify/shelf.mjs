// Fastify: a page of the shelf as HAL, with schemas of the query and the response.
import { bookFields, halPage, hasPage, linkField, shelfLinks } from '../../sample/shelf.mjs';

const link = { type: 'object', properties: { href: { type: 'string' } } };
const links = (...names) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, link])),
});
const page = {
  type: 'object',
  properties: {
    _links: links('self', 'first', 'last', 'prev', 'next'),
    _embedded: {
      type: 'object',
      properties: {
        books: {
          type: 'array',
          items: { type: 'object', properties: { ...bookFields.properties, _links: links('self') } },
        },
      },
    },
    page: { type: 'integer' },
    page_size: { type: 'integer' },
    page_count: { type: 'integer' },
    total_items: { type: 'integer' },
  },
};

/** @param {import('fastify').FastifyInstance} fastify */
export function shelf(fastify, preHandler) {
  fastify.get('/books', {
    schema: {
      querystring: {
        type: 'object',
        properties: { page: { type: 'integer', minimum: 1, default: 1 } },
        additionalProperties: false,
      },
      response: { 200: page },
    },
    preHandler,
    handler: (request, reply) => {
      const { page: number } = request.query;
      if (!hasPage(number)) return reply.code(409).send({ statusCode: 409, error: 'Conflict' });
      const others = shelfLinks(number);
      return reply
        .type('application/hal+json')
        .header('Link', linkField(others))
        .send(halPage(request.url, number, others));
    },
  });
}
