import type { OperationDefinition } from '../definition/operation-definition';
import type { AnyResource } from '../definition/resource';

/** How an operation supports conditional requests, for the documentation. */
export interface ConditionalSupport {
  /** `read`: 304 if the client's copy is current. `write`: 412 if a precondition fails. */
  readonly kind: 'read' | 'write';
  /** Whether what it reads or changes has an entity tag: a new entity has none before, so its POST may only be tagged. */
  readonly compared: boolean;
  /** Whether its response has an `ETag`. */
  readonly tagged: boolean;
  /** Whether requests without `If-Match` are rejected (428). */
  readonly required: boolean;
}

/** @returns undefined if preconditions have no effect */
export function conditionalSupportOf(
  resource: AnyResource,
  part: 'collection' | 'entity',
  method: string,
  { precondition }: OperationDefinition,
): ConditionalSupport | undefined {
  // The URL of a QUERY identifies the collection, not the result.
  if (method === 'QUERY') return undefined;
  const hasRevision = resource.revision !== undefined;
  const hasCollectionRevision = resource.collectionRevision !== undefined;
  const compared = part === 'entity' ? hasRevision : hasCollectionRevision;
  const isRead = method === 'GET';
  // A POST to the collection returns the created entity.
  const returnsEntity = part === 'entity' || method === 'POST';
  const tagged = method !== 'DELETE' && (returnsEntity ? hasRevision : hasCollectionRevision);
  if (!compared && !tagged) return undefined;
  return Object.freeze({
    kind: isRead ? 'read' : 'write',
    compared,
    tagged,
    required: precondition === 'required',
  });
}
