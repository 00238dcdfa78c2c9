import type { NodeMeasure, NodesSample } from '../../monitoring/node-history';
import { gridOf, type Range, type Values } from '../dashboard/points';

/** A node over a time: one value per point, oldest first; null while it was not seen. */
export interface NodeSeries {
  /** Its id. */
  readonly node: string;
  /** Per second. */
  readonly requests: Values;
  /** Responses with 5xx per second. */
  readonly serverErrors: Values;
  /** The busy share of its event loop, 0 to 1. */
  readonly load: Values;
  /** Bytes of resident memory. */
  readonly memory: Values;
}

/** The nodes of the deployment over a time. */
export interface NodePoints {
  /** Seconds between two points. */
  readonly step: number;
  /** Seconds before now, of each point: ends with the latest. */
  readonly ages: readonly number[];
  /** Sorted by id. */
  readonly nodes: readonly NodeSeries[];
}

/**
 * The samples of a range as series of each node.
 * @param now in milliseconds of the clock of the samples
 */
export function nodePointsOf(samples: readonly NodesSample[], range: Range, now: number): NodePoints {
  const { step, ages, groups } = gridOf(samples, range, now);
  const ids = new Set(groups.flat().flatMap(({ nodes }) => [...nodes.keys()]));
  const seriesOf = (node: string): NodeSeries => {
    const found = groups.map((group) => group.flatMap(({ nodes }) => nodes.get(node) ?? []));
    const mean = (value: (measure: NodeMeasure) => number): Values =>
      found.map((all) =>
        all.length === 0 ? null : all.reduce((sum, one) => sum + value(one), 0) / all.length,
      );
    return {
      node,
      requests: mean(({ requests }) => requests),
      serverErrors: mean(({ serverErrors }) => serverErrors),
      load: mean(({ load }) => load),
      memory: mean(({ memory }) => memory),
    };
  };
  return { step, ages, nodes: [...ids].sort().map(seriesOf) };
}
