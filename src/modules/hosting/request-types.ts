import { fieldEssence } from '../../framework';
import type { ServicePart } from './definition/service-part';
import type { OperationSchemas } from './schema/operation-schemas';

export const JSON_TYPE = 'application/json';

/** The selector of services that name none. */
export const DEFAULT_SELECTOR = 'Json';

const MERGE_PATCH = 'application/merge-patch+json';

/** The media types of an operation without a body. */
export const NO_REQUEST_TYPES: readonly string[] = Object.freeze([]);

/** Requests are compared with types without parameters, in lower case: their charset is checked apart (RFC 9110, 8.3.1). */
export function requestTypes(mediaTypes: readonly string[]): readonly string[] {
  return Object.freeze([...new Set(mediaTypes.map((type) => fieldEssence(type) ?? type))]);
}

/** The media types of request bodies of a service: the JSON types of its responses, or JSON if they have another format. */
export function defaultRequestTypes(accept: readonly string[]): readonly string[] {
  const types = accept.filter(isJsonType);
  return types.length === 0 ? [JSON_TYPE] : types;
}

function isJsonType(mediaType: string): boolean {
  return /^application\/(?:.+\+)?json(?:;|$)/i.test(mediaType);
}

/**
 * Returns the media types of request bodies of an operation. Operations that accept JSON for a patch also accept its own
 * media type (RFC 7396, 4).
 * @param ofService the types of the service
 */
export function operationTypes(
  ofService: readonly string[],
  part: ServicePart,
  method: string,
  { isQuery }: OperationSchemas,
): readonly string[] {
  if (isQuery === true) return [...new Set([JSON_TYPE, ...ofService.filter(isJsonType)])];
  if (part !== 'entity' || method !== 'PATCH' || !ofService.includes(JSON_TYPE)) return ofService;
  return [...new Set([...ofService, MERGE_PATCH])];
}
