import { readdirSync } from 'node:fs';
import path from 'node:path';

/** The package's own folder: templates are beside the code, in the source as in the build. */
const TEMPLATES = path.join(__dirname, '..', '..', '..', 'templates');

/** The templates of the admin by name, every file of their folder. */
export function adminTemplates(): Readonly<Record<string, string>> {
  return filesOf('platform-admin', '.njk', (name) => `platform-admin/${name.slice(0, -'.njk'.length)}`);
}

/** The style sheet and the scripts of the admin: the names of their addresses, and their files. */
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
