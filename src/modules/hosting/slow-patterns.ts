import { allSubschemas, isSchema, printable, type SchemaNode } from '../../framework';
import { isSlowPattern } from '../content-validation';
import type { HostedService } from './hosted-endpoint';

/** Operations that one warning names; the rest are counted. */
const NAMED = 3;

/**
 * Warnings of patterns for which somebody could make a text that keeps the service busy: bodies and queries are
 * checked by them, whoever sends them.
 */
export function slowPatterns(services: readonly HostedService[]): readonly string[] {
  const places = new Map<string, Set<string>>();
  for (const { operations, entityOperations } of services) {
    for (const { name, requestSchema, querySchema } of [...operations, ...entityOperations]) {
      for (const [part, schema] of [
        ['body', requestSchema],
        ['query', querySchema],
      ] as const) {
        for (const pattern of schema === null ? [] : patternsOf(schema)) {
          const known = places.get(pattern) ?? new Set();
          places.set(pattern, known.add(`the ${part} of ${name}`));
        }
      }
    }
  }
  return [...places].filter(([pattern]) => isSlowPattern(pattern)).map(warningOf);
}

function warningOf([pattern, places]: readonly [string, ReadonlySet<string>]): string {
  const named = [...places].slice(0, NAMED).join(', ');
  const rest = places.size > NAMED ? ` and ${places.size - NAMED} more` : '';
  return `The pattern ${printable(JSON.stringify(pattern))} of ${named}${rest} may take very long for a text that is made for it, and stop the service for everyone: begin it with "^", and let no two of its repetitions match the same letters one after the other or one within the other.`;
}

function patternsOf(schema: SchemaNode): readonly string[] {
  return allSubschemas(schema).flatMap(({ pattern, patternProperties }) => [
    ...(typeof pattern === 'string' ? [pattern] : []),
    ...(isSchema(patternProperties) ? Object.keys(patternProperties) : []),
  ]);
}
