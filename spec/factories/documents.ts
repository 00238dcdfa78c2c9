import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './platform';

/** A block of code in a document. */
export interface CodeBlock {
  /** What stands behind the fence, e.g. `ts`. */
  readonly language: string;
  /** The name of its file: behind the fence (`file=…`), or in a comment that is its first line. */
  readonly file: string | undefined;
  /** The line of the document that its code begins in, from 1. */
  readonly line: number;
  readonly code: string;
}

/** The README and the guides. */
export const GUIDES: readonly string[] = ['README.md', ...documentsIn('docs/guides')];

/** Every document that comes with the package, and the README. */
export const DOCUMENTS: readonly string[] = ['README.md', ...documentsIn('docs')];

function documentsIn(folder: string): readonly string[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => `${folder}/${name}`);
}

/** The blocks of a document, in its order. @param name from the root of the repository */
export function blocksOf(name: string): readonly CodeBlock[] {
  const text = readFileSync(path.join(ROOT, name), 'utf8');
  return [...text.matchAll(/^```(\w+)(.*)\n([\s\S]*?)^```$/gm)].map(
    ({ index, 1: language = '', 2: info = '', 3: code = '' }) => ({
      language,
      file: (/ file=(\S+)/.exec(info) ?? /^\/\/ (\S+\.\w+)\n/.exec(code))?.[1],
      line: text.slice(0, index).split('\n').length + 1,
      code,
    }),
  );
}
