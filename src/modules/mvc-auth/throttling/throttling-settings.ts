import { Type } from '@sinclair/typebox';

/** `platform-mvc-auth.throttling` */
export const throttlingSettings = Type.Object(
  {
    enabled: Type.Boolean({ description: 'Whether failed sign-ins are counted.' }),
    failures: Type.Integer({
      minimum: 1,
      description: 'Limit of failed sign-ins for a user from one address.',
    }),
    per_address: Type.Integer({
      minimum: 1,
      description: 'Limit of failed sign-ins from one address, for all users.',
    }),
    pending_per_address: Type.Integer({
      minimum: 1,
      description: 'Limit of pending password verifications from one address; more are refused.',
    }),
    exact: Type.Optional(
      Type.Boolean({
        description:
          'Whether to ask Redis for each sign-in, so that all nodes together never exceed the limits; defaults to false: each node counts at once what it sees, and adds what the others report.',
      }),
    ),
    window: Type.Integer({
      minimum: 1,
      maximum: 86_400,
      description: 'Seconds from the first failure until all of them expire.',
    }),
  },
  { additionalProperties: false, description: 'Limits for failed sign-ins.' },
);

/** The limits of `platform-mvc-auth.throttling` for failures. */
export interface ThrottleSettings {
  readonly enabled: boolean;
  /** Limit for a user of a realm from one address. */
  readonly failures: number;
  /** Limit for an address, for all users. */
  readonly per_address: number;
  /** Seconds from the first failure until all of them expire. */
  readonly window: number;
  /** Whether the counts of the deployment decide each sign-in. */
  readonly exact?: boolean;
}
