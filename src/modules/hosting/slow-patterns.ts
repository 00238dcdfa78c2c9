import { isSchema, printable, type SchemaNode } from '../../framework';
import { isSlowPattern } from '../content-validation';
import type { HostedService } from './hosted-endpoint';
import { placesInWords, schemaPlaces } from './schema-places';

/**
 * Warnings of patterns for which somebody could make a text that keeps the service busy: bodies, queries and addresses
 * are checked by them, whoever sends them.
 */
export function slowPatterns(services: readonly HostedService[]): readonly string[] {
  return [...schemaPlaces(services, ['body', 'query'], patternsOf)]
    .filter(([pattern]) => isSlowPattern(pattern))
    .map(
      ([pattern, places]) =>
        `The pattern ${printable(JSON.stringify(pattern))} of ${placesInWords(places)} may take very long for a text that is made for it, and stop the service for everyone: begin it with "^", and let no two of its repetitions match the same letters one after the other or one within the other.`,
    );
}

function patternsOf({ pattern, patternProperties }: SchemaNode): readonly string[] {
  return [
    ...(typeof pattern === 'string' ? [pattern] : []),
    ...(isSchema(patternProperties) ? Object.keys(patternProperties) : []),
  ];
}
