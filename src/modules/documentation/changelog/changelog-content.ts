import type { ComparisonContent } from '../compare/comparison-content';
import type { Api } from '../model/api';

/** A version in the changelog. */
export interface ChangelogEntry {
  readonly api: Api;
  /** Its changes from the previous version; undefined for the first. */
  readonly comparison: ComparisonContent | undefined;
}

/**
 * The versions of an API with their release notes and changes: the variables of the template
 * `platform-documentation/changelog`. It is not a view type of the specification (2.6).
 */
export class ChangelogContent {
  /** The default version. */
  readonly documentation: Api;
  /** The newest version first. */
  readonly entries: readonly ChangelogEntry[];

  /** @param entries at least one, the newest version first */
  constructor(entries: readonly ChangelogEntry[]) {
    const shown = entries.find(({ api }) => api.getVersion() === api.getDefaultVersion()) ?? entries[0];
    if (shown === undefined) throw new RangeError('A changelog has at least one version.');
    this.documentation = shown.api;
    this.entries = Object.freeze([...entries]);
  }

  toJSON(): unknown {
    return {
      api: this.documentation.getName(),
      versions: this.entries.map(({ api, comparison }) => ({
        version: api.getVersion(),
        ...(api.getReleaseDate() === null ? {} : { release_date: api.getReleaseDate() }),
        release_notes: api.getReleaseNotes(),
        ...(comparison === undefined
          ? {}
          : { from: comparison.base, breaking: comparison.breaking, changes: comparison.changes }),
      })),
    };
  }
}
