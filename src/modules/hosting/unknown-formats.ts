import { printable, type SchemaNode } from '../../framework';
import { formats } from '../content-validation';
import type { HostedService } from './hosted-endpoint';
import { placesInWords, schemaPlaces } from './schema-places';

/** Warnings of formats that nothing is held to: a `format` that validators do not know says something to readers only. */
export function unknownFormats(services: readonly HostedService[]): readonly string[] {
  return [...schemaPlaces(services, ['body', 'query', 'answer'], formatOf)].map(
    ([format, places]) =>
      `The format ${printable(JSON.stringify(format))} of ${placesInWords(places)} is none that values are checked by: it is shown to readers, and that is all. There are: ${formats.join(', ')}.`,
  );
}

function formatOf({ format }: SchemaNode): readonly string[] {
  return typeof format === 'string' && !formats.includes(format) ? [format] : [];
}
