import type { TObject, TSchema } from '@sinclair/typebox';
import {
  allSubschemas,
  inlinedSchema,
  isPattern,
  listOf,
  objectOf,
  ownValue,
  parametersOf,
  parsePattern,
  resolveReference,
  type PatternPart,
} from '../../../framework';
import type { HostedService } from '../../hosting';
import type { JsonSchema, ParameterData } from '../model/data';

/** Returns the route parameters of a service, in order. Of those in brackets, only identifiers of entities are required. */
export function routeParameters({
  route,
  parameters,
  fields,
  routeIdentifierNames,
  identifierMembers,
}: HostedService): readonly ParameterData[] {
  const { parts } = parsePattern(route);
  const constraints = constraintsOf(parts);
  const required = [
    ...routeIdentifierNames,
    ...parts.flatMap((part) => (part.kind === 'parameter' ? [part.name] : [])),
  ];
  return parametersOf(parts).map((name) => {
    const isRequired = required.includes(name);
    const schema: TSchema | undefined = ownValue(parameters, name);
    if (schema !== undefined)
      return parameterOf(name, 'path', withConstraint(schema, constraints.get(name)), isRequired);
    const member = identifierMembers[routeIdentifierNames.indexOf(name)];
    const field = member === undefined ? undefined : ownValue(objectOf(fields?.properties), member);
    const text = parameterOf(name, 'path', textLike(field), isRequired);
    return {
      ...text,
      schema: withConstraint({ ...text.schema, ...textExamples(field) }, constraints.get(name)),
    };
  });
}

/** A text with the description of a field. */
function textLike(field: unknown): JsonSchema {
  const { description } = objectOf(field);
  return { type: 'string', ...(description === undefined ? {} : { description }) };
}

/**
 * The example of a field, of the schema only: it shows what an identifier looks like, but an entity that has it may not
 * exist, unlike that of an example of the parameter.
 */
function textExamples(field: unknown): JsonSchema {
  const [example] = listOf(objectOf(field).examples);
  return ['string', 'number'].includes(typeof example) ? { examples: [String(example)] } : {};
}

/** Returns the constraints of a route by the names of its parameters. */
export function constraintsOf(parts: readonly PatternPart[]): ReadonlyMap<string, string> {
  return new Map(
    parts.flatMap((part): readonly (readonly [string, string])[] => {
      if (part.kind === 'optional') return [...constraintsOf(part.parts)];
      return part.kind === 'parameter' && part.constraint !== undefined ? [[part.name, part.constraint]] : [];
    }),
  );
}

/** Adds the constraint of a text as its pattern, unless it has one. */
function withConstraint(schema: JsonSchema, constraint: string | undefined): JsonSchema {
  if (constraint === undefined || schema.type !== 'string' || schema.pattern !== undefined) return schema;
  const pattern = `^(?:${constraint})$`;
  // Patterns of JSON Schema are read with the flag "u", those of routes without it.
  return isPattern(pattern) ? { ...schema, pattern } : schema;
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
