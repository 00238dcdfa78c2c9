/** How a node is drawn; a gap also has an icon and a line of its own. */
export type NodeKind = 'plain' | 'gap' | 'open' | 'group' | 'phase' | 'unknown';

/** A box of a picture. */
export interface PictureNode {
  readonly id: string;
  readonly title: string;
  /** A line below the title; empty for none. */
  readonly detail: string;
  /** A short name of the gap; undefined for none. */
  readonly gap: string | undefined;
  readonly kind: NodeKind;
  /** The whole text: the accessible name, and the tooltip. */
  readonly label: string;
  /** The page behind it; undefined for none. */
  readonly href: string | undefined;
  /** Whether the title is code. */
  readonly isCode?: boolean;
  /** Whether the title is a path, whose end is kept if it is too long. */
  readonly isPath?: boolean;
}

/** An arrow from a node to another one in the same or a later column. */
export interface PictureEdge {
  readonly from: string;
  readonly to: string;
  readonly kind: 'plain' | 'gap' | 'open';
  /** How thick it is; undefined for the usual width. */
  readonly weight?: 1 | 2 | 3 | 4 | 5;
  /** A short text on it, where it ends. */
  readonly text?: string;
}

export interface PictureColumn {
  readonly title: string;
  readonly nodes: readonly PictureNode[];
}

/** Nodes in columns, connected from left to right. */
export interface Picture {
  readonly columns: readonly PictureColumn[];
  readonly edges: readonly PictureEdge[];
}

/** Sizes in pixels. */
export interface PictureSize {
  readonly columnWidth: number;
  readonly columnGap: number;
  /** Further columns continue below. */
  readonly columnsPerRow: number;
}

/** A text at its baseline. */
export interface PlacedText {
  readonly x: number;
  readonly y: number;
  readonly text: string;
}

export interface PlacedNode extends PictureNode {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Title, detail and gap, ellipsized. */
  readonly lines: {
    readonly title: PlacedText;
    readonly detail: PlacedText | undefined;
    readonly gap: PlacedText | undefined;
  };
}

export interface PlacedColumn {
  readonly title: PlacedText;
  readonly nodes: readonly PlacedNode[];
}

export interface PlacedEdge extends PictureEdge {
  /** The path, in the syntax of SVG. */
  readonly path: string;
  /** Its text, near the end; undefined for none. */
  readonly label: PlacedText | undefined;
}

export interface PlacedPicture {
  readonly width: number;
  readonly height: number;
  readonly columns: readonly PlacedColumn[];
  readonly edges: readonly PlacedEdge[];
}
