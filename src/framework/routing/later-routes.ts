import { hasPathPrefix } from '../text/path-prefix';
import { percentDecoded } from '../text/percent-encoding';
import type { Segment } from './segment';

/** Routes that are added on first use. */
export interface LaterGroup {
  /** What their paths begin with, decoded, without a slash at its end. */
  readonly prefix: string;
  readonly segments: readonly Segment[];
  /** What their names begin with. */
  readonly names: string;
  readonly add: () => void;
}

/** Routes that are added when they are first needed. Each method throws what adding them throws. */
export class LaterRoutes {
  #groups: readonly LaterGroup[] = [];

  get isEmpty(): boolean {
    return this.#groups.length === 0;
  }

  push(group: LaterGroup): void {
    this.#groups = [...this.#groups, group];
  }

  /** Adds those that may match a path. @param path percent-encoded */
  addFor(path: string): void {
    const decoded = path.includes('%') ? (percentDecoded(path) ?? path) : path;
    this.#addNeeded(({ prefix }) => hasPathPrefix(decoded, prefix));
  }

  /** Adds those that may have the name of a route. */
  addNamed(name: string): void {
    this.#addNeeded(({ names }) => name.startsWith(names));
  }

  /** Adds those that may have the pattern of a route. */
  addConflicting(segments: readonly Segment[]): void {
    this.#addNeeded((group) => beginsWith(segments, group.segments));
  }

  addAll(): void {
    this.#addNeeded(() => true);
  }

  #addNeeded(isNeeded: (group: LaterGroup) => boolean): void {
    // Searched again each time: adding some comes back here, and may have added others.
    for (let next = this.#groups.find(isNeeded); next !== undefined; next = this.#groups.find(isNeeded)) {
      const group = next;
      this.#groups = this.#groups.filter((one) => one !== group);
      try {
        group.add();
      } catch (error) {
        this.push(group);
        throw error;
      }
    }
  }
}

function beginsWith(segments: readonly Segment[], literals: readonly Segment[]): boolean {
  return literals.every((literal, at) => {
    const segment = segments[at];
    return segment?.kind === 'literal' && literal.kind === 'literal' && segment.text === literal.text;
  });
}
