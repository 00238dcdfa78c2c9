import { Type, type Static } from '@sinclair/typebox';

/** Maximum number of operations of a batch: they hold a transaction open. */
const MAX_OPERATIONS = 100;

/** Maximum length of the path of an operation, also with the results that are inserted into it. */
export const MAX_PATH = 4096;

const operation = Type.Object(
  {
    method: Type.Union(
      ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) => Type.Literal(method)),
      { description: 'The method.', examples: ['POST'] },
    ),
    path: Type.String({
      pattern: '^/[!"$-~]*$',
      maxLength: MAX_PATH,
      description: 'The path of a service over a table, with its query.',
      examples: ['/shop/products'],
    }),
    headers: Type.Optional(
      Type.Record(Type.String({ pattern: '^[A-Za-z0-9-]+$' }), Type.String({ pattern: '^[^\\r\\n\\0]*$' }), {
        additionalProperties: false,
        maxProperties: 100,
        description: 'Header fields; Authorization defaults to that of the batch, except for Digest.',
      }),
    ),
    body: Type.Optional(Type.Unknown({ description: 'The JSON body.' })),
  },
  { additionalProperties: false },
);

/** The body of a batch. */
export const batchRequest = Type.Object(
  { operations: Type.Array(operation, { minItems: 1, maxItems: MAX_OPERATIONS, description: 'In order.' }) },
  { additionalProperties: false },
);

/** The body of the response. */
export const batchResponse = Type.Object({
  results: Type.Array(
    Type.Object({
      status: Type.Integer({ description: 'The status.' }),
      headers: Type.Record(Type.String(), Type.String(), { description: 'Header fields, in lower case.' }),
      body: Type.Unknown({ description: 'The JSON body; null without one.' }),
    }),
  ),
});

/** An operation of a batch. */
export type Operation = Static<typeof operation>;

/** The result of an operation. */
export type Result = Static<typeof batchResponse>['results'][number];
