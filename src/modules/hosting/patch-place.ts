import { isDeepStrictEqual } from 'node:util';
import type { EntityPatch } from './resource';

/**
 * Where a patch stands in a body of several, as a JSON Pointer, whatever the author has made of it: the object itself,
 * or else that of the entity, or else one that says the same. Empty where nothing tells.
 *
 * @param patches of the body, in its order
 * @param id of the entity; undefined where it has none
 */
export function placeOfPatch(
  patches: readonly EntityPatch<unknown>[],
  patch: unknown,
  id: string | undefined,
): string {
  const itself = patches.findIndex((one) => one.patch === patch);
  if (itself >= 0) return `/${itself}`;
  const places = [...patches.keys()];
  const ofEntity = places.filter((at) => patches[at]?.id === id);
  const alike = (ofEntity.length > 0 ? ofEntity : places).find((at) =>
    isDeepStrictEqual(patches[at]?.patch, patch),
  );
  const place = alike ?? ofEntity[0];
  return place === undefined ? '' : `/${place}`;
}
