import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ConfigurationError, errorMessage, pluralize } from '../../framework';

const FILE = 'file:';
const MIN_LENGTH = 32;

/**
 * Reads the secrets of a deployment: the current one, then the previous one if there is one.
 *
 * @param setting `platform-cluster.deployment_key`
 * @param root to which the paths of files are relative
 * @param where the location of the setting, for messages, which never contain a secret
 * @throws ConfigurationError for a secret that is too short, and a file that cannot be read
 */
export function readSecrets(
  setting: string | readonly string[],
  root: string,
  where: string,
): readonly [Buffer, ...Buffer[]] {
  if (typeof setting === 'string') return [secretOf(setting, root, where)];
  const [current = '', ...previous] = setting;
  return [
    secretOf(current, root, `${where}[0]`),
    ...previous.map((one, at) => secretOf(one, root, `${where}[${at + 1}]`)),
  ];
}

function secretOf(setting: string, root: string, where: string): Buffer {
  const file = setting.startsWith(FILE) ? path.resolve(root, setting.slice(FILE.length)) : undefined;
  const text = file === undefined ? setting : readSecretFile(file, where);
  if (text.length < MIN_LENGTH) {
    throw new ConfigurationError(
      `${where}: the key ${file === undefined ? '' : `in ${file} `}has ${pluralize(text.length, 'character')}; it must have at least ${MIN_LENGTH}. Create one with: openssl rand -base64 32`,
    );
  }
  // HKDF extracts from a text of any length; the digest keeps the text itself out of memory dumps.
  return Buffer.from(hash('sha256', text, 'hex'), 'hex');
}

function readSecretFile(file: string, where: string): string {
  try {
    // Editors and `echo` end a file with a newline.
    return readFileSync(file, 'utf8').trim();
  } catch (cause) {
    const reason = errorMessage(cause);
    throw new ConfigurationError(`${where}: the file of the key cannot be read: ${reason}`, { cause });
  }
}
