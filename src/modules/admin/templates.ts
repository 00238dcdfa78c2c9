import { readdirSync } from 'node:fs';
import path from 'node:path';

/** The templates of the package; the relative path is the same in `src` and `dist`. */
const TEMPLATES = path.join(__dirname, '..', '..', '..', 'templates');

/** Returns the template files of the admin by template name. */
export function adminTemplates(): Readonly<Record<string, string>> {
  return filesOf('platform-admin', '.njk', (name) => `platform-admin/${name.slice(0, -'.njk'.length)}`);
}

/** Returns the style sheet and the scripts of the admin: asset name → file. */
export function adminAssets(): Readonly<Record<string, string>> {
  return {
    'admin.css': path.join(TEMPLATES, 'assets', 'admin.css'),
    ...filesOf('assets/admin', '.js', (name) => `admin/${name}`),
  };
}

function filesOf(folder: string, end: string, nameOf: (file: string) => string): Record<string, string> {
  const files = readdirSync(path.join(TEMPLATES, folder)).filter((file) => file.endsWith(end));
  return Object.fromEntries(files.map((file) => [nameOf(file), path.join(TEMPLATES, folder, file)]));
}
