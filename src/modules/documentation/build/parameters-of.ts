import type { TObject, TSchema } from '@sinclair/typebox';
import {
  allSubschemas,
  inlinedSchema,
  ownValue,
  parametersOf,
  parsePattern,
  resolveReference,
} from '../../../framework';
import type { HostedService } from '../../hosting';
import type { JsonSchema, ParameterData } from '../model/data';

/** Returns the route parameters of a service, in order. */
export function routeParameters({ route, parameters }: HostedService): readonly ParameterData[] {
  return parametersOf(parsePattern(route).parts).map((name) => {
    const schema: TSchema | undefined = ownValue(parameters, name);
    return parameterOf(name, 'path', schema ?? { type: 'string' }, true);
  });
}

/** Returns the query parameters of an operation. */
export function queryParameters(query: TObject): readonly ParameterData[] {
  const { properties, required = [] } = query;
  return Object.entries(properties).map(([name, schema]) =>
    parameterOf(name, 'query', alone(schema, query), required.includes(name)),
  );
}

/** Returns a schema without references: documents have it outside of that of the query. Recursive parts accept any value. */
function alone(schema: JsonSchema, query: JsonSchema): JsonSchema {
  if (!allSubschemas(schema).some(({ $ref: reference }) => reference !== undefined)) return schema;
  return inlinedSchema(
    schema,
    (reference) => {
      const { $id: _, ...target } = resolveReference(query, reference) ?? {};
      return target;
    },
    () => ({}),
  );
}

function parameterOf(
  name: string,
  place: 'path' | 'query',
  schema: JsonSchema,
  required: boolean,
): ParameterData {
  const { description, examples, ...rest } = schema;
  const example: unknown = Array.isArray(examples) ? examples[0] : undefined;
  return {
    name,
    in: place,
    description: typeof description === 'string' ? description : '',
    required,
    schema: rest,
    ...(example === undefined ? {} : { example }),
  };
}
