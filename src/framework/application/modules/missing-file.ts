import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { closestMatch } from '../../text/closest-match';
import { pathInside } from '../../values/path-inside';

const SCRIPT = /(?<!\.d)\.[cm]?[jt]s$/;
const JAVASCRIPT = /\.[cm]?js$/;

const COMPILE = ' Compile the project first, such as with: npm run build';

/**
 * Returns what to do about a listed file that does not exist: list a similar one, or compile the project. Empty if nothing
 * is known.
 * @param name as it is listed
 */
export function adviceOnMissingFile(name: string, root: string): string {
  const file = path.resolve(root, name);
  const isCompiled = JAVASCRIPT.test(name) && existsSync(path.join(root, 'tsconfig.json'));
  if (isCompiled && existsSync(sourceOf(file)))
    return ` It is compiled from "${sourceOf(name)}": list the file that the compiler writes, such as "${listedPath(swapped(file, root, 'src', 'dist'), root)}".`;
  if (isCompiled && existsSync(sourceOf(swapped(file, root, 'dist', 'src')))) return COMPILE;
  const similar = similarFile(file, root);
  if (similar !== undefined) return ` Did you mean "${listedPath(similar, root)}"?`;
  return isCompiled ? COMPILE : '';
}

/** Returns the file that is listed without its extension, has a similar name, or is in another folder. */
function similarFile(file: string, root: string): string | undefined {
  const [folder, base] = [path.dirname(file), path.basename(file)];
  const extended = EXTENSIONS.map((extension) => file + extension).find((one) => isScript(one));
  if (extended !== undefined) return extended;
  const similar = closestMatch(base, scriptsIn(folder));
  if (similar !== undefined) return path.join(folder, similar);
  return [root, path.join(root, 'src')].map((one) => path.join(one, base)).find((one) => isScript(one));
}

/** `shop.js` → `shop.ts` */
function sourceOf(file: string): string {
  return file.replace(/js$/, 'ts');
}

/** The path of a file in another folder of the root: the same one below it if it is in the first, otherwise its name. */
function swapped(file: string, root: string, from: string, to: string): string {
  return path.join(root, to, pathInside(path.join(root, from), file) ?? path.basename(file));
}

/** Where a module may be that is listed by its name, or without "./". */
const FOLDERS = ['.', 'src', 'dist'];
const EXTENSIONS = ['', '.js', '.mjs', '.cjs'];

/** Returns the path by which a script is listed that has a name, or whose module probably has; undefined without one. */
export function scriptNamed(name: string, root: string): string | undefined {
  const files = EXTENSIONS.flatMap((extension) =>
    FOLDERS.map((folder) => path.resolve(root, folder, name + extension)),
  );
  const file = files.find((one) => isScript(one));
  return file === undefined ? undefined : listedPath(file, root);
}

/** Returns what to list instead of a folder. */
export function adviceOnFolder(folder: string, root: string): string {
  const [first = 'shop.js'] = scriptsIn(folder).filter(
    (name) => JAVASCRIPT.test(name) && !/\.(?:test|config)\./.test(name),
  );
  return `List a file in it, such as "${listedPath(path.join(folder, first), root)}".`;
}

function listedPath(file: string, root: string): string {
  return `./${path.relative(root, file).replaceAll(path.sep, '/')}`;
}

function isScript(file: string): boolean {
  return SCRIPT.test(file) && existsSync(file);
}

function scriptsIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => SCRIPT.test(name));
  } catch {
    return [];
  }
}
