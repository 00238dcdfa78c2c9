import { isSchema, printable, type SchemaNode, type Steps } from '../../../framework';
import { formats, isSlowPattern } from '../../content-validation';
import type { HostedService } from '../hosted-endpoint';
import { describeLocations, schemaLocations, type SchemaSearch } from './schema-locations';

/**
 * Warns about regular expressions that are vulnerable to ReDoS: clients control the bodies, queries and paths that
 * they match, and may have stored what responses have.
 * @param checksResponses whether responses are compared with their schemas
 */
export function* slowPatternWarnings(
  services: readonly HostedService[],
  checksResponses: boolean,
): Steps<readonly string[]> {
  const parts = ['body', 'query', ...(checksResponses ? (['answer'] as const) : [])] as const;
  return [...(yield* schemaLocations(services, parts, PATTERNS))]
    .filter(([pattern]) => isSlowPattern(pattern))
    .map(
      ([pattern, places]) =>
        `The pattern ${printable(JSON.stringify(pattern))} of ${describeLocations(places)} is vulnerable to ReDoS: a crafted text can block the service. Anchor it with "^", and avoid nested or adjacent repetitions that match the same characters.`,
    );
}

const PATTERNS: SchemaSearch = { keywords: ['pattern', 'patternProperties'], find: patternsOf };
const FORMATS: SchemaSearch = { keywords: ['format'], find: formatOf };

/** Most schemas have nothing to warn about. */
const NONE: readonly string[] = [];

function patternsOf({ pattern, patternProperties }: SchemaNode): readonly string[] {
  if (pattern === undefined && patternProperties === undefined) return NONE;
  return [
    ...(typeof pattern === 'string' ? [pattern] : []),
    ...(isSchema(patternProperties) ? Object.keys(patternProperties) : []),
  ];
}

/** Warns about formats that are not validated. */
export function* unknownFormatWarnings(services: readonly HostedService[]): Steps<readonly string[]> {
  return [...(yield* schemaLocations(services, ['body', 'query', 'answer'], FORMATS))].map(
    ([format, places]) =>
      `The format ${printable(JSON.stringify(format))} of ${describeLocations(places)} is unknown and not validated; it only appears in the documentation. Available: ${formats.join(', ')}.`,
  );
}

function formatOf({ format }: SchemaNode): readonly string[] {
  return typeof format === 'string' && !formats.includes(format) ? [format] : NONE;
}
