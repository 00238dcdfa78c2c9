import type { ChangelogContent } from '../../documentation';
import { changeRows } from './comparison';
import { plain, prose } from './text';

/** Renders the versions of an API with their release notes, and a table of the changes of each. */
export function* changelogDocument({ documentation, entries }: ChangelogContent): Generator<string, void> {
  yield `# ${plain(documentation.getName())}: changelog`;
  for (const { api, comparison } of entries) {
    const date = api.getReleaseDate();
    yield `## Version ${api.getVersion()}${date === null ? '' : ` (${date})`}`;
    yield prose(api.getReleaseNotes(), 2);
    if (comparison === undefined) continue;
    const { base, changes, breaking } = comparison;
    if (changes.length === 0) yield `No changes from version ${base}.`;
    else yield `Changes from version ${base}: ${changes.length}, ${breaking} breaking.`;
    yield changeRows(changes);
  }
}
