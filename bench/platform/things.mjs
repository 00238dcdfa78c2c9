// The requested number of services, each with one operation.
import { defineApi, defineRestService, Type } from 'apidesc-platform';
import { findThing, isAsync, serviceCount, thing, thingFields } from '../sample/things.mjs';

const resource = { fetch: isAsync ? async (id) => await findThing(id) : (id) => thing(id) };

const service = (at) =>
  defineRestService({
    description: `Things of kind ${at}.`,
    route: `/things-${at}[/:thing_id]`,
    route_identifier_name: 'thing_id',
    parameters: { thing_id: Type.String({ description: 'The thing.' }) },
    fields: Type.Unsafe(thingFields),
    entity: { GET: { description: 'Returns a thing.' } },
    resource,
  });

const services = Object.fromEntries(
  Array.from({ length: serviceCount }, (_, at) => [`Things${at}`, service(at)]),
);

export default {
  name: 'bench-things',
  requires: ['hosting'],
  apis: [defineApi({ name: 'Things', description: 'Things.', versions: { 1: { services } } })],
};
