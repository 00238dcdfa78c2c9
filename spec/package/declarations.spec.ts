import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { packedPackage } from '../factories/processes/packed-package';
import { run } from '../factories/processes/processes';
import { ROOT } from '../factories/repository';

const COMPILE = path.join(__dirname, '../fixtures/author/compile.mjs');

interface Compiled {
  readonly declarations: string;
  readonly errors: string;
}

let exported: Compiled | undefined;
let wrong: Compiled | undefined;
beforeAll(async () => {
  const tsc = path.join(ROOT, 'node_modules/typescript/bin/tsc');
  const compilations = ['shop.ts.txt', 'wrong.ts.txt'].map((file) => ({ tsc, type: 'module', file }));
  const { code, output } = await run(process.execPath, [
    COMPILE,
    JSON.stringify(compilations),
    packedPackage().tarball,
  ]);
  expect({ code, errors: code === 0 ? '' : output }).toEqual({ code: 0, errors: '' });
  [exported, wrong] = JSON.parse(output) as readonly Compiled[];
}, 300_000);

describe('an author who exports inferred types', () => {
  it('gets declarations with the settings of tsc --init', () => {
    expect(exported?.errors).toBe('');
    expect(exported?.declarations).toMatch(
      /^export declare const Product: import\("apidesc-platform"\)\.TypedRestService</m,
    );
    expect(exported?.declarations).not.toMatch(/typebox/);
  });
});

describe('the types of declarations', () => {
  it('refuse what contradicts the declaration, and nothing else', () => {
    const lines = readFileSync(path.join(__dirname, '../fixtures/author/wrong.ts.txt'), 'utf8').split('\n');
    const expected = lines.flatMap((line, at) => (line.endsWith('// error') ? [at + 1] : []));
    expect(expected).toHaveLength(13);
    const found = [...(wrong?.errors ?? '').matchAll(/^author\.ts\((\d+),/gm)].map(([, line]) =>
      Number(line),
    );
    expect(found).toEqual(expected);
  });
});

/** The interfaces and classes of this package that the public declarations refer to, and that have no public name. */
function unnamed(entry: string): readonly string[] {
  const program = ts.createProgram([entry], {
    module: ts.ModuleKind.Node20,
    target: ts.ScriptTarget.ES2022,
    strict: true,
    skipLibCheck: true,
    types: ['node'],
  });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(entry)!;
  const names = checker.getExportsOfModule(checker.getSymbolAtLocation(source)!);
  const meant = (name: ts.Symbol): ts.Symbol =>
    name.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(name) : name;
  const isOwn = (symbol: ts.Symbol): boolean =>
    symbol.declarations?.some(
      (one) => !/\/(node_modules|dist\/vendor)\//.test(one.getSourceFile().fileName),
    ) === true;
  const exported = new Set(names.map(meant));
  const found = new Set<string>();
  const seen = new Set<ts.Type>();
  const visit = (type: ts.Type): void => {
    if (seen.has(type)) return;
    seen.add(type);
    type.aliasTypeArguments?.forEach(visit);
    if (type.isUnionOrIntersection()) type.types.forEach(visit);
    if (!(type.flags & ts.TypeFlags.Object)) return;
    const symbol = type.getSymbol();
    if (symbol !== undefined && type.isClassOrInterface() && isOwn(symbol) && !exported.has(symbol))
      found.add(symbol.name);
    if ((type as ts.ObjectType).objectFlags & ts.ObjectFlags.Reference)
      checker.getTypeArguments(type as ts.TypeReference).forEach(visit);
    for (const signature of type.getCallSignatures()) {
      visit(signature.getReturnType());
      for (const parameter of signature.parameters) visit(checker.getTypeOfSymbol(parameter));
    }
    for (const member of type.getProperties()) {
      const [declaration] = member.declarations ?? [];
      const isPrivate =
        declaration !== undefined &&
        (ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Private) !== 0;
      if (isOwn(member) && !isPrivate && !member.name.startsWith('__#'))
        visit(checker.getTypeOfSymbol(member));
    }
  };
  for (const symbol of names.map(meant).filter(isOwn)) {
    if (symbol.flags & ts.SymbolFlags.Type) visit(checker.getDeclaredTypeOfSymbol(symbol));
    if (symbol.flags & ts.SymbolFlags.Value) visit(checker.getTypeOfSymbol(symbol));
  }
  return [...found].sort();
}

describe('the public declarations', () => {
  it('refer to no type without a public name: src/public-types.ts exports those that nobody writes', () => {
    expect(unnamed(path.join(ROOT, 'dist/platform.d.ts'))).toEqual([]);
  }, 60_000);
});
