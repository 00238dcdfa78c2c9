import { Type, type TProperties } from '@sinclair/typebox';

/** Keys of a procedure service, besides those of every service. */
export const procedureSettings: TProperties = {
  adapter_name: Type.Optional(Type.String({ description: 'Key in platform-db.adapters.' })),
  sql: Type.Optional(
    Type.String({ minLength: 1, description: 'One statement with named parameters, such as :since.' }),
  ),
  function_name: Type.Optional(
    Type.String({ minLength: 1, description: 'Name of a function of PostgreSQL, instead of "sql".' }),
  ),
  arguments: Type.Optional(
    Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
      description: 'Arguments of the function that clients do not send: { "owner": "identity.name" }.',
      secret: false,
    }),
  ),
  read_only: Type.Optional(
    Type.Boolean({ description: 'Whether it changes nothing: GET, otherwise POST; defaults to true.' }),
  ),
  result: Type.Optional(
    Type.Union(
      ['rows', 'row', 'value', 'none'].map((name) => Type.Literal(name)),
      { description: 'What it responds with; defaults to "rows".' },
    ),
  ),
  response: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'JSON Schema of the response, if it differs from the columns.',
      secret: false,
    }),
  ),
  summary: Type.Optional(Type.String({ description: 'Title of the operation.' })),
};
