import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { EncodedContent } from '../../../framework';

/** A file of pages, in memory. */
export interface Asset {
  readonly content: EncodedContent;
  readonly contentType: string;
  /** A hash of the bytes: the query of its URL. */
  readonly version: string;
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
};

interface LoadedFile {
  /** Of the file when it was read. */
  readonly state: string | undefined;
  readonly asset: Asset;
}

/** The files of pages, which survive reloads: an unchanged file is neither read nor compressed again. */
export class AssetFiles {
  #loaded = new Map<string, LoadedFile>();
  /** Those that the application before has used. */
  #earlier: ReadonlyMap<string, LoadedFile> = new Map();

  /** Forgets the files that neither of the last two applications has used. Each calls it before it loads its own. */
  beginApplication(): void {
    this.#earlier = this.#loaded;
    this.#loaded = new Map();
  }

  /** @throws TypeError for an unknown file type, and the errors of the file system */
  load(file: string): Asset {
    contentTypeOf(file);
    const state = stateOf(file);
    const known = this.#loaded.get(file) ?? this.#earlier.get(file);
    const loaded =
      known !== undefined && known.state === state
        ? known
        : { state, asset: assetOf(file, readFileSync(file)) };
    this.#loaded.set(file, loaded);
    return loaded.asset;
  }
}

/** Whether a file has a supported type. */
export function isAssetFile(file: string): boolean {
  return path.extname(file).toLowerCase() in CONTENT_TYPES;
}

/** @param name its extension is its type. @throws TypeError for an unknown one */
export function assetOf(name: string, bytes: Buffer): Asset {
  return {
    content: new EncodedContent(bytes),
    contentType: contentTypeOf(name),
    version: createHash('sha256').update(bytes).digest('hex').slice(0, 8),
  };
}

function contentTypeOf(name: string): string {
  const contentType = CONTENT_TYPES[path.extname(name).toLowerCase()];
  if (contentType === undefined)
    throw new TypeError(
      `${name} has no supported file type. Supported: ${Object.keys(CONTENT_TYPES).join(', ')}.`,
    );
  return contentType;
}

/** Changes with every write of a file; undefined for a missing one. */
function stateOf(file: string): string | undefined {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found && [found.ino, found.size, found.mtimeNs, found.ctimeNs].join(' ');
}
