import type { Gap } from './access-gaps';

/** The columns of the map, in order. */
export const accessLayers = ['version', 'adapter', 'source', 'group'] as const;
export type AccessLayer = (typeof accessLayers)[number];

export interface AccessNode {
  readonly id: string;
  readonly layer: AccessLayer;
  readonly name: string;
  readonly detail: string;
  readonly gaps: readonly Gap[];
  /** The page behind it, below the admin; undefined for none. */
  readonly path: string | undefined;
  /** How many it stands for; 1 for itself. */
  readonly count: number;
}

/** Leads to the next layer. */
export interface AccessEdge {
  readonly from: string;
  readonly to: string;
  /** Whether it leads to no adapter, although users are required. */
  readonly isGap: boolean;
}

/** Which adapters guard which versions, where their users come from, and in which groups they are. */
export interface AccessMap {
  readonly nodes: readonly AccessNode[];
  readonly edges: readonly AccessEdge[];
}

/** The page that lists the versions of a group. */
export const ACCESS_MAP_PATH = '/access-map';
/** Where versions without an adapter lead. */
export const NO_ADAPTER = 'adapter:';
