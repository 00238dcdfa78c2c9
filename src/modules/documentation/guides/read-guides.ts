import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ConfigurationError, errorMessage } from '../../../framework';
import { DOCUMENTATION_KEY } from '../settings';
import type * as Guides from './guide';
import type { Guide } from './guide';
import { GuideImages, type GuideImage } from './guide-images';

const load = require;

/** The guides of a folder. */
export interface GuideFolder {
  readonly guides: readonly Guide[];
  /** By name in the URL. */
  readonly images: ReadonlyMap<string, GuideImage>;
  /** About images that are not shown. */
  readonly warnings: readonly string[];
}

/**
 * Reads the guides of a folder, in the order of their file names.
 * @param folder as configured, relative to `root`
 * @throws ConfigurationError for an unreadable folder, and for two guides with the same name
 */
export function readGuides(folder: string | undefined, root: string): GuideFolder {
  if (folder === undefined) return { guides: [], images: new Map(), warnings: [] };
  const absolute = path.resolve(root, folder);
  // Projects without guides do not load the parser.
  const { guideOf } = load('./guide') as typeof Guides;
  const images = new GuideImages(absolute);
  const guides = filesOf(absolute, folder).map((file) => {
    // Without a byte order mark, after which a heading is text.
    const text = readFileSync(path.join(absolute, file), 'utf8').replace(/^\uFEFF/, '');
    return guideOf(file, text, (source) => images.urlOf(source, file));
  });
  const duplicate = guides.find(({ name }, at) => guides.findIndex((one) => one.name === name) !== at);
  if (duplicate !== undefined) {
    throw new ConfigurationError(
      `${DOCUMENTATION_KEY}.guides is "${folder}", but two files define the guide "${duplicate.name}". Rename one of them.`,
    );
  }
  return { guides, images: images.images, warnings: images.warnings };
}

function filesOf(absolute: string, folder: string): readonly string[] {
  try {
    return readdirSync(absolute)
      .filter((file) => /\.md$/i.test(file))
      .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  } catch (error) {
    const reason = errorMessage(error);
    throw new ConfigurationError(
      `${DOCUMENTATION_KEY}.guides is "${folder}", which cannot be read: ${reason}. ` +
        'Create the folder, or remove the setting.',
      { cause: error },
    );
  }
}
