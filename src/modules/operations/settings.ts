import { Type } from '@sinclair/typebox';
import { fieldsSchema, type ConfigObject } from '../../framework';

export const OPERATIONS_KEY = 'platform-operations';

/** `platform-operations`: the operations port, the access log and the security headers. */
export const operationsSettings = Type.Object(
  {
    listen: Type.String({
      minLength: 1,
      restart: true,
      description:
        'HOST:PORT of the operations port with /live, /ready, /metrics and /build, or "off"; OPERATIONS_LISTEN takes precedence.',
    }),
    access_log: Type.Object(
      {
        enabled: Type.Boolean({ description: 'Whether requests are logged.' }),
        file: Type.Optional(
          Type.String({
            minLength: 1,
            description: 'Path of the log file, relative to the project root. Defaults to standard output.',
          }),
        ),
      },
      { additionalProperties: false, description: 'The access log: a line of JSON for each request.' },
    ),
    security_headers: fieldsSchema('Header fields of every response that does not set them itself.'),
    tracing: Type.Boolean({
      description:
        'Whether requests create spans with OpenTelemetry. Requires the package @opentelemetry/api, and an SDK that is registered before the start.',
    }),
    server_timing: Type.Optional(
      Type.Union([Type.Literal('off'), Type.Literal('users'), Type.Literal('all')], {
        description:
          'Who receives Server-Timing, the durations of the phases of a request: "off" (default), signed-in "users" (default with display_exceptions), or "all", guests included.',
      }),
    ),
    request_trace: Type.Object(
      {
        enabled: Type.Boolean({
          description:
            'Whether all requests are recorded, for development. Administrators record single requests without it.',
        }),
        keep: Type.Integer({
          minimum: 1,
          maximum: 1_000,
          description: 'How many traces are kept in memory.',
        }),
        max_bytes: Type.Integer({
          minimum: 1_048_576,
          maximum: 268_435_456,
          description: 'The size of all kept traces in bytes.',
        }),
      },
      {
        additionalProperties: false,
        description: 'Request traces: the listeners and statements of single requests.',
      },
    ),
  },
  {
    additionalProperties: false,
    description: 'Operations: the port for monitoring, the access log, and security headers.',
  },
);

/** Pages load resources of the same origin only, and no scripts. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export const operationsDefaults: ConfigObject = {
  [OPERATIONS_KEY]: {
    listen: '127.0.0.1:9464',
    access_log: { enabled: true },
    tracing: false,
    request_trace: { enabled: false, keep: 100, max_bytes: 8 * 1_048_576 },
    security_headers: {
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'X-Frame-Options': 'DENY',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    },
  },
};
