// The requested number of documented services: five operations each, ten fields.
import { defineApi, defineRestService, Type } from 'apidesc-platform';
import { documentedCount, entity, entityFields, operations } from '../sample/documented.mjs';

const resource = {
  fetchAll: () => [entity('1')],
  fetch: (id) => entity(id),
  create: (data) => ({ ...data, entity_id: '1' }),
  update: (id, data) => ({ ...data, entity_id: id }),
  delete: () => true,
};

const service = (at) =>
  defineRestService({
    description: `Service ${at} of many.`,
    route: `/service-${at}[/:entity_id]`,
    route_identifier_name: 'entity_id',
    parameters: { entity_id: Type.String({ description: 'The identifier.' }) },
    fields: Type.Unsafe(entityFields(at)),
    collection: { GET: { description: operations.list }, POST: { description: operations.create } },
    entity: {
      GET: { description: operations.show },
      PUT: { description: operations.replace },
      DELETE: { description: operations.remove },
    },
    resource,
  });

const services = Object.fromEntries(
  Array.from({ length: documentedCount }, (_, at) => [`Service${at}`, service(at)]),
);

export default {
  name: 'bench-documented',
  requires: ['hosting'],
  apis: [defineApi({ name: 'Documented', description: 'Many services.', versions: { 1: { services } } })],
};
