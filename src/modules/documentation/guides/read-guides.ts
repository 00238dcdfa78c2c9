import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { StartError } from '../../../framework';
import { DOCUMENTATION_KEY } from '../settings';
import type * as Guides from './guide';
import type { Guide } from './guide';

const load = createRequire(__filename);

/**
 * The guides of a folder, in the order of its files' names.
 * @param folder as it is configured; from `root`
 * @throws StartError for a folder that cannot be read, and two guides of one name
 */
export function readGuides(folder: string | undefined, root: string): readonly Guide[] {
  if (folder === undefined) return [];
  const absolute = path.resolve(root, folder);
  // Most projects have none, and need nothing that reads them.
  const { guideOf } = load('./guide') as typeof Guides;
  const guides = filesOf(absolute, folder).map((file) =>
    guideOf(file, readFileSync(path.join(absolute, file), 'utf8')),
  );
  const twice = guides.find(({ name }, at) => guides.findIndex((one) => one.name === name) !== at);
  if (twice !== undefined) {
    throw new StartError(
      `${DOCUMENTATION_KEY}.guides is "${folder}", where two files make a guide "${twice.name}". Rename one of them.`,
    );
  }
  return guides;
}

function filesOf(absolute: string, folder: string): readonly string[] {
  try {
    return readdirSync(absolute)
      .filter((file) => /\.md$/i.test(file))
      .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(
      `${DOCUMENTATION_KEY}.guides is "${folder}", which cannot be read: ${reason}. ` +
        'Make the folder, or take the setting away.',
      { cause: error },
    );
  }
}
