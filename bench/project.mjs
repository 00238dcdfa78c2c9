// A project to measure: the sample configuration as it stands, with the access log in a file.
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '..');

/**
 * @param {object} [changes] laid over the sample configuration
 * @param {Record<string, string>} [files] further files, by path from the project's root
 */
export function makeProject(changes = {}, files = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-'));
  cpSync(path.join(root, 'config'), path.join(folder, 'config'), { recursive: true });
  cpSync(path.join(root, 'config/autoload/local.json.dist'), path.join(folder, 'config/autoload/local.json'));
  const log = { 'platform-operations': { access_log: { file: 'access.log' } } };
  writeFileSync(
    path.join(folder, 'config/autoload/bench.local.json'),
    JSON.stringify({ ...log, ...changes }),
  );
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** The bytes of a GET. */
export function get(target, authorization) {
  const credentials = authorization === undefined ? '' : `Authorization: ${authorization}\r\n`;
  return `GET ${target} HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n${credentials}\r\n`;
}

export function basic(user, password) {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}
