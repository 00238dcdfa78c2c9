import type { TSchema } from '@sinclair/typebox';
import { LinkedEntities, type ResponseFormat } from '../../../content-negotiation';
import type { OperationDefinition } from '../../definition/operation-definition';
import type { HostedEndpoint } from '../../hosted-endpoint';
import {
  responseFilter,
  type ResponseFilter,
  type UnknownResponseMembers,
} from '../../members/response-filter';
import { mapByStatus, responsesByStatus } from '../../responses/responses-by-status';
import { describeWithLinks, type Hypermedia } from '../../rest/hypermedia';
import type { OperationSchemas } from '../../schema/operation-schemas';
import type { CompileContext } from '../compile-context';

/** The response with one status, or an item of a stream. */
interface StatusResponse {
  readonly schema: TSchema;
  readonly filter: ResponseFilter;
}

/** The successful responses of an operation. */
export interface OperationResponses {
  /** Schema of the response, or of one item of a stream; null for no content. */
  readonly response: TSchema | null;
  /** Removes what is not sent; undefined for none. */
  readonly filter: ResponseFilter | undefined;
  /** Responses with other statuses that have their own schema. */
  readonly byStatus: ReadonlyMap<number, StatusResponse>;
  /** An item of the stream of an operation that responds with pages as well. */
  readonly item: StatusResponse | undefined;
}

const NO_NAMES: readonly string[] = Object.freeze([]);

interface ResponseSources {
  /** Operation name, for messages. */
  readonly name: string;
  readonly status: number;
  /** Schema of an item of the stream of an operation that responds with pages as well. */
  readonly item: TSchema | undefined;
  /** How undeclared members are treated. */
  readonly unknown: UnknownResponseMembers;
  /** The schema of what is sent, from a declared one. */
  readonly sentSchema: (declared: TSchema) => TSchema;
}

/** Returns what an operation sends, and how it is filtered. */
export function operationResponses(
  definition: OperationDefinition,
  { response: declared, added = NO_NAMES }: OperationSchemas,
  { name, status, item, unknown, sentSchema }: ResponseSources,
  context: Pick<CompileContext, 'checks' | 'matchers'>,
): OperationResponses {
  const filterFor = (schema: TSchema, more: readonly string[]): ResponseFilter =>
    responseFilter({ name, schema, added: more, unknown }, context);
  return {
    response: declared === null ? null : sentSchema(declared),
    item: item && { schema: sentSchema(item), filter: filterFor(item, NO_NAMES) },
    filter: declared === null ? undefined : filterFor(declared, added),
    byStatus: mapByStatus(responsesByStatus(definition, status, name), (schema) => ({
      schema: sentSchema(schema),
      filter: filterFor(schema, NO_NAMES),
    })),
  };
}

/**
 * Wraps results as hypermedia. If links are built from the original result, the response filter is applied after that;
 * otherwise the handler has applied it.
 */
export function filteredHypermedia(
  hypermedia: Hypermedia | undefined,
  { filter, byStatus }: OperationResponses,
): Hypermedia['wrap'] | undefined {
  if (hypermedia === undefined || filter === undefined || !hypermedia.usesOriginalResult)
    return hypermedia?.wrap;
  const { wrap, addsEmbedded } = hypermedia;
  return (event, result) => {
    const wrapped = wrap(event, result);
    // It has declared members only.
    if (wrapped instanceof LinkedEntities) return wrapped;
    const { sent } = event;
    // Only embedded resources remain to be filtered, unless a listener or the resource has changed the result since.
    if (!addsEmbedded && sent?.value === result && sent?.matcher.isSentAsIs(result) === true) return wrapped;
    return (byStatus.get(event.response.status)?.filter ?? filter).apply(wrapped);
  };
}

/** Returns the schemas of results, and of their representations in a format. */
export function responseSchemas(
  { response, byStatus }: OperationResponses,
  format: ResponseFormat | undefined,
  hypermedia: Hypermedia | undefined,
): Pick<HostedEndpoint, 'responseSchema' | 'schemasByStatus' | 'representationSchema'> {
  return {
    responseSchema: response,
    schemasByStatus: mapByStatus(byStatus, ({ schema }) => describeWithLinks(schema, format, hypermedia)),
    representationSchema: response === null ? null : describeWithLinks(response, format, hypermedia),
  };
}
