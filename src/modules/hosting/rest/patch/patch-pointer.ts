import { isDeepStrictEqual } from 'node:util';
import type { EntityPatch } from '../../definition/resource';
import type { EntityId } from '../../definition/entity-id';

/**
 * Finds the position of a patch in a list body, even if the author copied or changed it: by identity, then by
 * entity identifier, then by equality.
 * @param patches patches in the order of the body
 * @param id identifier of the entity; undefined if it has none
 * @returns a JSON Pointer; empty if not found
 */
export function patchPointer(
  patches: readonly EntityPatch<unknown, EntityId>[],
  patch: unknown,
  id: EntityId | undefined,
): string {
  const byIdentity = patches.findIndex((one) => one.patch === patch);
  if (byIdentity >= 0) return `/${byIdentity}`;
  const positions = [...patches.keys()];
  const ofEntity = positions.filter((at) => isDeepStrictEqual(patches[at]?.id, id));
  const byEquality = (ofEntity.length > 0 ? ofEntity : positions).find((at) =>
    isDeepStrictEqual(patches[at]?.patch, patch),
  );
  const position = byEquality ?? ofEntity[0];
  return position === undefined ? '' : `/${position}`;
}
