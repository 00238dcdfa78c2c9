import type { DatabaseAdapter } from '../../adapters/database-adapter';
import { DatabaseError } from '../../adapters/database-error';
import {
  missingPrivileges,
  type MissingPrivilege,
  type NeededPrivilege,
  type ServicePrivileges,
} from '../../adapters/postgres/missing-privileges';
import { quotedName } from '../../adapters/postgres/qualified-name';

/**
 * Returns a warning for each service whose operations need privileges that the role of its adapter does not have. Each
 * database is asked once.
 */
export async function privilegeWarnings(services: readonly ServicePrivileges[]): Promise<readonly string[]> {
  const adapters = [...new Set(services.map(({ adapter }) => adapter))];
  const warnings = await Promise.all(
    adapters.map((adapter) =>
      warningsOf(
        adapter,
        services.filter((service) => service.adapter === adapter),
      ),
    ),
  );
  return warnings.flat();
}

async function warningsOf(
  adapter: DatabaseAdapter,
  services: readonly ServicePrivileges[],
): Promise<readonly string[]> {
  const needed = services.flatMap(({ where, privileges }) => privileges.map((one) => ({ ...one, where })));
  try {
    const missing = await missingPrivileges(adapter, needed);
    return services.flatMap(({ where }) => {
      const ofService = missing.flatMap((one) => {
        const need = needed[one.at];
        return need?.where === where ? [{ ...one, methods: need.methods }] : [];
      });
      return ofService.length === 0 ? [] : [`${where}: ${describeMissing(ofService)}`];
    });
  } catch (error) {
    // A database that fails now is reported elsewhere.
    if (error instanceof DatabaseError) return [];
    throw error;
  }
}

type Missing = MissingPrivilege & Pick<NeededPrivilege, 'methods'>;

function describeMissing(missing: readonly Missing[]): string {
  const [{ role } = { role: '' }] = missing;
  const lacks = missing.map(
    (one) => `${privilegeText(one)} on ${objectText(one)} (for ${one.methods.join(', ')})`,
  );
  const grants = new Map<string, string[]>();
  for (const one of missing)
    grants.set(objectText(one), [...(grants.get(objectText(one)) ?? []), privilegeText(one)]);
  const statements = [...grants].map(
    ([object, privileges]) =>
      `GRANT ${[...new Set(privileges)].join(', ')} ON ${object} TO ${quotedName(role)}`,
  );
  return `the role ${quotedName(role)} lacks ${[...new Set(lacks)].join('; ')}. These requests respond with 503. Grant the privileges, or remove the columns and operations that need them: ${statements.join('; ')}`;
}

function privilegeText({ privilege, columns }: Missing): string {
  return columns.length === 0 ? privilege : `${privilege} (${columns.map(quotedName).join(', ')})`;
}

function objectText({ kind, schema, name }: Missing): string {
  if (kind === 'schema') return `SCHEMA ${quotedName(schema)}`;
  return `${kind === 'sequence' ? 'SEQUENCE ' : ''}${quotedName(schema)}.${quotedName(name)}`;
}
