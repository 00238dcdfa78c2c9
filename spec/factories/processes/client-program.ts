import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../platform';
import { run } from './processes';

/** The built module `apidesc-platform/client`. */
export const CLIENT_FILE = path.join(ROOT, 'dist/client/index.mjs');

/**
 * Runs an ES module with `createFetch`, `origin`, and `print`, which writes values.
 * @returns the values of each call of `print`
 * @throws Error with the output of a program that fails
 */
export async function runClient(origin: string, program: string): Promise<readonly (readonly unknown[])[]> {
  const source = `
    import { createFetch } from ${JSON.stringify(pathToFileURL(CLIENT_FILE).href)};
    const origin = ${JSON.stringify(origin)};
    const print = (...values) => console.log(JSON.stringify(values));
    ${program}`;
  const { code, output } = await run(process.execPath, ['--input-type=module', '-e', source]);
  if (code !== 0) throw new Error(output);
  const lines = output.split('\n').filter((line) => line !== '');
  // `print` writes lists.
  return lines.map((line) => JSON.parse(line) as unknown[]);
}
