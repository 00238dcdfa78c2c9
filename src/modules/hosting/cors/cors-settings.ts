import { Type } from '@sinclair/typebox';

const names = (description: string) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1 }), { description }));

/** Settings of `cors` of an API. */
export const corsSettings = Type.Object(
  {
    origins: Type.Array(Type.String({ minLength: 1 }), {
      minItems: 1,
      description:
        'Allowed origins: https://shop.example, https://*.shop.example for all subdomains, or * for any.',
    }),
    methods: names('Allowed methods; defaults to those of the requested path.'),
    headers: names('Additional allowed request headers.'),
    credentials: Type.Optional(Type.Boolean({ description: 'Whether browsers may send credentials.' })),
    max_age: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Seconds for which browsers may cache a preflight.' }),
    ),
    expose: names('Additional response headers that scripts may read.'),
  },
  { additionalProperties: false, description: 'Cross-origin access from browsers (CORS).' },
);
