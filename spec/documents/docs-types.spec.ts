import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import ts from 'typescript';
import { blocksOf, DOCUMENTS, type CodeBlock } from '../factories/documents/documents';
import { ROOT } from '../factories/platform';

/** A block, and its location. */
interface Placed extends CodeBlock {
  readonly document: string;
}

/** Not from a document: shows that errors are found, with their location. */
const WRONG: Placed = {
  document: 'docs/guides/wrong.md',
  language: 'ts',
  file: undefined,
  line: 7,
  code: "import { defineApi } from 'apidesc-platform';\ndefineApi({ name: 1, versions: {} });\nlocalStorage.clear();\n",
};

const blocks: readonly Placed[] = DOCUMENTS.flatMap((document) =>
  blocksOf(document)
    .filter(({ language }) => /^(ts|typescript)$/i.test(language))
    .map((block) => ({ ...block, document })),
);

const placeOf = ({ document, line }: Placed): string => `${document}:${line}`;

/**
 * The compiler's errors for each block, by location. Each block is a separate file, in a folder for each document, so
 * that it can import the named blocks of its document; the package is installed next to them, with the types that its
 * `exports` publish. All are one program: most of the time is spent on the types they share.
 */
function compilerErrors(all: readonly Placed[]): ReadonlyMap<string, readonly string[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'docs-types-'));
  try {
    mkdirSync(path.join(folder, 'node_modules'));
    // As in a project of `init`: imports name files with their extension.
    writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
    symlinkSync(ROOT, path.join(folder, 'node_modules/apidesc-platform'));
    const files = new Map(
      all.map((block) => {
        const file = path.join(folder, block.document, block.file ?? `line-${block.line}.ts`);
        mkdirSync(path.dirname(file), { recursive: true });
        // The line numbers are those of the document.
        writeFileSync(file, '\n'.repeat(block.line - 1) + block.code);
        return [file, block] as const;
      }),
    );
    const program = ts.createProgram([...files.keys()], {
      module: ts.ModuleKind.Node20,
      target: ts.ScriptTarget.ES2022,
      lib: ['lib.es2022.d.ts'],
      moduleDetection: ts.ModuleDetectionKind.Force,
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: true,
      noEmit: true,
      types: ['node'],
      typeRoots: [path.join(ROOT, 'node_modules/@types')],
    });
    const found = new Map(all.map((block) => [placeOf(block), [] as string[]]));
    for (const { file, start = 0, messageText } of ts.getPreEmitDiagnostics(program)) {
      const text = ts.flattenDiagnosticMessageText(messageText, '\n');
      const block = file && files.get(path.normalize(file.fileName));
      if (block === undefined) throw new Error(`${file?.fileName ?? 'The compiler'}: ${text}`);
      const line = file!.getLineAndCharacterOfPosition(start).line + 1;
      found.get(placeOf(block))?.push(`${block.document}:${line}: ${text}`);
    }
    return found;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('the TypeScript of the documents', () => {
  let errors: ReadonlyMap<string, readonly string[]>;
  beforeAll(() => (errors = compilerErrors([...blocks, WRONG])), 60_000);

  it.each(blocks.map(placeOf))('compiles in strict mode, at %s', (place) => {
    expect(errors.get(place)).toEqual([]);
  });

  it('is reported with its location when it does not compile', () => {
    expect(errors.get(placeOf(WRONG))).toEqual([
      "docs/guides/wrong.md:8: Type 'number' is not assignable to type 'string'.",
      expect.stringMatching(/^docs\/guides\/wrong\.md:9: Cannot find name 'localStorage'/),
    ]);
  });
});
