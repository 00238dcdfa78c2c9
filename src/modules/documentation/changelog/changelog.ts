import type { Comparison } from '../compare/comparison';
import type { Api } from '../model/api';
import type { DocumentationLinks } from '../routes/documentation-links';
import { ChangelogContent } from './changelog-content';

/** A version with its changes, which are compared on first use. */
export interface ChangelogVersion {
  readonly api: Api;
  /** Its changes from the previous version; undefined for the first. */
  readonly comparison: Comparison | undefined;
}

/** The changelog of an API, composed on first use and cached. */
export class Changelog {
  readonly #versions: readonly ChangelogVersion[];
  #computed: ChangelogContent | undefined;

  /** @param versions in ascending order */
  constructor(versions: readonly ChangelogVersion[]) {
    this.#versions = versions;
  }

  /** The content, if it was composed before. */
  get computed(): ChangelogContent | undefined {
    return this.#computed;
  }

  /** Composes the content. Comparisons are cached. */
  async content(): Promise<ChangelogContent> {
    const entries = [];
    for (const { api, comparison } of this.#versions)
      entries.unshift({ api, comparison: await comparison?.content() });
    return (this.#computed ??= new ChangelogContent(entries));
  }
}

/** Returns the URL path of a changelog. @param api the name of the API */
export function changelogPath(api: string, links: DocumentationLinks): string {
  return `${links.href({ api })}?changelog`;
}

/** Returns whether an API has a changelog: several versions, or release notes. @param api any of its versions */
export function hasChangelog(api: Api): boolean {
  return api.getVersions().length > 1 || api.getReleaseNotes() !== '';
}
