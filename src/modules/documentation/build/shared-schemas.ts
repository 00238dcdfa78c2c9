import { visitSubschemas, type SchemaNode } from '../../../framework';
import type { HostedService, HostedVersion } from '../../hosting';
import type { SharedSchemaData } from '../model/data';

/** Documents the schemas that the operations of a version share. */
export function sharedSchemas({ schemas }: HostedVersion): readonly SharedSchemaData[] {
  const uses = new Map<string, SharedSchemaData['uses'][number][]>();
  for (const { name, schema, annotations } of schemas.uses) {
    const others = uses.get(name) ?? [];
    uses.set(name, others);
    others.push({ schema, annotations });
  }
  return Object.entries(schemas.definitions).map(([name, schema]) => ({
    name,
    schema,
    uses: uses.get(name) ?? [],
  }));
}

/** The schemas that occur in services. */
export class OccurringSchemas {
  readonly #found = new Set<SchemaNode>();

  add({ declaredSchemas }: HostedService): void {
    for (const schema of declaredSchemas)
      visitSubschemas(schema, (one) => {
        if (this.#found.has(one)) return false;
        this.#found.add(one);
        return true;
      });
  }

  /** Returns the shared schemas that occur, with the uses that occur: each is the same object in all declared schemas. */
  among(schemas: readonly SharedSchemaData[]): readonly SharedSchemaData[] {
    return schemas.flatMap((one) => {
      const uses = one.uses.filter(({ schema }) => this.#found.has(schema));
      return this.#found.has(one.schema) || uses.length > 0 ? [{ ...one, uses }] : [];
    });
  }
}
