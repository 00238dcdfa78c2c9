// Fastify with @fastify/basic-auth, whose validate function uses bcrypt, as in its documentation.
import basicAuth from '@fastify/basic-auth';
import { compare } from 'bcrypt';
import Fastify from 'fastify';
import { bcryptHash, realm, user } from '../../sample/guarded.mjs';
import { thing, thingFields } from '../../sample/things.mjs';
import { announce } from '../listen.mjs';

const fastify = Fastify();
await fastify.register(basicAuth, {
  authenticate: { realm },
  async validate(username, password) {
    if (username !== user || !(await compare(password, bcryptHash))) return new Error('Unauthorized');
    return undefined;
  },
});

fastify.get('/basic/:thing_id', {
  schema: { response: { 200: thingFields } },
  onRequest: fastify.basicAuth,
  handler: (request, reply) => reply.send(thing(request.params.thing_id)),
});

await fastify.listen({ port: 0, host: '127.0.0.1' });
announce(fastify.server.address().port);
