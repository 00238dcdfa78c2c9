import { Response, StartError, ViewModel, whatIs, type Endpoint } from '../../framework';
import { JsonModel, mediaTypeSchema, Selector } from '../content-negotiation';
import type { OperationDefinition } from './operation-definition';
import type { Part } from './hosted-endpoint';
import { inTimeThen } from './timeout';

const MEDIA_TYPE = new RegExp(mediaTypeSchema.pattern ?? '', 'u');

/** Whether something names one media type (RFC 9110, 8.3.1), without a wildcard. */
export function isMediaType(type: string): boolean {
  return MEDIA_TYPE.test(type);
}

/**
 * The media types of an answer that the handler makes itself, such as a picture's.
 * @param name of the operation, for messages
 * @returns undefined where the platform makes it
 * @throws StartError for an operation that cannot, and for what is no media type
 */
export function responseTypesOf(
  { response_type: types, stream }: OperationDefinition,
  part: Part,
  name: string,
): readonly string[] | undefined {
  if (types === undefined) return undefined;
  if (part !== 'rpc') {
    throw new StartError(`${name} has a response_type. Only procedures may have one; take it away here.`);
  }
  if (stream !== undefined) {
    throw new StartError(
      `${name} has a stream, which names the types of its answers, and a response_type. Take one of them away.`,
    );
  }
  const odd = types.find((type) => !isMediaType(type));
  if (types.length > 0 && odd === undefined) return types;
  throw new StartError(
    `${name}: response_type has ${odd === undefined ? 'no type' : `"${odd}"`}. Write media types without wildcards, such as "image/png".`,
  );
}

/** Chooses among types that no view model makes, the first for those who have no wish. */
export function selectorOf(types: readonly string[]): Selector {
  // The model is never made: what comes is an answer as it is.
  return new Selector(types.map((mediaType) => ({ mediaType, name: 'JsonModel', viewModel: JsonModel })));
}

/** A handler that makes its answers itself: whatever else it returned would go out under a type that it is not of. */
export function madeItself(handler: Endpoint['handler'], name: string): Endpoint['handler'] {
  return (event) =>
    inTimeThen(event, handler(event), (result) => {
      if (result instanceof Response || result instanceof ViewModel) return result;
      throw new TypeError(
        `${name} has a response_type, and returned no Response of the platform, but ${whatIs(result)}: its type and its bytes are the handler's to make. Import Response from 'apidesc-platform'.`,
      );
    });
}
