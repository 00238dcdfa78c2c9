import path from 'node:path';

/** The package folder; the relative path is the same in `src` and `dist`. */
const PACKAGE = path.join(__dirname, '..', '..', '..', '..');

/** Returns a function that makes paths relative to the project or the package. @param root of the project */
export function shortenPath(root: string): (file: string) => string {
  const folders = [root, PACKAGE].map((folder) => folder + path.sep);
  return (file) => {
    const folder = folders.find((one) => file.startsWith(one));
    return folder === undefined ? file : file.slice(folder.length);
  };
}
