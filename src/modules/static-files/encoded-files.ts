import { lstat } from 'node:fs/promises';
import { negotiateCoding, type ContentCoding } from '../../framework';
import type { FoundFile } from './locate-file';

/** The extensions of files that were compressed in advance. */
const EXTENSIONS = { br: '.br', gzip: '.gz' } as const;

/** A file in a content coding. */
export interface EncodedFile extends Omit<FoundFile, 'path'> {
  readonly coding: ContentCoding;
  /** Whether the file exists in other codings: the response depends on `Accept-Encoding`. */
  readonly varies: boolean;
}

/** Returns the file next to a file that has the coding that the client prefers: `app.js.br` next to `app.js`. */
export async function encodedFile(
  { file, stats }: FoundFile,
  acceptEncoding: string | undefined,
): Promise<EncodedFile> {
  const [br, gzip] = await Promise.all([
    compressed(file + EXTENSIONS.br),
    compressed(file + EXTENSIONS.gzip),
  ]);
  const available = [
    ...(br === undefined ? [] : ['br' as const]),
    ...(gzip === undefined ? [] : ['gzip' as const]),
  ];
  const coding = negotiateCoding(acceptEncoding, available);
  const chosen = (coding === 'br' ? br : coding === 'gzip' ? gzip : undefined) ?? { file, stats };
  return { ...chosen, coding, varies: available.length > 0 };
}

/** Links are not followed: they may lead out of the folder. */
async function compressed(file: string): Promise<Omit<FoundFile, 'path'> | undefined> {
  try {
    const stats = await lstat(file);
    return stats.isFile() ? { file, stats } : undefined;
  } catch {
    return undefined;
  }
}
