import { matchesSchema, parseMediaType } from '../../../../framework';
import { mediaTypeSchema } from '../../../content-negotiation';
import type { FieldError } from '../../changes/field-errors';

/** Validates the media types of a view model in a selector. @param pointer of the list */
export function mediaTypeErrors(types: readonly string[], pointer: string): readonly FieldError[] {
  if (types.length === 0) return [{ pointer, message: 'Enter at least one media type.' }];
  return types.flatMap((type, at): readonly FieldError[] => {
    const place = `${pointer}/${at}`;
    if (type.includes('*')) {
      return [
        { pointer: place, message: `"${type}" is a media range. Enter media types without wildcards.` },
      ];
    }
    if (matchesSchema(type, mediaTypeSchema) !== true || parseMediaType(type) === undefined) {
      return [
        { pointer: place, message: `"${type}" is not a media type. Enter one such as "application/json".` },
      ];
    }
    const twin = types.slice(0, at).find((other) => other.toLowerCase() === type.toLowerCase());
    return twin === undefined ? [] : [{ pointer: place, message: `"${type}" is listed twice.` }];
  });
}
