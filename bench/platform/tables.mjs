// The requested number of table services: five operations each, ten columns, a table for each.
import { defineApi, defineTableService } from 'apidesc-platform';
import { documentedCount, entityFields, operations } from '../sample/documented.mjs';

const columns = Object.fromEntries(
  Object.entries(entityFields(0).properties).map(([name, { description }]) => [name, { description }]),
);

const service = (at) =>
  defineTableService({
    adapter_name: 'bench',
    table_name: `entities_${at}`,
    description: `Service ${at} of many.`,
    route: `/service-${at}[/:entity_id]`,
    route_identifier_name: 'entity_id',
    columns,
    collection: { GET: { description: operations.list }, POST: { description: operations.create } },
    entity: {
      GET: { description: operations.show },
      PUT: { description: operations.replace },
      DELETE: { description: operations.remove },
    },
  });

const services = Object.fromEntries(
  Array.from({ length: documentedCount }, (_, at) => [`Service${at}`, service(at)]),
);

export default {
  name: 'bench-tables',
  requires: ['database'],
  defaults: { 'platform-db': { adapters: { bench: JSON.parse(process.env.BENCH_DATABASE) } } },
  apis: [defineApi({ name: 'Tables', description: 'Many tables.', versions: { 1: { services } } })],
};
