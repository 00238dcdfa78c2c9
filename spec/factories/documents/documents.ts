import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../platform';

/** A code block in a document. */
export interface CodeBlock {
  /** The info string of the fence, e.g. `ts`. */
  readonly language: string;
  /** The name of its file: in the info string (`file=…`), or in a comment on its first line. */
  readonly file: string | undefined;
  /** The line in the document where its code begins, from 1. */
  readonly line: number;
  readonly code: string;
}

/** The README and the guides. */
export const GUIDES: readonly string[] = ['README.md', ...documentsIn('docs/guides')];

/** Every document of the package, and the README. */
export const DOCUMENTS: readonly string[] = ['README.md', ...documentsIn('docs')];

function documentsIn(folder: string): readonly string[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => `${folder}/${name}`);
}

/** The blocks of a document, in order. @param name path from the root of the repository */
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
