// The configuration of an API with many services, as an import of an OpenAPI document writes it: 10 kB per service.
import { documentedCount } from './documented.mjs';

/** How many fields the request and the responses of an operation have. */
const FIELDS = 25;

const schema = (service) => ({
  type: 'object',
  properties: Object.fromEntries(
    Array.from({ length: FIELDS }, (_, at) => [
      `field_${at}`,
      { type: 'string', description: `Field ${at} of service ${service}, in a few words.` },
    ]),
  ),
});

const operation = (service, verb) => ({
  description: `${verb} the entities of service ${service}.`,
  response: schema(service),
  handler: 'not-implemented',
});

/** @param {number} [count] of services, `Service0` and so on, each with two operations */
export function largeConfiguration(count = documentedCount) {
  const services = Array.from({ length: count }, (_, at) => [
    `Service${at}`,
    {
      kind: 'rpc',
      description: `Service ${at} of many.`,
      tags: [`group ${at % 40}`],
      route: `/large/service-${at}`,
      methods: { GET: operation(at, 'Lists'), POST: { ...operation(at, 'Makes'), fields: schema(at) } },
    },
  ]);
  const versions = { 1: { services: Object.fromEntries(services) } };
  return { 'platform-hosting': { apis: { Large: { description: 'Many services.', versions } } } };
}
