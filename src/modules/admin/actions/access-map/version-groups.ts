import { versionKey, type VersionState } from './access-state';

/** One version, or several with the same adapters and rules. */
export interface VersionGroup {
  /** The key of the first version. */
  readonly key: string;
  readonly versions: readonly VersionState[];
}

/** Up to this many versions are shown one by one. */
const MAX_SINGLE = 15;
/** Fewer versions are not worth a group. */
const MIN_GROUP = 3;

/** Groups versions with the same adapters and rules, if there are many. */
export function groupVersions(versions: readonly VersionState[]): readonly VersionGroup[] {
  if (versions.length <= MAX_SINGLE) return versions.map(single);
  const alike = new Map<string, VersionState[]>();
  for (const version of versions) {
    const key = accessOf(version);
    const own = alike.get(key);
    if (own === undefined) alike.set(key, [version]);
    else own.push(version);
  }
  return [...alike.values()].flatMap((own) => {
    const [first] = own;
    return first === undefined || own.length < MIN_GROUP
      ? own.map(single)
      : [{ key: versionKey(first), versions: own }];
  });
}

/** Returns the versions with the same adapters and rules as one of them. @param key such as `Atlas-v1` */
export function versionsLike(versions: readonly VersionState[], key: string): readonly VersionState[] {
  const one = versions.find((version) => versionKey(version) === key);
  if (one === undefined) return [];
  const wanted = accessOf(one);
  return versions.filter((version) => accessOf(version) === wanted);
}

export function single(version: VersionState): VersionGroup {
  return { key: versionKey(version), versions: [version] };
}

/** The adapters and rules of a version, whatever its services are called. */
function accessOf({ services }: VersionState): string {
  const kinds = services.map(({ adapters, rules }) =>
    JSON.stringify([adapters, [...new Set(rules.map((rule) => JSON.stringify(rule)))].sort()]),
  );
  return [...new Set(kinds)].sort().join('\n');
}
