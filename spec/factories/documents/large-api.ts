import type { ConfigObject } from '../../../src/framework';

/** The members of a schema, each with a text. */
function properties(service: number, fields: number): ConfigObject {
  return Object.fromEntries(
    Array.from({ length: fields }, (_, at) => [
      `field_${at}`,
      {
        type: ['string', 'integer', 'boolean'][at % 3] ?? 'string',
        description: `Field ${at} of service ${service}.`,
      },
    ]),
  );
}

/**
 * The configuration of an API with many documented services, as an import writes it: `Large` in version 1, with services
 * `Service0`, `Service1`, …, each with two operations.
 * @param fields of each request and response
 */
export function largeApi(services: number, fields: number): ConfigObject {
  const schema = (service: number): ConfigObject => ({
    type: 'object',
    properties: properties(service, fields),
  });
  const entries = Array.from({ length: services }, (_, at): [string, ConfigObject] => [
    `Service${at}`,
    {
      kind: 'rpc',
      description: `Service ${at} of many.`,
      tags: [`group ${at % 10}`],
      route: `/large/service-${at}`,
      methods: {
        GET: { description: `Shows service ${at}.`, response: schema(at), handler: 'not-implemented' },
        POST: {
          description: `Changes service ${at}.`,
          fields: schema(at),
          response: schema(at),
          handler: 'not-implemented',
        },
      },
    },
  ]);
  return {
    'platform-hosting': {
      apis: {
        Large: {
          description: 'Many services.',
          versions: { '1': { services: Object.fromEntries(entries) } },
        },
      },
    },
  };
}
