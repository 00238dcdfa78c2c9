import { formatPointer } from '../../../../framework';
import type { JsonSchema, SharedSchemaData } from '../../../documentation';

/** A shared schema of an API as a component. */
export interface SharedComponent {
  readonly name: string;
  readonly schema: JsonSchema;
  /** The components of its API by reference, which is not percent-encoded. */
  readonly siblings: ReadonlyMap<string, SharedComponent>;
}

/** The use of a shared schema by an operation, with annotations. */
interface Use {
  readonly component: SharedComponent;
  readonly annotations: JsonSchema;
}

/** The shared schemas of the APIs of one document, by identity. */
export class SharedComponents {
  readonly #definitions = new Map<JsonSchema, SharedComponent>();
  readonly #uses = new Map<JsonSchema, Use>();

  /**
   * @param apis the shared schemas of each API
   * @param nameFor returns the component name
   */
  constructor(apis: readonly (readonly SharedSchemaData[])[], nameFor: (name: string) => string) {
    for (const schemas of apis) {
      const siblings = new Map<string, SharedComponent>();
      for (const { name, schema, uses } of schemas) {
        const component = { name: nameFor(name), schema, siblings };
        siblings.set(`#${formatPointer(['$defs', name])}`, component);
        this.#definitions.set(schema, component);
        for (const { schema: used, annotations } of uses) this.#uses.set(used, { component, annotations });
      }
    }
  }

  /** Returns the component of a definition; undefined for local definitions. */
  of(definition: JsonSchema): SharedComponent | undefined {
    return this.#definitions.get(definition);
  }

  use(schema: JsonSchema): Use | undefined {
    return this.#uses.get(schema);
  }
}
