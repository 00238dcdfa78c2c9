// The same operation guarded by Basic, by Digest, and by API keys, and for everyone.
import { defineApi, defineRestService, Type } from 'apidesc-platform';
import { thing, thingFields } from '../sample/things.mjs';

const api = (name) =>
  defineApi({
    name,
    description: `Things guarded by: ${name}.`,
    versions: {
      1: {
        services: {
          Thing: defineRestService({
            description: 'Things.',
            route: `/${name.toLowerCase()}[/:thing_id]`,
            route_identifier_name: 'thing_id',
            parameters: { thing_id: Type.String({ description: 'The thing.' }) },
            authorization: name === 'Open' ? 'guest' : 'authenticated',
            fields: Type.Unsafe(thingFields),
            entity: { GET: { description: 'Returns a thing.' } },
            resource: { fetch: (id) => thing(id) },
          }),
        },
      },
    },
  });

export default {
  name: 'bench-guarded',
  requires: ['hosting'],
  apis: ['Basic', 'Digest', 'Key', 'Open'].map(api),
};
