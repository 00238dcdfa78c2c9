import { Type, type Static } from '@sinclair/typebox';
import type { ConfigTree } from '../../framework';

export const ADMIN_KEY = 'platform-admin';

/** `platform-admin`: who may use the admin pages, from where, and for how long. */
export const adminSettings = Type.Object(
  {
    enabled: Type.Boolean({ description: 'Whether there are admin pages at all.' }),
    allow: Type.Array(Type.String({ minLength: 1 }), {
      description: 'Networks from which the admin may be used, such as 192.0.2.0/24 or 2001:db8::/32.',
      hint: 'Write a list of networks, such as ["127.0.0.0/8", "::1/128"].',
    }),
    administrators: Type.String({
      minLength: 1,
      description: 'The htpasswd file of the administrators, from the project root.',
    }),
    session: Type.Object(
      {
        idle: Type.Integer({ minimum: 60, description: 'Seconds without a request that end a session.' }),
        absolute: Type.Integer({ minimum: 60, description: 'Seconds after which every session ends.' }),
      },
      { additionalProperties: false, description: 'How long an administrator stays signed in.' },
    ),
    secure_cookies: Type.Boolean({
      description:
        'Whether the session cookie is for TLS only; for a service behind a proxy that speaks TLS.',
    }),
  },
  { additionalProperties: false, description: 'The admin pages.' },
);

export type AdminSettings = Static<typeof adminSettings>;

export const adminDefaults: ConfigTree = {
  [ADMIN_KEY]: {
    enabled: true,
    allow: ['127.0.0.0/8', '::1/128'],
    administrators: 'data/administrators.htpasswd',
    session: { idle: 1800, absolute: 43_200 },
    secure_cookies: false,
  },
};
