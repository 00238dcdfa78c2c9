import path from 'node:path';
import { loadModules, publishedSchema, replaceFile, schemasOf } from '../framework';
import { builtInModules } from '../modules';
import type { ConfigIo } from './config-command';

const FILE = 'config/schema.json';

/**
 * Writes the JSON Schema of the project's configuration files, as its modules describe it.
 * @throws StartError when a module cannot be loaded
 * @throws FileError when the file cannot be written
 */
export async function writeSchema(root: string, { stdout }: ConfigIo, print: boolean): Promise<void> {
  const schema = publishedSchema(schemasOf(await loadModules(root, builtInModules)));
  const text = `${JSON.stringify(schema, null, 2)}\n`;
  if (print) {
    stdout.write(text);
    return;
  }
  await replaceFile(path.join(root, FILE), text, { mode: 0o644 });
  stdout.write(`Wrote ${FILE}. Files of config/autoload name it as "$schema": "../schema.json".\n`);
}
