import { Type } from '@sinclair/typebox';
import { mediaTypeSchema, uploadLimits } from '../content-negotiation';
import { accessRule } from '../mvc-auth';
import { MOST_SECONDS } from './seconds';
import { streamTypes } from './stream-types';

export const text = (description: string) => Type.Optional(Type.String({ description }));
export const authorization = Type.Optional(accessRule);
export const visibility = (of: string) =>
  Type.Optional(
    Type.Union([Type.Literal('public'), Type.Literal('authenticated')], {
      description: `"authenticated": the documentation tells guests nothing of the ${of}.`,
    }),
  );

/** A JSON Schema; the validator that is compiled from it says what is wrong with it. */
const schema = (description: string) =>
  // A field may be called password: what is said of it is no secret.
  Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description, secret: false }));

export const sharedSchema = Type.Record(Type.String(), Type.Unknown(), { secret: false });

export const timeout = Type.Optional(
  Type.Number({
    minimum: 0,
    maximum: MOST_SECONDS,
    description: 'Seconds that an operation may take; 0 for no limit.',
  }),
);
export const heartbeat = Type.Optional(
  Type.Number({
    minimum: 0,
    maximum: MOST_SECONDS,
    description: 'Seconds without an event after which an event stream tells that it goes on; 0 for never.',
  }),
);
const validators = Type.Optional(
  Type.Array(Type.String(), { description: 'Services that check bodies beyond the schema.' }),
);

const operation = Type.Object(
  {
    description: text('What the operation does.'),
    request_description: text('What the request holds.'),
    response_description: text('What the answer holds.'),
    query: schema('The query parameters, as a JSON Schema of an object.'),
    fields: schema('What the body holds, as a JSON Schema, where it differs from that of the service.'),
    response: schema('What the answer holds, as a JSON Schema, where it differs from that of the service.'),
    authorization,
    status_codes: Type.Optional(
      Type.Array(
        Type.Object(
          {
            code: Type.Integer({ description: 'The status code.' }),
            message: Type.String({ description: 'When it is answered.' }),
          },
          { additionalProperties: false },
        ),
        { description: 'What it may answer.' },
      ),
    ),
    examples: Type.Optional(
      Type.Object(
        {
          request: Type.Optional(Type.Unknown({ description: 'A body that is sent.' })),
          response: Type.Optional(Type.Unknown({ description: 'A body that is answered.' })),
        },
        { additionalProperties: false, description: 'For the documentation.' },
      ),
    ),
    validators,
    timeout,
    heartbeat,
    content_type: Type.Optional(
      Type.Array(mediaTypeSchema, { minItems: 1, description: 'Media types of bodies that it takes.' }),
    ),
    cache_control: text('Cache-Control of its successful answers, e.g. public, max-age=60.'),
    deprecated: Type.Optional(Type.Boolean({ description: 'Whether clients should leave it.' })),
    precondition: Type.Optional(
      Type.Literal('required', {
        description: '"required": changes nothing for those who do not send If-Match.',
      }),
    ),
    stream: Type.Optional(
      Type.Array(Type.Union(streamTypes.map((type) => Type.Literal(type))), {
        minItems: 1,
        description: `The types in which what it returns goes out item by item: ${streamTypes.join(', ')}.`,
      }),
    ),
    response_type: Type.Optional(
      Type.Array(mediaTypeSchema, {
        minItems: 1,
        description: 'Media types of the Response that the handler of a procedure makes itself.',
      }),
    ),
    sort: Type.Optional(
      Type.Array(Type.String(), { description: 'What the GET of a collection can be ordered by.' }),
    ),
    default_sort: text('The order unless asked for another, e.g. -price,name.'),
    status: Type.Optional(
      Type.Integer({
        minimum: 200,
        maximum: 299,
        description: 'With what a procedure answers that succeeds.',
      }),
    ),
    handler: text('The service that handles it; "not-implemented" answers 501.'),
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

export const serviceSettings = Type.Object(
  {
    kind: Type.Optional(
      Type.Union([Type.Literal('rest'), Type.Literal('rpc')], { description: '"rest" or "rpc".' }),
    ),
    description: text('What the service is for.'),
    visibility: visibility('service'),
    route: text('The route below the version, e.g. /countries[/:country_code].'),
    parameters: Type.Optional(
      Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown()), {
        description: 'JSON Schemas of the parameters of the route, by name.',
      }),
    ),
    accept: Type.Optional(
      Type.Array(mediaTypeSchema, { minItems: 1, description: 'Media types that it answers in.' }),
    ),
    content_type: Type.Optional(
      Type.Array(mediaTypeSchema, { minItems: 1, description: 'Media types of bodies that it takes.' }),
    ),
    selector: text('The selector that chooses the view model.'),
    unknown_members: Type.Optional(
      Type.Union([Type.Literal('refuse'), Type.Literal('drop')], {
        description: 'Members of bodies that the schema does not name: "refuse" (422) or "drop".',
      }),
    ),
    validators,
    timeout,
    heartbeat,
    unknown_query: Type.Optional(
      Type.Union([Type.Literal('refuse'), Type.Literal('ignore')], {
        description: 'Query parameters that are not declared: "refuse" (400) or "ignore".',
      }),
    ),
    body_limit: Type.Optional(Type.Integer({ minimum: 0, description: 'Bytes that a body may have.' })),
    uploads: Type.Optional(
      Type.Partial(Type.Object(uploadLimits), {
        additionalProperties: false,
        description: 'What forms with files may have, where that differs.',
      }),
    ),
    authorization,
    route_identifier_name: text('The parameter of the route that says which entity.'),
    entity_identifier_name: text('The field that identifies an entity.'),
    fields: schema('What an entity holds, as a JSON Schema of an object.'),
    input: schema('What a client sends, as a JSON Schema, where it differs from the fields.'),
    collection_name: text('The member of a page that holds its entities.'),
    page_size: Type.Optional(Type.Integer({ minimum: 1, description: 'Entities on a page.' })),
    max_page_size: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Entities on a page that a client may ask for.' }),
    ),
    cursor: schema(
      'What the resource needs to know to go on after a page, as a JSON Schema: pages by cursor.',
    ),
    collection: operations('Operations of the collection, by method.'),
    entity: operations('Operations of single entities, by method.'),
    methods: operations('Operations of an RPC service, by method.'),
    resource: text('The service that is the resource.'),
  },
  { additionalProperties: false },
);

/** What an operation may say, in code as in configuration. */
export const operationKeys: readonly string[] = Object.keys(operation.properties);

/** What a service may say. */
export const serviceKeys: readonly string[] = Object.keys(serviceSettings.properties);
