import type { TSchema } from '@sinclair/typebox';
import {
  didYouMean,
  objectOf,
  parametersOf,
  parsePattern,
  visitSubschemas,
  type SchemaNode,
} from '../../../../framework';
import { declarationOf } from '../../../content-validation';
import { KEYWORDS } from '../../schema/assert-schema';
import type { OperationDefinition } from '../operation-definition';
import { misspeltName } from './misspelt-name';

/**
 * Returns warnings about keywords that are clearly misspelt, which JSON Schema ignores. Others may be of a vocabulary, or
 * of the document that a schema was imported from.
 * @param where location of the schema
 */
export function keywordWarnings(schema: SchemaNode, where: string): readonly string[] {
  const warnings = new Set<string>();
  visitSubschemas(schema, (one, keywords) => {
    for (const keyword of keywords) {
      if (KEYWORDS.has(keyword) || keyword.startsWith('x-')) continue;
      const meant = misspeltName(keyword, KEYWORDS);
      // A schema with both means both.
      if (meant === undefined || Object.hasOwn(one, meant)) continue;
      warnings.add(
        `${where}: the keyword "${keyword}" is unknown and has no effect. Did you mean "${meant}"? Begin the names of other keywords with "x-".`,
      );
    }
  });
  return [...warnings];
}

/** Returns warnings about schemas of parameters that a route does not have. @param where name of the service */
export function parameterWarnings(
  route: string,
  parameters: Readonly<Record<string, TSchema>>,
  where: string,
): readonly string[] {
  const names = parametersOf(parsePattern(route).parts);
  return Object.keys(parameters)
    .filter((name) => !names.includes(name))
    .map(
      (name) =>
        `${where}: parameters has "${name}", which the route ${route} does not have, so that it has no effect.${didYouMean(name, names)} Available: ${names.join(', ') || 'none'}.`,
    );
}

/**
 * Returns warnings about names of an order that are clearly misspelt. Others may be known to the resource only, such as
 * a distance.
 * @param fields schema of an entity
 * @param where name of the service
 */
export function sortWarnings(sort: readonly string[], fields: TSchema, where: string): readonly string[] {
  const declaration = declarationOf(fields, fields);
  if (typeof declaration === 'string') return [];
  const members = new Set(declaration.flatMap(({ schema }) => Object.keys(objectOf(schema.properties))));
  const others = [...members].filter((name) => !sort.includes(name));
  return sort.flatMap((name) => {
    const meant = members.has(name) ? undefined : misspeltName(name, others);
    return meant === undefined
      ? []
      : [`${where}: sort has "${name}", which its fields do not declare. Did you mean "${meant}"?`];
  });
}

/** Returns a warning about the schema of a body that requests do not have. @param where name of the operation */
export function bodyWarnings(
  method: string,
  { fields }: OperationDefinition,
  isProcedure: boolean,
  where: string,
): readonly string[] {
  if (fields === undefined) return [];
  if (['GET', 'HEAD'].includes(method) && isProcedure)
    return [
      `${where} has "fields", the schema of a body, which browsers and many proxies do not send with ${method}. Declare parameters in "query", or use POST.`,
    ];
  if (isProcedure || !['GET', 'DELETE'].includes(method)) return [];
  return [`${where} has "fields", but its requests have no body, so that it has no effect. Remove it.`];
}
