import { Type } from '@sinclair/typebox';
import type { ConfigTree } from '../../framework';

/** The pattern of a media type without wildcards, perhaps with parameters. */
const MEDIA_TYPE = '^[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+(\\s*;\\s*[A-Za-z0-9_-]+=.+)?$';

export const mediaTypeSchema = Type.String({
  pattern: MEDIA_TYPE,
  hint: 'Write a media type without wildcards, such as "application/json".',
});

/** `platform-content-negotiation`: which view model shows content under which media types. */
export const negotiationSettings = Type.Object(
  {
    selectors: Type.Record(
      Type.String({ minLength: 1 }),
      // An entry adds to a selector that a module has begun (specification, A.3).
      Type.Record(Type.String({ minLength: 1 }), Type.Array(mediaTypeSchema, { mergeLists: 'add' })),
      { description: 'Selectors: view model names and the media types each is chosen for.' },
    ),
    body_limit: Type.Integer({
      minimum: 0,
      description: 'Bytes that a request body may have, unless a service says otherwise.',
    }),
  },
  { additionalProperties: false },
);

export const NEGOTIATION_KEY = 'platform-content-negotiation';

export const negotiationDefaults: ConfigTree = {
  [NEGOTIATION_KEY]: {
    selectors: { Json: { JsonModel: ['application/json'] } },
    body_limit: 1_048_576,
  },
};
