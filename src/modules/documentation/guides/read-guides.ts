import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { ConfigurationError } from '../../../framework';
import { DOCUMENTATION_KEY } from '../settings';
import type * as Guides from './guide';
import type { Guide } from './guide';

const load = createRequire(__filename);

/**
 * Reads the guides of a folder, in the order of their file names.
 * @param folder as configured, relative to `root`
 * @throws ConfigurationError for an unreadable folder, and for two guides with the same name
 */
export function readGuides(folder: string | undefined, root: string): readonly Guide[] {
  if (folder === undefined) return [];
  const absolute = path.resolve(root, folder);
  // Projects without guides do not load the parser.
  const { guideOf } = load('./guide') as typeof Guides;
  const guides = filesOf(absolute, folder).map((file) =>
    guideOf(file, readFileSync(path.join(absolute, file), 'utf8')),
  );
  const duplicate = guides.find(({ name }, at) => guides.findIndex((one) => one.name === name) !== at);
  if (duplicate !== undefined) {
    throw new ConfigurationError(
      `${DOCUMENTATION_KEY}.guides is "${folder}", but two files define the guide "${duplicate.name}". Rename one of them.`,
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
    throw new ConfigurationError(
      `${DOCUMENTATION_KEY}.guides is "${folder}", which cannot be read: ${reason}. ` +
        'Create the folder, or remove the setting.',
      { cause: error },
    );
  }
}
