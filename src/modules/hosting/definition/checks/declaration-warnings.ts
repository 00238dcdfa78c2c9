import type { TSchema } from '@sinclair/typebox';
import {
  didYouMean,
  expandPaths,
  objectOf,
  parametersOf,
  parsePattern,
  printable,
} from '../../../../framework';
import { declarationOf } from '../../../content-validation';
import type { GroupedWarnings } from '../../grouped-warnings';
import type { OperationDefinition } from '../operation-definition';
import { misspeltName } from './misspelt-name';

/** Mistakes in routes that are valid nevertheless, each with what to do. */
const ROUTE_MISTAKES: readonly (readonly [RegExp, advice: string])[] = [
  [
    /^\/v\d+(?=\/|$)/,
    'begins with a version, which the paths of all services have anyway, as in /v1/products for /products. Remove it',
  ],
  [/\/\//, 'has an empty segment ("//"), which proxies and clients may remove. Remove one slash'],
  [
    /%[\dA-Fa-f]{2}/,
    'has a percent-encoded character, of which the path has the encoded percent sign (%25). Write the character itself',
  ],
];

/** Warns about a route whose paths are not those that its author probably means. @param where name of the service */
export function warnAboutRoute(route: string, where: string, warnings: GroupedWarnings): void {
  const paths = expandPaths(route);
  for (const [mistake, advice] of ROUTE_MISTAKES)
    if (paths.some((path) => mistake.test(path)))
      warnings.add(`the route ${advice}.`, `${where}: ${printable(route)}`);
}

/** Warns about schemas of parameters that a route does not have. @param where name of the service */
export function warnAboutParameters(
  route: string,
  parameters: Readonly<Record<string, TSchema>>,
  where: string,
  warnings: GroupedWarnings,
): void {
  const names = parametersOf(parsePattern(route).parts);
  for (const name of Object.keys(parameters))
    if (!names.includes(name))
      warnings.add(
        `parameters has ${printable(JSON.stringify(name))}, which the route does not have, so that it has no effect.${didYouMean(name, names)} Available: ${names.join(', ') || 'none'}.`,
        where,
      );
}

/**
 * Warns about names of an order that are clearly misspelt. Others may be known to the resource only, such as a distance.
 * @param fields schema of an entity
 * @param where name of the service
 */
export function warnAboutSort(
  sort: Iterable<string>,
  fields: TSchema,
  where: string,
  warnings: GroupedWarnings,
): void {
  const declaration = declarationOf(fields, fields);
  if (typeof declaration === 'string') return;
  const names = new Set(sort);
  const members = new Set(declaration.flatMap(({ schema }) => Object.keys(objectOf(schema.properties))));
  const others = [...members].filter((name) => !names.has(name));
  for (const name of names) {
    const meant = members.has(name) ? undefined : misspeltName(name, others);
    if (meant !== undefined)
      warnings.add(
        `sort has ${printable(JSON.stringify(name))}, which the fields do not declare. Did you mean ${printable(JSON.stringify(meant))}?`,
        where,
      );
  }
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

/** Media types whose content is neither JSON nor a form. Others may be JSON without a suffix, as `text/plain` of `sendBeacon` is. */
const UNREADABLE =
  /^(?:audio|font|image|video)\/|^multipart\/(?!form-data$)|[/+](?:xml|yaml|zip)$|^text\/(?:csv|html|markdown)$|^application\/(?:gzip|octet-stream|pdf|x-ndjson)$/;

/** Warns about media types of bodies that cannot be read. @param where name of the operation */
export function warnAboutTypes(
  contentTypes: readonly string[],
  where: string,
  warnings: GroupedWarnings,
): void {
  for (const type of contentTypes)
    if (UNREADABLE.test(type))
      warnings.add(
        `content_type has "${type}", but a body is read as JSON or as a form, so that others are refused with 400. Remove it. A procedure without "fields" reads the bytes with event.request.read(limit).`,
        where,
      );
}
