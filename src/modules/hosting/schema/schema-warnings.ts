import {
  hasUnknownKeyword,
  isSchema,
  KEYWORDS,
  printable,
  visitSubschemas,
  type SchemaNode,
  type Steps,
} from '../../../framework';
import { formats, isSlowPattern } from '../../content-validation';
import type { HostedService } from '../hosted-endpoint';
import { misspeltName } from '../definition/checks/misspelt-name';
import { describeLocations, type GroupedWarnings } from '../grouped-warnings';
import { schemaLocations, type SchemaLocations, type SchemaSearch } from './schema-locations';

/**
 * Warns about keywords that are clearly misspelt, which JSON Schema ignores. Others may be of a vocabulary, or of the document
 * that a schema was imported from.
 * @param where location of the schema
 */
export function warnAboutMisspeltKeywords(
  schema: SchemaNode,
  where: string,
  warnings: GroupedWarnings,
): void {
  if (!hasUnknownKeyword(schema)) return;
  visitSubschemas(schema, (one, keywords) => {
    for (const keyword of keywords) {
      if (KEYWORDS.has(keyword) || keyword.startsWith('x-')) continue;
      const meant = misspeltName(keyword, KEYWORDS);
      // A schema with both means both.
      if (meant === undefined || Object.hasOwn(one, meant)) continue;
      warnings.add(
        `the keyword ${printable(JSON.stringify(keyword))} is unknown and has no effect. Did you mean "${meant}"? Begin the names of other keywords with "x-".`,
        where,
      );
    }
  });
}

/**
 * Warns about patterns that are vulnerable to ReDoS, and about formats that are not validated.
 * @param checksResponses whether responses are compared with their schemas
 */
export function* schemaWarnings(
  services: readonly HostedService[],
  checksResponses: boolean,
): Steps<readonly string[]> {
  const patterns: SchemaSearch = {
    roles: ['body', 'query', ...(checksResponses ? (['answer'] as const) : [])],
    keywords: ['pattern', 'patternProperties'],
    find: patternsOf,
  };
  const unknownFormats: SchemaSearch = {
    roles: ['body', 'query', 'answer'],
    keywords: ['format'],
    find: formatOf,
  };
  const [patternsFound = NOWHERE, formatsFound = NOWHERE] = yield* schemaLocations(services, [
    patterns,
    unknownFormats,
  ]);
  return [...slowPatternWarnings(patternsFound), ...unknownFormatWarnings(formatsFound)];
}

const NOWHERE: SchemaLocations = new Map();

/**
 * Warns about regular expressions that are vulnerable to ReDoS: clients control the bodies, queries and paths that
 * they match, and may have stored what responses have.
 */
function slowPatternWarnings(found: SchemaLocations): readonly string[] {
  return [...found]
    .filter(([pattern]) => isSlowPattern(pattern))
    .map(
      ([pattern, places]) =>
        `The pattern ${printable(JSON.stringify(pattern))} of ${describeLocations(places)} is vulnerable to ReDoS: a crafted text can block the service. Anchor it with "^", and avoid nested or adjacent repetitions that match the same characters.`,
    );
}

/** Warns about formats that are not validated. */
function unknownFormatWarnings(found: SchemaLocations): readonly string[] {
  return [...found].map(
    ([format, places]) =>
      `The format ${printable(JSON.stringify(format))} of ${describeLocations(places)} is unknown and not validated; it only appears in the documentation. Available: ${formats.join(', ')}.`,
  );
}

/** Most schemas have nothing to warn about. */
const NONE: readonly string[] = [];

function patternsOf({ pattern, patternProperties }: SchemaNode): readonly string[] {
  if (pattern === undefined && patternProperties === undefined) return NONE;
  return [
    ...(typeof pattern === 'string' ? [pattern] : []),
    ...(isSchema(patternProperties) ? Object.keys(patternProperties) : []),
  ];
}

function formatOf({ format }: SchemaNode): readonly string[] {
  return typeof format === 'string' && !formats.includes(format) ? [format] : NONE;
}
