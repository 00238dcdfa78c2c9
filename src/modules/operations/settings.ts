import { Type } from '@sinclair/typebox';
import type { ConfigObject } from '../../framework';

export const OPERATIONS_KEY = 'platform-operations';

/** `platform-operations`: what concerns those who run the service. */
export const operationsSettings = Type.Object(
  {
    access_log: Type.Object(
      {
        enabled: Type.Boolean({ description: 'Whether each request is logged.' }),
        file: Type.Optional(
          Type.String({
            minLength: 1,
            description: 'From the project root; standard output when it is not said.',
          }),
        ),
      },
      { additionalProperties: false, description: 'A line of JSON for each request.' },
    ),
    security_headers: Type.Record(
      Type.String(),
      Type.String({
        // What cannot be sent would fail every answer (RFC 9110, 5.5).
        pattern: '^[\\t\\x20-\\x7e\\x80-\\xff]*$',
        hint: 'Write the value of a header field, in one line.',
      }),
      {
        propertyNames: { pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$" },
        description: 'Fields that every answer carries, unless it says otherwise itself.',
      },
    ),
  },
  { additionalProperties: false, description: 'What concerns those who run the service.' },
);

/** Nothing of a page may come from elsewhere, and no script at all. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export const operationsDefaults: ConfigObject = {
  [OPERATIONS_KEY]: {
    access_log: { enabled: true },
    security_headers: {
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'X-Frame-Options': 'DENY',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    },
  },
};
