// The same operation behind Basic, and behind Digest.
import { defineApi, defineRestService, Type } from 'apidesc-platform';
import { thing, thingFields } from '../sample/things.mjs';

const api = (name) =>
  defineApi({
    name,
    description: `Things behind ${name}.`,
    versions: {
      1: {
        services: {
          Thing: defineRestService({
            description: 'Things.',
            route: `/${name.toLowerCase()}[/:thing_id]`,
            route_identifier_name: 'thing_id',
            parameters: { thing_id: Type.String({ description: 'Which thing.' }) },
            authorization: 'authenticated',
            fields: Type.Unsafe(thingFields),
            entity: { GET: { description: 'Shows a thing.' } },
            resource: { fetch: (id) => thing(id) },
          }),
        },
      },
    },
  });

export default { name: 'bench-guarded', requires: ['hosting'], apis: ['Basic', 'Digest'].map(api) };
