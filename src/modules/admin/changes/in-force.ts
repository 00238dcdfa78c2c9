import { problem, showPath, type ConfigEdit, type Configuration, type ConfigValue } from '../../../framework';
import { tagOf } from './tag';

/**
 * What was written must be what counts: a file above `local.json`, or the environment, may say otherwise.
 * @throws Problem 409 that names the place
 */
export function assertInForce(edits: readonly ConfigEdit[], candidate: Configuration): void {
  for (const { path, value } of edits) {
    const effective = candidate.valueAt(path);
    // Taking a key out of the file uncovers what lower layers say: whatever that is, it is meant.
    if (value === undefined || holds(effective, value)) continue;
    throw problem('overruled', { path: showPath(path), source: candidate.sourceOf(path) });
  }
}

function holds(effective: ConfigValue | undefined, written: ConfigValue): boolean {
  if (written === null) return effective === undefined;
  if (isList(written) && isList(effective)) {
    // The lists of a selector add to those of lower layers.
    return written.every((member) => effective.some((one) => tagOf(one) === tagOf(member)));
  }
  return tagOf(effective) === tagOf(withoutNulls(written));
}

/** A null within a map takes a key away. */
function withoutNulls(value: ConfigValue): ConfigValue {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => (member === null ? [] : [[key, withoutNulls(member)]])),
  );
}

function isList(value: ConfigValue | undefined): value is readonly ConfigValue[] {
  return Array.isArray(value);
}
