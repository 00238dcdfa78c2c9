import { createHash } from 'node:crypto';
import { isObject, type RevisionEntry } from '../../../framework';

/** The content of documents by its SHA-256 in hexadecimal. */
export type Documents = ReadonlyMap<string, Buffer>;

/** A revision of the configuration of a deployment. */
export interface StoredRevision extends RevisionEntry {
  /** The node on which it was made. */
  readonly node: string;
  /** The SHA-256 of each document by its path, relative to the project, with `/`. */
  readonly documents: Readonly<Record<string, string>>;
}

/** Identifies a document by its content. */
export function hashOf(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Identifies the documents of a revision. */
export function hashOfRevision({ documents }: Pick<StoredRevision, 'documents'>): string {
  const sorted = Object.entries(documents).sort(([one], [other]) => (one < other ? -1 : 1));
  return hashOf(JSON.stringify(sorted));
}

/** Reads what a store returned. @throws Error for anything else */
export function toStoredRevision(value: unknown): StoredRevision {
  if (!isObject(value)) throw new Error('The configuration store has an unreadable revision.');
  const { number, at, by, via, summary, node, documents } = value;
  if (
    typeof number !== 'number' ||
    typeof at !== 'string' ||
    typeof by !== 'string' ||
    typeof summary !== 'string' ||
    typeof node !== 'string' ||
    !isObject(documents)
  )
    throw new Error('The configuration store has an unreadable revision.');
  const hashes = Object.entries(documents).flatMap(([name, hash]) =>
    typeof hash === 'string' ? [[name, hash] as const] : [],
  );
  return {
    number,
    at,
    by,
    ...(typeof via === 'string' ? { via } : {}),
    summary,
    node,
    documents: Object.fromEntries(hashes),
  };
}
