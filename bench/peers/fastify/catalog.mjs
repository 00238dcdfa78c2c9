// Fastify: prices and pages of the catalog, with schemas of queries and responses.
import {
  itemFields,
  makers,
  pageBody,
  pageLinks,
  pageOf,
  priceFields,
  priceOf,
  quoteFields,
  sortNames,
} from '../../sample/catalog.mjs';

const pageSchema = {
  type: 'object',
  properties: {
    items: { type: 'array', items: itemFields },
    page: { type: 'integer' },
    page_size: { type: 'integer' },
    page_count: { type: 'integer' },
    total_items: { type: 'integer' },
  },
};

/** @param {import('fastify').FastifyInstance} fastify */
export function catalog(fastify, preHandler) {
  for (const [count, properties] of Object.entries(quoteFields))
    fastify.get(`/prices-${count}/:item_id`, {
      schema: {
        params: { type: 'object', properties: { item_id: { type: 'string' } } },
        querystring: { type: 'object', properties, required: ['quantity'], additionalProperties: false },
        response: { 200: priceFields },
      },
      preHandler,
      handler: (request, reply) => reply.send(priceOf(request.params.item_id, request.query)),
    });
  fastify.get('/items', {
    schema: {
      querystring: {
        type: 'object',
        properties: {
          maker: { type: 'string', enum: makers },
          sort: { type: 'string', enum: sortNames.flatMap((name) => [name, `-${name}`]) },
          page: { type: 'integer', minimum: 1, default: 1 },
        },
        required: ['maker', 'sort'],
        additionalProperties: false,
      },
      response: { 200: pageSchema },
    },
    preHandler,
    handler: (request, reply) => {
      const { maker, sort, page } = request.query;
      const body = pageBody(pageOf(maker, sort, page), page);
      const links = pageLinks('/items', `maker=${maker}&sort=${sort}`, page, body.page_count);
      return page > body.page_count
        ? reply.code(409).send({ statusCode: 409, error: 'Conflict' })
        : reply.header('Link', links).send(body);
    },
  });
}
