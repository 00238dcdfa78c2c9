import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import ts from 'typescript';
import { compilerHost } from '../factories/compiler-host';
import { ROOT } from '../factories/repository';

/** The module settings of programs that use the package, by name. */
export const MODULE_SETTINGS: Readonly<Record<string, ts.CompilerOptions>> = {
  nodenext: { module: ts.ModuleKind.NodeNext },
  node20: { module: ts.ModuleKind.Node20 },
  preserve: { module: ts.ModuleKind.Preserve, moduleResolution: ts.ModuleResolutionKind.Bundler },
};

/** The setting with which the files of the language are checked too: they are the same with each. */
const COMPLETE = 'node20';

interface CompiledProgram {
  /** The declaration files of the package. */
  readonly own: readonly string[];
  readonly errors: readonly { readonly file: string; readonly text: string }[];
}

function compile(name: string): CompiledProgram {
  const folder = mkdtempSync(path.join(tmpdir(), 'types-'));
  try {
    mkdirSync(path.join(folder, 'node_modules'));
    symlinkSync(ROOT, path.join(folder, 'node_modules/apidesc-platform'));
    const file = path.join(folder, 'program.ts');
    writeFileSync(
      file,
      ['', '/testing', '/client']
        .map((entry, at) => `export * as entry${at} from 'apidesc-platform${entry}';\n`)
        .join(''),
    );
    const options: ts.CompilerOptions = {
      ...MODULE_SETTINGS[name],
      target: ts.ScriptTarget.ES2022,
      strict: true,
      skipLibCheck: false,
      skipDefaultLibCheck: name !== COMPLETE,
      noEmit: true,
      types: ['node'],
      typeRoots: [path.join(ROOT, 'node_modules/@types')],
    };
    const program = ts.createProgram([file], options, compilerHost(options));
    return {
      own: program
        .getSourceFiles()
        .map(({ fileName }) => fileName)
        .filter((one) => one.startsWith(path.join(ROOT, 'dist') + path.sep)),
      errors: ts.getPreEmitDiagnostics(program).map(({ file: at, messageText }) => ({
        file: at?.fileName ?? '',
        text: `${at?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
      })),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const compiled = new Map<string, CompiledProgram>();

/** A program that imports all entry points of the package, with a module setting; compiled once. */
export function programWith(name: string): CompiledProgram {
  const known = compiled.get(name) ?? compile(name);
  compiled.set(name, known);
  return known;
}
