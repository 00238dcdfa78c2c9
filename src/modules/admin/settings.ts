import { Type, type Static } from '@sinclair/typebox';
import type { ConfigObject } from '../../framework';

export const ADMIN_KEY = 'platform-admin';

/** The schema of `platform-admin`. */
export const adminSettings = Type.Object(
  {
    enabled: Type.Boolean({ description: 'Whether to enable the admin pages.' }),
    allow: Type.Array(Type.String({ minLength: 1 }), {
      description: 'Networks allowed to use the admin, such as 192.0.2.0/24 or 2001:db8::/32.',
      hint: 'Write a list of networks, such as ["127.0.0.0/8", "::1/128"].',
    }),
    hosts: Type.Array(
      Type.String({ pattern: '^[A-Za-z0-9._-]+$', hint: 'Write a host name without scheme and port.' }),
      {
        description:
          'Host names allowed for the admin, in addition to localhost, server.host and IP addresses, such as admin.example.com.',
        hint: 'Write a list of host names, such as ["admin.example.com"].',
      },
    ),
    administrators: Type.String({
      minLength: 1,
      description: 'The htpasswd file of the administrators, relative to the project root.',
    }),
    password_file_folders: Type.Array(Type.String({ minLength: 1 }), {
      description:
        'Folders, including subfolders, whose password files, API key files and JWK Sets the admin can show, change and assign to adapters; relative to the project root.',
      hint: 'Write a list of folders, such as ["data", "config"].',
    }),
    session: Type.Object(
      {
        idle: Type.Integer({ minimum: 60, description: 'Idle timeout of sessions in seconds.' }),
        absolute: Type.Integer({ minimum: 60, description: 'Maximum lifetime of sessions in seconds.' }),
      },
      { additionalProperties: false, description: 'Session timeouts.' },
    ),
    audit: Type.Object(
      {
        enabled: Type.Boolean({ description: 'Whether to write the audit log.' }),
        file: Type.String({
          minLength: 1,
          description: 'The file of the audit log, relative to the project root.',
        }),
        required: Type.Boolean({
          description:
            'Whether sign-ins and changes are refused (507) while the audit log cannot be written; otherwise its entries go to the error log.',
        }),
      },
      {
        additionalProperties: false,
        description: 'The audit log: a line of JSON for each sign-in and each change by administrators.',
      },
    ),
    require_second_factor: Type.Boolean({
      description:
        'Whether administrators with a password need a second factor: without one, they can only set it up, and not use the admin API.',
    }),
    secure_cookies: Type.Boolean({
      description:
        'Whether to set the Secure attribute on the session cookie; for services behind a TLS proxy.',
    }),
  },
  { additionalProperties: false, description: 'The admin pages.' },
);

/** The default of `password_file_folders`. */
export const PASSWORD_FILE_FOLDERS: readonly string[] = ['data', 'config'];

export type AdminSettings = Static<typeof adminSettings>;

export const adminDefaults: ConfigObject = {
  [ADMIN_KEY]: {
    enabled: true,
    allow: ['127.0.0.0/8', '::1/128'],
    hosts: [],
    administrators: 'data/administrators.htpasswd',
    password_file_folders: PASSWORD_FILE_FOLDERS,
    session: { idle: 1800, absolute: 43_200 },
    audit: { enabled: true, file: 'data/audit.log', required: false },
    require_second_factor: false,
    secure_cookies: false,
  },
};
