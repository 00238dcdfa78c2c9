// The files under test, and the entries that they must contain.
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const textOf = (file) => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return '';
    throw error;
  }
};

/** Parses complete lines only; a truncated line is an error. */
const usersOf = (pattern) => (file) =>
  textOf(file)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [, name] = pattern.exec(line) ?? [];
      if (name === undefined) throw new Error(`${file} has the line "${line}"`);
      return name;
    });

/** Each user has a line for MD5 and one for SHA-256, written together: a user with one of them is an error. */
function digestUsersOf(file) {
  const lines = new Map();
  for (const name of usersOf(/^([^:]+):people:(?:[0-9a-f]{32}|[0-9a-f]{64})$/)(file))
    lines.set(name, (lines.get(name) ?? 0) + 1);
  for (const [name, count] of lines)
    if (count !== 2) throw new Error(`${file} has ${count} lines for "${name}", not 2`);
  return [...lines.keys()];
}

function editsOf(file) {
  const text = textOf(file);
  return text === '' ? [] : Object.keys(JSON.parse(text).edits ?? {});
}

const KINDS = {
  htpasswd: { place: 'users.htpasswd', namesIn: usersOf(/^([^:]+):\$2y\$12\$a{53}$/) },
  htdigest: { place: 'users.htdigest', namesIn: digestUsersOf },
  configuration: { place: 'config/autoload/local.json', namesIn: editsOf },
};

export const kinds = Object.keys(KINDS);

/** A file under test, with all writes that were acknowledged. */
export class WrittenFile {
  acknowledged = new Set();

  constructor(root, kind) {
    this.kind = kind;
    this.root = root;
    this.file = path.join(root, KINDS[kind].place);
    mkdirSync(path.dirname(this.file), { recursive: true });
  }

  names() {
    return KINDS[this.kind].namesIn(this.file);
  }

  /** Returns the acknowledged names that are missing from the file. */
  lost() {
    const found = new Set(this.names());
    return [...this.acknowledged].filter((name) => !found.has(name));
  }

  /** Returns the names acknowledged in this round for which a configuration file has no revision. */
  withoutRevision(names) {
    if (this.kind !== 'configuration') return [];
    const folder = path.join(this.root, 'data/revisions');
    const recorded = new Set(
      readdirSync(folder)
        .filter((name) => /\.(json|pending)$/.test(name))
        .map((name) => JSON.parse(readFileSync(path.join(folder, name), 'utf8')).summary),
    );
    return names.filter((name) => !recorded.has(name));
  }
}
