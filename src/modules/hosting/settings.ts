import { Type } from '@sinclair/typebox';
import type { ConfigTree } from '../../framework';
import { corsSettings } from './cors-settings';
import {
  authorization,
  heartbeat,
  serviceSettings,
  sharedSchema,
  text,
  timeout,
  visibility,
} from './service-settings';

export const HOSTING_KEY = 'platform-hosting';

/** What an API may say: in configuration, and in code, which has handlers beside (`assertDeclared`). */
export const apiSettings = Type.Object(
  {
    description: text('What the API is for.'),
    license: Type.Optional(
      Type.Object(
        {
          name: Type.String({ description: 'The name of the licence.' }),
          url: Type.Optional(Type.String({ description: 'Where it is written.' })),
        },
        { additionalProperties: false, description: 'The licence of the API.' },
      ),
    ),
    contact: Type.Optional(
      Type.Object(
        {
          name: text('Who it is.'),
          url: text('Where they are found.'),
          email: text('Where mail reaches them.'),
        },
        { additionalProperties: false, description: 'Whom those ask who use the API.' },
      ),
    ),
    base_path: text('A path before the routes of the API, e.g. /geo.'),
    visibility: visibility('API'),
    default_version: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'For requests that name none; the highest unless told.',
      }),
    ),
    authorization,
    cors: Type.Optional(corsSettings),
    timeout,
    heartbeat,
    versions: Type.Optional(
      Type.Record(
        Type.String({ pattern: '^[1-9]\\d*$' }),
        Type.Object(
          {
            inherits: Type.Optional(
              Type.Integer({ minimum: 1, description: 'The version whose services it has, too.' }),
            ),
            deprecated: text('The day from which clients should leave it, e.g. 2026-12-31.'),
            sunset: text('The day on which it will be gone.'),
            successor: Type.Optional(
              Type.Integer({ minimum: 1, description: 'The version to go to; the next unless told.' }),
            ),
            schemas: Type.Optional(
              Type.Record(Type.String({ pattern: '^[A-Za-z0-9_.-]+$' }), sharedSchema, {
                additionalProperties: false,
                secret: false,
                description:
                  'JSON Schemas that its operations share, by name: { "$ref": "#/schemas/<name>" }.',
              }),
            ),
            services: Type.Optional(
              Type.Record(Type.String(), serviceSettings, { description: 'Services by name.' }),
            ),
          },
          { additionalProperties: false },
        ),
        { additionalProperties: false, description: 'Versions by number.' },
      ),
    ),
  },
  { additionalProperties: false },
);

/** `platform-hosting`: APIs, or what differs from those that modules declare. */
export const hostingSettings = Type.Object(
  {
    timeout,
    heartbeat,
    check_responses: Type.Optional(
      Type.Union([Type.Literal('report'), Type.Literal('count'), Type.Literal('off')], {
        description:
          'Answers that differ from their schema: "report" in the log (with display_exceptions unless told), "count" (otherwise), or "off".',
      }),
    ),
    context_storage: Type.Optional(
      Type.Boolean({
        description:
          'Whether currentContext() knows the request wherever its handler calls to; costs some time.',
      }),
    ),
    apis: Type.Record(Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_.]*$' }), apiSettings, {
      additionalProperties: false,
      description: 'APIs by name, with their versions and services.',
    }),
  },
  { additionalProperties: false, description: 'The APIs, or what differs from their declarations in code.' },
);

export const hostingDefaults: ConfigTree = { [HOSTING_KEY]: { apis: {} } };
