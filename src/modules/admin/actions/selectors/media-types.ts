import { fits, parseMediaType } from '../../../../framework';
import { mediaTypeSchema } from '../../../content-negotiation';
import type { FieldError } from '../invalid';

/** What is wrong with the media types of an entry of a selector. @param pointer that of the list */
export function mediaTypeErrors(types: readonly string[], pointer: string): readonly FieldError[] {
  if (types.length === 0) return [{ pointer, message: 'Name at least one media type.' }];
  return types.flatMap((type, at): readonly FieldError[] => {
    const place = `${pointer}/${at}`;
    if (type.includes('*')) {
      return [{ pointer: place, message: `"${type}" is a range. Write media types without wildcards.` }];
    }
    if (fits(type, mediaTypeSchema) !== true || parseMediaType(type) === undefined) {
      return [
        { pointer: place, message: `"${type}" is no media type. Write one such as "application/json".` },
      ];
    }
    const twin = types.slice(0, at).find((other) => other.toLowerCase() === type.toLowerCase());
    return twin === undefined ? [] : [{ pointer: place, message: `"${type}" stands here twice.` }];
  });
}
