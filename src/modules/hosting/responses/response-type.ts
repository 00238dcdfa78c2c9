import { Response, ConfigurationError, ViewModel, describeValue, type Endpoint } from '../../../framework';
import { JsonModel, mediaTypeSchema, Selector, type ResponseFormat } from '../../content-negotiation';
import type { OperationDefinition } from '../definition/operation-definition';
import type { ServicePart } from '../definition/service-part';
import { thenUnlessTimedOut } from '../timeout';

const MEDIA_TYPE = new RegExp(mediaTypeSchema.pattern ?? '', 'u');

/** Whether a text is a media type (RFC 9110, 8.3.1) without wildcards. */
export function isMediaType(type: string): boolean {
  return MEDIA_TYPE.test(type);
}

/**
 * Returns the media types of responses that the handler builds, such as images.
 * @param name operation name, for messages
 * @returns undefined if the platform builds the response
 * @throws ConfigurationError for an unsupported operation, or an invalid media type
 */
export function responseTypesOf(
  { response_type: types, stream }: OperationDefinition,
  part: ServicePart,
  name: string,
): readonly string[] | undefined {
  if (types === undefined) return undefined;
  if (part !== 'rpc') {
    throw new ConfigurationError(`${name} has a response_type. Only procedures may have one. Remove it.`);
  }
  if (stream !== undefined) {
    throw new ConfigurationError(
      `${name} has a stream and a response_type, which both set its media types. Remove one of them.`,
    );
  }
  const invalid = types.find((type) => !isMediaType(type));
  if (types.length > 0 && invalid === undefined) return types;
  throw new ConfigurationError(
    `${name}: response_type has ${invalid === undefined ? 'no type' : `"${invalid}"`}. Write media types without wildcards, such as "image/png".`,
  );
}

/**
 * Creates a selector for media types without view models.
 * @param formats those that have one, which come first
 * @returns undefined if there are no such types
 */
export function selectorOf(
  types: readonly string[] | undefined,
  formats: readonly ResponseFormat[],
): Selector | undefined {
  if (types === undefined) return undefined;
  // The view model is never created: the handler returns a response.
  const added = types.map((mediaType) => ({ mediaType, name: 'JsonModel', viewModel: JsonModel }));
  return new Selector([...formats, ...added]);
}

/** Wraps a handler that must return a response: any other result would be sent under the wrong media type. */
export function requireResponse(handler: Endpoint['handler'], name: string): Endpoint['handler'] {
  return (event) =>
    thenUnlessTimedOut(event, handler(event), (result) => {
      if (result instanceof Response || result instanceof ViewModel) return result;
      throw new TypeError(
        `${name} has a response_type but returned ${describeValue(result)}. Return a Response with its type and body; import it from 'apidesc-platform'.`,
      );
    });
}
