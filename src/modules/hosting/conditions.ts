import type { OperationDefinition } from './operation-definition';
import type { AnyResource } from './resource';

/** What an operation does with preconditions and entity tags, for the documentation. */
export interface Conditions {
  /** `read`: 304 for those who have it. `write`: 412 before anything changes. */
  readonly kind: 'read' | 'write';
  /** Whether its answer has an `ETag`. */
  readonly tagged: boolean;
  /** Whether one without `If-Match` is refused (428). */
  readonly required: boolean;
}

/** @returns undefined where preconditions make no difference */
export function conditionsOf(
  resource: AnyResource,
  part: 'collection' | 'entity',
  method: string,
  { precondition }: OperationDefinition,
): Conditions | undefined {
  const ofEntity = resource.revision !== undefined;
  const ofCollection = resource.collectionRevision !== undefined;
  const compared = part === 'entity' ? ofEntity : ofCollection;
  const isRead = method === 'GET';
  // A POST to the collection answers with the entity that it made.
  const answersEntity = part === 'entity' || method === 'POST';
  const tagged = method !== 'DELETE' && (answersEntity ? ofEntity : ofCollection);
  if (!compared && !tagged) return undefined;
  return Object.freeze({ kind: isRead ? 'read' : 'write', tagged, required: precondition === 'required' });
}
