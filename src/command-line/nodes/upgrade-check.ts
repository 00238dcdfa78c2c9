import type { Head, SeenNode } from '../../modules/cluster';

/** What this version reads and writes. */
export interface OwnVersion {
  readonly version: string;
  /** Of the configuration store. */
  readonly format: number;
}

/** Whether nodes can be upgraded one after the other, and why. */
export interface UpgradeAssessment {
  readonly isRolling: boolean;
  readonly lines: readonly string[];
}

/**
 * Compares what a deployment has written with what this version reads and writes.
 * @param head undefined for an empty store, or configuration in files
 * @param nodes those that were seen lately
 */
export function assessUpgrade(
  { version: ownVersion, format: ownFormat }: OwnVersion,
  head: Head | undefined,
  nodes: readonly SeenNode[],
): UpgradeAssessment {
  const own = `This is version ${ownVersion}, which uses format ${ownFormat} of the configuration store.`;
  const others = nodes.map(({ id, version, format }) => `Node ${id}: version ${version}, format ${format}.`);
  const conflicts = [
    ...(head !== undefined && head.format !== ownFormat ? [`The store has format ${head.format}.`] : []),
    ...nodes
      .filter(({ format }) => format !== ownFormat)
      .map(({ id, format }) => `Node ${id} uses format ${format}.`),
  ];
  const verdict =
    conflicts.length === 0
      ? 'A rolling upgrade is possible: replace one node after the other.'
      : `No rolling upgrade: ${conflicts.join(' ')} Stop all nodes, then start them with this version and a platform-cluster.prefix of its own; the first one seeds its store from its files.`;
  return { isRolling: conflicts.length === 0, lines: [own, ...others, verdict] };
}
