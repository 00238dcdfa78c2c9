import { Type } from '@sinclair/typebox';
import type { ConfigTree } from '../../framework';
import { mediaTypeSchema } from '../content-negotiation';

export const HOSTING_KEY = 'platform-hosting';

const text = Type.Optional(Type.String());
const rule = Type.Optional(
  Type.Union([Type.Literal('guest'), Type.Literal('authenticated'), Type.Array(Type.String())], {
    hint: 'Write "guest", "authenticated", or a list of user names.',
  }),
);
/** A JSON Schema; the validator that is compiled from it says what is wrong with it. */
const schema = Type.Optional(Type.Record(Type.String(), Type.Unknown()));

const operation = Type.Object(
  {
    description: text,
    request_description: text,
    response_description: text,
    query: schema,
    fields: schema,
    response: schema,
    authorization: rule,
    status_codes: Type.Optional(
      Type.Array(
        Type.Object({ code: Type.Integer(), message: Type.String() }, { additionalProperties: false }),
      ),
    ),
    examples: Type.Optional(
      Type.Object(
        { request: Type.Optional(Type.Unknown()), response: Type.Optional(Type.Unknown()) },
        { additionalProperties: false },
      ),
    ),
    deprecated: Type.Optional(Type.Boolean()),
    handler: text,
  },
  { additionalProperties: false },
);
const operations = Type.Optional(Type.Record(Type.String({ pattern: '^[A-Z]+$' }), operation));

const service = Type.Object(
  {
    kind: Type.Optional(Type.Union([Type.Literal('rest'), Type.Literal('rpc')])),
    description: text,
    route: text,
    parameters: Type.Optional(Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown()))),
    accept: Type.Optional(Type.Array(mediaTypeSchema, { minItems: 1 })),
    content_type: Type.Optional(Type.Array(mediaTypeSchema)),
    selector: text,
    body_limit: Type.Optional(Type.Integer({ minimum: 0 })),
    authorization: rule,
    route_identifier_name: text,
    entity_identifier_name: text,
    fields: schema,
    input: schema,
    collection_name: text,
    page_size: Type.Optional(Type.Integer({ minimum: 1 })),
    max_page_size: Type.Optional(Type.Integer({ minimum: 1 })),
    collection: operations,
    entity: operations,
    methods: operations,
    resource: text,
  },
  { additionalProperties: false },
);

/** What a service may say, in code as in configuration. */
export const serviceKeys: readonly string[] = Object.keys(service.properties);

/** `platform-hosting`: APIs, or what differs from those that modules declare. */
export const hostingSettings = Type.Object(
  {
    apis: Type.Record(
      Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_.]*$' }),
      Type.Object(
        {
          description: text,
          license: Type.Optional(
            Type.Object(
              { name: Type.String(), url: Type.Optional(Type.String()) },
              { additionalProperties: false },
            ),
          ),
          base_path: text,
          visibility: Type.Optional(
            Type.Union([Type.Literal('public'), Type.Literal('authenticated')], {
              description: '"authenticated": the documentation tells guests nothing of the API.',
            }),
          ),
          default_version: Type.Optional(Type.Integer({ minimum: 1 })),
          versions: Type.Optional(
            Type.Record(
              Type.String({ pattern: '^[1-9]\\d*$' }),
              Type.Object({ services: Type.Record(Type.String(), service) }, { additionalProperties: false }),
            ),
          ),
        },
        { additionalProperties: false },
      ),
      { description: 'APIs by name, with their versions and services.' },
    ),
  },
  { additionalProperties: false },
);

export const hostingDefaults: ConfigTree = { [HOSTING_KEY]: { apis: {} } };
