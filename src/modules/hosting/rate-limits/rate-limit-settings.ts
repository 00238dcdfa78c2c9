import { Type, type Static } from '@sinclair/typebox';

/** The clients whose requests a limit counts together. */
export type RateLimitScope = 'user' | 'address' | 'all';

const MAX_WINDOW = 2_678_400;

const rateLimit = Type.Object(
  {
    limit: Type.Integer({
      minimum: 1,
      maximum: 1_000_000_000,
      description: 'Maximum requests within the window.',
    }),
    window: Type.Integer({ minimum: 1, maximum: MAX_WINDOW, description: 'Seconds.' }),
    per: Type.Union([Type.Literal('user'), Type.Literal('address'), Type.Literal('all')], {
      description:
        'Whose requests are counted together: those of each "user" (of guests, those of their address), of each "address", or of "all" clients.',
      hint: 'Write "user", "address" or "all".',
    }),
    exact: Type.Optional(
      Type.Boolean({
        description:
          'Whether to ask Redis for each request, so that all nodes together never exceed the limit; defaults to false: each node counts at once what it sees, and adds what the others report.',
      }),
    ),
    weights: Type.Optional(
      Type.Record(Type.String({ pattern: '^[A-Z]+$' }), Type.Integer({ minimum: 0, maximum: 1_000_000 }), {
        description: 'How much a request counts, by method; defaults to 1.',
      }),
    ),
  },
  {
    additionalProperties: false,
    hint: 'A rate limit needs "limit", "window" and "per", e.g. { "limit": 100, "window": 60, "per": "user" }.',
  },
);

/** `platform-rate-limits` */
export const rateLimitSettings = Type.Record(Type.String({ minLength: 1 }), Type.Array(rateLimit), {
  description:
    'Rate limits of an API ("Atlas"), a version ("Atlas-v2"), a service ("Atlas/Country"), an operation ("Atlas/Country collection GET") or all APIs ("*"). All that match a request apply.',
});

export type RateLimit = Static<typeof rateLimit>;
export type RateLimitSettings = Static<typeof rateLimitSettings>;

export const RATE_LIMITS_KEY = 'platform-rate-limits';
