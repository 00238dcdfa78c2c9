import type { SectionSchemas } from '../json-schema/schema-tree';
import { schemasAlongPath } from '../json-schema/schema-tree';
import type { SchemaNode } from '../json-schema/subschemas';
import type { KeyPath } from '../values/config-object';

/** The last words of the name of a key that holds a secret. */
const SECRET_NAME =
  /(^|_)(pass|password|passwords|passphrase|secret|secrets|token|tokens|credential|credentials|(api|private|secret|access|encryption|signing)_keys?)$/;

/**
 * Whether the value at a path is a secret: its schema, or that of an enclosing object, says `secret: true`, or its key, or
 * that of an enclosing object, is named like one (`password`, `client_secret`, `tokens`). Names of map entries do not
 * count: an API may be called Token. `secret: false` in a schema turns the check of names off, as for the fields of a
 * service.
 */
export function isSecretPath(schemas: SectionSchemas, path: KeyPath): boolean {
  const trail = schemasAlongPath(schemas, path);
  if (trail.some((members) => members.some(({ schema }) => schema.secret === true))) return true;
  if (trail.some((members) => members.some(({ schema }) => schema.secret === false))) return false;
  return path.some((key, at) => {
    const isName = trail[at]?.some(({ schema, isName: named }) => named && describes(schema)) === true;
    return typeof key === 'string' && !isName && SECRET_NAME.test(toSnakeCase(key));
  });
}

/** Whether a schema constrains the value; otherwise the name decides. */
function describes(schema: SchemaNode): boolean {
  return ['type', 'const', 'enum', 'anyOf', 'oneOf', 'allOf', '$ref'].some((keyword) => keyword in schema);
}

/** `privateKey`, `private-key` → `private_key` */
function toSnakeCase(key: string): string {
  return key
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[-. ]/g, '_')
    .toLowerCase();
}

/** Whether the schema of the value at a path says `restart: true`. */
export function needsRestart(schemas: SectionSchemas, path: KeyPath): boolean {
  return schemasAlongPath(schemas, path).some((members) =>
    members.some(({ schema }) => schema.restart === true),
  );
}
