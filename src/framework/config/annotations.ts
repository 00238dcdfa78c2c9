import type { SectionSchemas } from './configuration';
import { schemaTrail } from './schema-tree';
import type { SchemaNode } from './subschemas';
import type { KeyPath } from './tree';

/** The last word, or the last two, of a key that holds what nobody else may know. */
const SECRET_NAME =
  /(^|_)(pass|password|passwords|passphrase|secret|secrets|token|tokens|credential|credentials|(api|private|secret|access|encryption|signing)_keys?)$/;

/**
 * Whether the value at a path is a secret: its schema, or that of a map around it, says `secret: true`, or its key,
 * or that of a map around it, is named like one (`password`, `client_secret`, `tokens`). Names that people give to
 * entries say nothing: an API may be called Token; and nothing is one by its name where a schema says
 * `secret: false`, as among the fields of a service.
 */
export function isSecretPath(schemas: SectionSchemas, path: KeyPath): boolean {
  const trail = schemaTrail(schemas, path);
  if (trail.some((members) => members.some(({ schema }) => schema.secret === true))) return true;
  if (trail.some((members) => members.some(({ schema }) => schema.secret === false))) return false;
  return path.some((key, at) => {
    const isName = trail[at]?.some(({ schema, isName: named }) => named && describes(schema)) === true;
    return typeof key === 'string' && !isName && SECRET_NAME.test(inWords(key));
  });
}

/** Whether a schema says what a value is; one that allows anything leaves it to the name. */
function describes(schema: SchemaNode): boolean {
  return ['type', 'const', 'enum', 'anyOf', 'oneOf', 'allOf', '$ref'].some((keyword) => keyword in schema);
}

/** `privateKey`, `private-key` → `private_key` */
function inWords(key: string): string {
  return key
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[-. ]/g, '_')
    .toLowerCase();
}

/** Whether the schema of the value at a path says that only a restart takes a new value up. */
export function needsRestart(schemas: SectionSchemas, path: KeyPath): boolean {
  return schemaTrail(schemas, path).some((members) => members.some(({ schema }) => schema.restart === true));
}
