import { Type } from '@sinclair/typebox';

const names = (description: string) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1 }), { description }));

/** `cors` of an API. */
export const corsSettings = Type.Object(
  {
    origins: Type.Array(Type.String({ minLength: 1 }), {
      minItems: 1,
      description: 'Origins: https://shop.example, https://*.shop.example for all below, or * for any.',
    }),
    methods: names('Methods; those that the address has, unless told.'),
    headers: names('Fields that requests may have, beside those that are always allowed.'),
    credentials: Type.Optional(
      Type.Boolean({ description: 'Whether browsers send what they know of the user.' }),
    ),
    max_age: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Seconds that a browser may remember a preflight.' }),
    ),
    expose: names('Fields of answers that scripts may read, beside those that they always may.'),
  },
  { additionalProperties: false, description: 'Which scripts of other sites may call it from a browser.' },
);
