// Fastify with @fastify/swagger for the documented services; compresses responses and sends ETags.
import compress from '@fastify/compress';
import etag from '@fastify/etag';
import swagger from '@fastify/swagger';
import Fastify from 'fastify';
import { documentedCount, entity, entityFields, operations } from '../../sample/documented.mjs';
import { announce } from '../listen.mjs';

const fastify = Fastify();
await fastify.register(swagger, { openapi: { info: { title: 'Documented', version: '1' } } });
await fastify.register(compress);
await fastify.register(etag);

const params = {
  type: 'object',
  properties: { entity_id: { type: 'string', description: 'The identifier.' } },
};

await fastify.register((app, _, done) => {
  for (let at = 0; at < documentedCount; at++) {
    const fields = entityFields(at);
    const one = `/service-${at}/:entity_id`;
    const of = (description, rest) => ({ schema: { description, ...rest } });
    app.get(
      `/service-${at}`,
      of(operations.list, { response: { 200: { type: 'array', items: fields } } }),
      () => [entity('1')],
    );
    app.post(
      `/service-${at}`,
      of(operations.create, { body: fields, response: { 201: fields } }),
      (request, reply) => reply.code(201).send(request.body),
    );
    app.get(one, of(operations.show, { params, response: { 200: fields } }), (request) =>
      entity(request.params.entity_id),
    );
    app.put(one, of(operations.replace, { params, body: fields, response: { 200: fields } }), (request) => ({
      ...request.body,
      entity_id: request.params.entity_id,
    }));
    app.delete(one, of(operations.remove, { params }), (_request, reply) => reply.code(204).send());
  }
  app.get('/documentation/json', { schema: { hide: true } }, () => fastify.swagger());
  done();
});

await fastify.listen({ port: 0, host: '127.0.0.1' });
announce(fastify.server.address().port);
