import path from 'node:path';
import { loadModules, publishedSchema, replaceFile, resolveLink, schemasOf } from '../../framework';
import { builtInModules } from '../../modules';
import type { CommandContext } from '../command-context';

const FILE = 'config/schema.json';

/**
 * Writes the JSON Schema of the project's configuration files, composed from the schemas of its modules.
 * @throws ConfigurationError when a module cannot be loaded
 * @throws FileError when the file cannot be written
 */
export async function writeSchema(root: string, { stdout }: CommandContext, print: boolean): Promise<void> {
  const loaded = await loadModules({ root, builtIn: builtInModules });
  const schema = publishedSchema(schemasOf(loaded.map(({ module }) => module)));
  const text = `${JSON.stringify(schema, null, 2)}\n`;
  if (print) {
    stdout.write(text);
    return;
  }
  await replaceFile(await resolveLink(path.join(root, FILE)), text, { mode: 0o644 });
  stdout.write(`Wrote ${FILE}. Refer to it in the files of config/autoload: "$schema": "../schema.json".\n`);
}
