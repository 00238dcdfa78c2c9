import { Type } from '@sinclair/typebox';
import type { ServiceKind } from './definition/service-kind';
import { mediaTypeSchema, uploadLimits } from '../content-negotiation';
import { accessRule } from '../mvc-auth';
import { MAX_SECONDS } from './timeout';
import { collectionStreamTypes } from './streaming/stream-types';

export const text = (description: string) => Type.Optional(Type.String({ description }));
/** One name, or several. */
const names = (description: string) =>
  Type.Optional(
    Type.Union([Type.String(), Type.Array(Type.String())], {
      description,
    }),
  );
export const authorization = Type.Optional(accessRule);
export const visibility = (of: string) =>
  Type.Optional(
    Type.Union([Type.Literal('public'), Type.Literal('authenticated')], {
      description: `"authenticated": the documentation hides the ${of} from guests.`,
    }),
  );

/** A JSON Schema, validated when it is compiled. */
const schema = (description: string) =>
  // A field may be called password; its schema is not secret.
  Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description, secret: false }));

export const sharedSchema = Type.Record(Type.String(), Type.Unknown(), { secret: false });

export const timeout = Type.Optional(
  Type.Number({
    minimum: 0,
    maximum: MAX_SECONDS,
    description: 'Timeout of operations in seconds; 0 for no limit.',
  }),
);
export const heartbeat = Type.Optional(
  Type.Number({
    minimum: 0,
    maximum: MAX_SECONDS,
    description: 'Seconds between heartbeats of an idle event stream; 0 for none.',
  }),
);
const validators = Type.Optional(
  Type.Array(Type.String(), { description: 'Container names of custom validators.' }),
);
export const hooks = Type.Optional(
  Type.String({ description: 'Container name of hooks: code before, after and on errors of operations.' }),
);
const tags = (description: string) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1 }), { minItems: 1, uniqueItems: true, description }));

const operation = Type.Object(
  {
    operation_id: Type.Optional(
      Type.String({
        pattern: '^[!-~]{1,200}$',
        hint: 'Write at most 200 visible ASCII characters without spaces.',
        description: 'Its operationId in OpenAPI, unique within the version.',
      }),
    ),
    summary: Type.Optional(
      Type.String({
        pattern: '^[^\\r\\n]*$',
        hint: 'Write one line.',
        description: 'The operation in one line.',
      }),
    ),
    tags: tags('Its tags, if they differ from those of the service.'),
    description: text('What the operation does.'),
    request_description: text('Description of the request.'),
    response_description: text('Description of the response.'),
    query: schema('The query parameters, as a JSON Schema of an object.'),
    fields: schema('JSON Schema of the request body, if it differs from that of the service.'),
    response: schema('JSON Schema of the response, if it differs from that of the service.'),
    authorization,
    status_codes: Type.Optional(
      Type.Array(
        Type.Object(
          {
            code: Type.Integer({ minimum: 100, maximum: 599, description: 'The status code.' }),
            message: Type.String({ description: 'When it is returned.' }),
            response: schema(
              'JSON Schema of the response with this success status, if it differs from that of the operation.',
            ),
          },
          { additionalProperties: false },
        ),
        { description: 'Additional response statuses.' },
      ),
    ),
    examples: Type.Optional(
      Type.Object(
        {
          request: Type.Optional(Type.Unknown({ description: 'Example of a request body.' })),
          response: Type.Optional(Type.Unknown({ description: 'Example of a response body.' })),
        },
        { additionalProperties: false, description: 'Examples for the documentation.' },
      ),
    ),
    validators,
    hooks,
    timeout,
    heartbeat,
    content_type: Type.Optional(
      Type.Array(mediaTypeSchema, { minItems: 1, description: 'Request media types.' }),
    ),
    cache_control: text('Cache-Control of successful responses, e.g. public, max-age=60.'),
    deprecated: Type.Optional(Type.Boolean({ description: 'Whether it is deprecated.' })),
    precondition: Type.Optional(
      Type.Literal('required', {
        description: '"required": rejects changes without If-Match.',
      }),
    ),
    stream: Type.Optional(
      Type.Array(Type.Union(collectionStreamTypes.map((type) => Type.Literal(type))), {
        minItems: 1,
        description: `Media types of a streamed response: ${collectionStreamTypes.join(', ')}.`,
      }),
    ),
    response_type: Type.Optional(
      Type.Array(mediaTypeSchema, {
        minItems: 1,
        description: 'Media types of a Response that the handler of a procedure builds itself.',
      }),
    ),
    sort: Type.Optional(
      Type.Array(Type.String(), { description: 'Members by which the GET of a collection can be sorted.' }),
    ),
    default_sort: text('Default order, e.g. -price,name.'),
    status: Type.Optional(
      Type.Integer({
        minimum: 200,
        maximum: 299,
        description: 'Success status of a procedure.',
      }),
    ),
    handler: text('Container name of the handler; "not-implemented" responds with 501.'),
  },
  { additionalProperties: false },
);
const operations = (description: string) =>
  Type.Optional(
    Type.Record(Type.String({ pattern: '^[A-Z]+$' }), operation, {
      additionalProperties: false,
      description,
    }),
  );

const serviceProperties = {
  description: text('Purpose of the service.'),
  tags: tags('Tags of its operations in OpenAPI documents; defaults to the name of the service.'),
  visibility: visibility('service'),
  route: text('Route without the version prefix, e.g. /countries[/:country_code].'),
  parameters: Type.Optional(
    Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown()), {
      description: 'JSON Schemas of route parameters by name.',
    }),
  ),
  accept: Type.Optional(Type.Array(mediaTypeSchema, { minItems: 1, description: 'Response media types.' })),
  content_type: Type.Optional(
    Type.Array(mediaTypeSchema, { minItems: 1, description: 'Request media types.' }),
  ),
  selector: text('Selector of the view model.'),
  unknown_members: Type.Optional(
    Type.Union([Type.Literal('refuse'), Type.Literal('drop')], {
      description: 'Undeclared members of request bodies: "refuse" (422) or "drop".',
    }),
  ),
  read_only_members: Type.Optional(
    Type.Union([Type.Literal('refuse'), Type.Literal('ignore')], {
      description: 'readOnly members of request bodies: "refuse" (422) or "ignore"; defaults to "ignore".',
    }),
  ),
  exact_numbers: Type.Optional(
    Type.Boolean({
      description:
        'Whether numbers in bodies and forms that have more digits than a double are refused (422) instead of being rounded; defaults to false, and to true for services over databases.',
    }),
  ),
  unknown_response_members: Type.Optional(
    Type.Union([Type.Literal('drop'), Type.Literal('keep'), Type.Literal('refuse')], {
      description: 'Undeclared members of responses: "drop", "keep" or "refuse" (500); defaults to "drop".',
    }),
  ),
  validators,
  hooks,
  timeout,
  heartbeat,
  unknown_query: Type.Optional(
    Type.Union([Type.Literal('refuse'), Type.Literal('ignore')], {
      description: 'Undeclared query parameters: "refuse" (400) or "ignore".',
    }),
  ),
  body_limit: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Maximum size of a request body in bytes.' }),
  ),
  uploads: Type.Optional(
    Type.Partial(Type.Object(uploadLimits), {
      additionalProperties: false,
      description: 'Limits of multipart forms, if they differ.',
    }),
  ),
  authorization,
  route_identifier_name: names('Route parameter that identifies an entity, or several that do together.'),
  entity_identifier_name: names(
    'Member that identifies an entity, or one for each parameter; defaults to the names of the parameters.',
  ),
  fields: schema('JSON Schema of an entity.'),
  input: schema('JSON Schema of what clients send, if it differs from the fields.'),
  collection_name: text('Member of a page that holds the entities.'),
  page_size: Type.Optional(Type.Integer({ minimum: 1, description: 'Entities per page.' })),
  max_page_size: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Maximum page size that a client may request.' }),
  ),
  max_items: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Maximum number of entities in a list that a client sends.' }),
  ),
  cursor: schema('JSON Schema of the cursor value of the resource: enables cursor pagination.'),
  collection: operations('Operations of the collection, by method.'),
  entity: operations('Operations of single entities, by method.'),
  methods: operations('Operations of an RPC service, by method.'),
  resource: text('Container name of the resource; "not-implemented" responds with 501.'),
};

/** Settings of a service: of the built-in kinds, and of those that modules add. */
export function serviceSettings(kinds: readonly ServiceKind[]) {
  const names = ['rest', 'rpc', ...kinds.map(({ name }) => name)];
  return Type.Object(
    {
      ...serviceProperties,
      // Keys that several kinds have in common are the same.
      ...Object.assign({}, ...kinds.map(({ settings }) => settings)),
      kind: Type.Optional(
        Type.Union(
          names.map((name) => Type.Literal(name)),
          { description: `Kind of the service: ${names.join(', ')}; defaults to "rest".` },
        ),
      ),
    },
    { additionalProperties: false },
  );
}

/** Keys of an operation, in code and configuration. */
export const operationKeys: readonly string[] = Object.keys(operation.properties);

/** Keys of a service. */
export const serviceKeys: readonly string[] = ['kind', ...Object.keys(serviceProperties)];
