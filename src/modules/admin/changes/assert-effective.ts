import {
  LOCAL_FILE,
  problem,
  formatKeyPath,
  type ConfigEdit,
  type Configuration,
  type ConfigValue,
  type KeyPath,
} from '../../../framework';
import { tagOf } from './tag';
import { hasReference } from './variable-references';

/**
 * What was written must be what counts: a file above `local.json`, or the environment, may say otherwise.
 * @throws Problem 409 that names the place
 */
export function assertEffective(edits: readonly ConfigEdit[], candidate: Configuration): void {
  for (const { path, value } of edits) {
    const effective = candidate.valueAt(path);
    // Taking a key out of the file uncovers what lower layers say: whatever that is, it is meant.
    if (value === undefined || holds(effective, value) || stands(candidate, path, value)) continue;
    throw problem('overruled', { path: formatKeyPath(path), source: candidate.sourceOf(path) });
  }
}

/** A reference to an environment variable is in force where the file says it: what is effective is its value. */
function stands(candidate: Configuration, path: KeyPath, written: ConfigValue): boolean {
  return hasReference(written) && candidate.sourceOf(path).startsWith(LOCAL_FILE);
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
