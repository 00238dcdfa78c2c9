import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { closestMatch } from '../../text/closest-match';

const SCRIPT = /\.[cm]?[jt]s$/;

/**
 * Returns what to do about a listed file that does not exist: list a similar one, or compile the project. Empty if nothing
 * is known.
 * @param name as it is listed
 */
export function adviceOnMissingFile(name: string, root: string): string {
  const folder = path.dirname(path.resolve(root, name));
  const isCompiled = /\.[cm]?js$/.test(name) && existsSync(path.join(root, 'tsconfig.json'));
  const source = name.replace(/js$/, 'ts');
  if (isCompiled && existsSync(path.resolve(root, source)))
    return ` It is compiled from "${source}": list the file that the compiler writes, such as "./dist/${path.basename(name)}".`;
  const similar = closestMatch(path.basename(name), scriptsIn(folder));
  if (similar !== undefined) return ` Did you mean "${listedPath(path.join(folder, similar), root)}"?`;
  const elsewhere = [root, path.join(root, 'src')].find((one) =>
    scriptsIn(one).includes(path.basename(name)),
  );
  if (elsewhere !== undefined)
    return ` Did you mean "${listedPath(path.join(elsewhere, path.basename(name)), root)}"?`;
  return isCompiled ? ' Compile the project first, such as with: npm run build' : '';
}

/** Where a module may be that is listed by its name, or without "./". */
const FOLDERS = ['.', 'src', 'dist'];
const EXTENSIONS = ['', '.js', '.mjs', '.cjs'];

/** Returns the path by which a script is listed that has a name, or whose module probably has; undefined without one. */
export function scriptNamed(name: string, root: string): string | undefined {
  const files = EXTENSIONS.flatMap((extension) =>
    FOLDERS.map((folder) => path.resolve(root, folder, name + extension)),
  );
  const file = files.find((one) => SCRIPT.test(one) && existsSync(one));
  return file === undefined ? undefined : listedPath(file, root);
}

/** Returns what to list instead of a folder. */
export function adviceOnFolder(folder: string, root: string): string {
  const [first = 'shop.js'] = scriptsIn(folder).filter((name) => !/\.(?:test|config)\./.test(name));
  return `List a file in it, such as "${listedPath(path.join(folder, first), root)}".`;
}

function listedPath(file: string, root: string): string {
  return `./${path.relative(root, file).replaceAll(path.sep, '/')}`;
}

function scriptsIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => SCRIPT.test(name));
  } catch {
    return [];
  }
}
