import { Type, type Static } from '@sinclair/typebox';
import { TOKEN } from '../../../framework';

/** The options of an `ApiKeyAdapter`. */
export const apiKeySettings = Type.Object(
  {
    header: Type.Optional(
      Type.String({
        title: 'Header field',
        pattern: TOKEN.source,
        description: 'The header field that carries the key. Defaults to "X-API-Key".',
        hint: 'Write the name of a header field, such as "X-API-Key".',
      }),
    ),
    query: Type.Optional(
      Type.String({
        title: 'Query parameter',
        group: 'More',
        pattern: '^[A-Za-z_][A-Za-z0-9_.-]*$',
        description:
          'A query parameter that may carry the key instead. Off by default: addresses end up in logs, histories and Referer fields.',
        hint: 'Write the name of a parameter, such as "api_key".',
      }),
    ),
    keys: Type.String({
      minLength: 1,
      title: 'Key file',
      description:
        'The key file, relative to the project root. "apidesc-platform key create" creates it and adds keys.',
      hint: 'Write a path such as "data/api-keys.json".',
    }),
    realm: Type.Optional(
      Type.String({
        title: 'Realm',
        group: 'More',
        pattern: '^[\\x20\\x21\\x23-\\x5b\\x5d-\\x7e]+$',
        description: 'The name of the protected area in challenges. Defaults to "API".',
        hint: 'Write ASCII text without quotes and backslashes.',
      }),
    ),
  },
  { additionalProperties: false, hint: 'An ApiKeyAdapter needs "keys", the path of its key file.' },
);

export type ApiKeyOptions = Static<typeof apiKeySettings>;
