import path from 'node:path';
import ts from 'typescript';
import { builtInModules } from '../../src/modules';
import { compilerHost } from '../factories/compiler-host';
import { ROOT } from '../factories/platform';

const SOURCE = path.join(ROOT, 'src');

/** A member of `MvcEvent`, with the modules that access it; `framework` counts as one. */
export interface StateMember {
  readonly name: string;
  readonly type: string;
  /** Whether it is a getter over other state. */
  readonly isComputed: boolean;
  readonly declaredBy: string;
  readonly writers: readonly string[];
  readonly readers: readonly string[];
}

/** Finds every access to the members of `MvcEvent` in `src`, with the type checker. */
export function requestState(): readonly StateMember[] {
  const { fileNames, options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(path.join(ROOT, 'tsconfig.build.json'), (file) => ts.sys.readFile(file)).config,
    ts.sys,
    ROOT,
  );
  const program = ts.createProgram(fileNames, options, compilerHost(options));
  const checker = program.getTypeChecker();
  const sources = program
    .getSourceFiles()
    .filter(({ fileName }) => /^(framework|modules)\//.test(relative(fileName)));
  const members = stateMembers(sources, checker);
  // By declaration: a member of a type made of this one, such as `Pick`, has a symbol of its own.
  const accesses = new Map(
    members.map(({ declarations }) => [
      declarations?.[0],
      { writers: new Set<string>(), readers: new Set<string>() },
    ]),
  );
  const names = new Set(members.map(({ name }) => name));
  for (const source of sources) {
    const visit = (node: ts.Node): void => {
      // The types of all other names, which are most of `src`, need not be inferred.
      const access = names.has(accessedName(node))
        ? (initialization(node, checker) ?? accessOf(node, checker))
        : undefined;
      const found = access && accesses.get(access.member.declarations?.[0]);
      if (access?.writes === true) found?.writers.add(ownerOf(source));
      if (access?.reads === true) found?.readers.add(ownerOf(source));
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  const state = members.map((member) => {
    const declaration = member.declarations?.[0];
    const found = accesses.get(declaration);
    if (declaration === undefined || found === undefined)
      throw new TypeError(`${member.name} is not declared.`);
    const written = ts.isPropertySignature(declaration) || ts.isPropertyDeclaration(declaration);
    const type =
      (written ? declaration.type?.getText() : undefined) ??
      checker.typeToString(checker.getTypeOfSymbol(member));
    return {
      name: member.name,
      type: type.replace(/ \| undefined$/, ''),
      isComputed: ts.isGetAccessor(declaration),
      declaredBy: ownerOf(declaration.getSourceFile()),
      writers: [...found.writers].sort(),
      readers: [...found.readers].sort(),
    };
  });
  // In the order in which modules are listed, which no moved file changes.
  const owners = ['framework', ...Object.keys(builtInModules)];
  return state.sort((one, other) => owners.indexOf(one.declaredBy) - owners.indexOf(other.declaredBy));
}

/** Returns the members of the class `MvcEvent` and of the interfaces merged with it. */
function stateMembers(sources: readonly ts.SourceFile[], checker: ts.TypeChecker): readonly ts.Symbol[] {
  const index = sources.find((source) => relative(source.fileName) === 'framework/index.ts');
  const exported = index && checker.getSymbolAtLocation(index);
  const event = exported && checker.tryGetMemberInModuleExports('MvcEvent', exported);
  if (event === undefined) throw new TypeError('The framework exports no MvcEvent.');
  const isState = ({ flags, name }: ts.Symbol): boolean =>
    (flags & (ts.SymbolFlags.Property | ts.SymbolFlags.Accessor)) !== 0 && !/^(__)?#/.test(name);
  const inherited = (one: ts.Symbol): boolean =>
    one.declarations?.every(
      (node) => relative(node.getSourceFile().fileName) === 'framework/events/event.ts',
    ) === true;
  return checker
    .getDeclaredTypeOfSymbol(event)
    .getProperties()
    .filter((one) => isState(one) && !inherited(one));
}

interface Access {
  readonly member: ts.Symbol;
  readonly writes: boolean;
  readonly reads: boolean;
}

/** Returns the name of the member that a node may access; empty if it accesses none. */
function accessedName(node: ts.Node): string {
  if (ts.isPropertyDeclaration(node) || ts.isPropertyAccessExpression(node)) return nameText(node.name);
  return ts.isBindingElement(node) ? nameText(node.propertyName ?? node.name) : '';
}

const nameText = (name: ts.Node): string => (ts.isIdentifier(name) ? name.text : '');

/** A declaration that gives its member a value. */
function initialization(node: ts.Node, checker: ts.TypeChecker): Access | undefined {
  if (!ts.isPropertyDeclaration(node) || node.initializer === undefined) return undefined;
  const member = checker.getSymbolAtLocation(node.name);
  const isEmpty = ts.isIdentifier(node.initializer) && node.initializer.text === 'undefined';
  return member && { member, writes: !isEmpty, reads: false };
}

function accessOf(node: ts.Node, checker: ts.TypeChecker): Access | undefined {
  if (ts.isPropertyAccessExpression(node)) {
    const member = checker.getSymbolAtLocation(node.name);
    if (member === undefined) return undefined;
    const operator = assignmentTo(node);
    return {
      member,
      writes: operator !== undefined,
      reads: operator !== ts.SyntaxKind.EqualsToken,
    };
  }
  if (!ts.isBindingElement(node) || !ts.isObjectBindingPattern(node.parent)) return undefined;
  const key = node.propertyName ?? node.name;
  if (!ts.isIdentifier(key)) return undefined;
  const member = checker.getTypeAtLocation(node.parent).getProperty(key.text);
  return member && { member, writes: false, reads: true };
}

/** Returns the operator of the assignment to an expression, e.g. `=` or `??=`. */
function assignmentTo(node: ts.Expression): ts.SyntaxKind | undefined {
  const { parent } = node;
  if (!ts.isBinaryExpression(parent) || parent.left !== node) return undefined;
  const { kind } = parent.operatorToken;
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment ? kind : undefined;
}

/** Returns the name of the module that a file belongs to, or `framework`. */
function ownerOf({ fileName }: ts.SourceFile): string {
  return /^modules\/([^/]+)/.exec(relative(fileName))?.[1] ?? 'framework';
}

function relative(fileName: string): string {
  return path.relative(SOURCE, fileName).replaceAll(path.sep, '/');
}
