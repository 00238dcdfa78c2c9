import type { TSchema } from '@sinclair/typebox';
import { didYouMean, objectOf, parametersOf, parsePattern, printable } from '../../../../framework';
import { declarationOf } from '../../../content-validation';
import type { GroupedWarnings } from '../../grouped-warnings';
import type { OperationDefinition } from '../operation-definition';
import { misspeltName } from './misspelt-name';

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
        `${where}: parameters has ${printable(JSON.stringify(name))}, which the route ${route} does not have, so that it has no effect.${didYouMean(name, names)} Available: ${names.join(', ') || 'none'}.`,
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
      : [
          `${where}: sort has ${printable(JSON.stringify(name))}, which its fields do not declare. Did you mean ${printable(JSON.stringify(meant))}?`,
        ];
  });
}

/** Warns about the schema of a body that requests do not have. @param where name of the operation */
export function warnAboutBody(
  method: string,
  { fields }: OperationDefinition,
  isProcedure: boolean,
  where: string,
  warnings: GroupedWarnings,
): void {
  if (fields === undefined) return;
  if (['GET', 'HEAD'].includes(method) && isProcedure)
    warnings.add(
      `"fields" is the schema of a body, which browsers and many proxies do not send with ${method}. Declare parameters in "query", or use POST.`,
      where,
    );
  if (!isProcedure && ['GET', 'DELETE'].includes(method))
    warnings.add('"fields" has no effect, as these requests have no body. Remove it.', where);
}
