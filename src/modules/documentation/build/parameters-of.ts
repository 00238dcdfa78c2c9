import type { TObject, TSchema } from '@sinclair/typebox';
import { parametersOf, parsePattern, ownValue } from '../../../framework';
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
export function queryParameters({ properties, required = [] }: TObject): readonly ParameterData[] {
  return Object.entries(properties).map(([name, schema]) =>
    parameterOf(name, 'query', schema, required.includes(name)),
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
