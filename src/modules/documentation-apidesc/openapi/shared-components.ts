import type { JsonSchema, SharedSchemaData } from '../../documentation';

/** A schema that the operations of an API share, as a component. */
export interface SharedComponent {
  readonly name: string;
  readonly schema: JsonSchema;
  /** The components of its API by the references that lead to them. */
  readonly siblings: ReadonlyMap<string, SharedComponent>;
}

/** What a schema of an operation is: a shared one, with texts and examples of its own. */
interface Use {
  readonly component: SharedComponent;
  readonly beside: JsonSchema;
}

/** The shared schemas of the APIs of one document: known by what they are, so that nothing is compared. */
export class SharedComponents {
  readonly #definitions = new Map<JsonSchema, SharedComponent>();
  readonly #uses = new Map<JsonSchema, Use>();

  /**
   * @param apis the shared schemas of each
   * @param nameFor gives a component its name
   */
  constructor(apis: readonly (readonly SharedSchemaData[])[], nameFor: (name: string) => string) {
    for (const schemas of apis) {
      const siblings = new Map<string, SharedComponent>();
      for (const { name, schema, uses } of schemas) {
        const component = { name: nameFor(name), schema, siblings };
        siblings.set(`#/$defs/${name}`, component);
        this.#definitions.set(schema, component);
        for (const { schema: used, beside } of uses) this.#uses.set(used, { component, beside });
      }
    }
  }

  /** The component that a definition is; undefined for one that a schema has for itself. */
  of(definition: JsonSchema): SharedComponent | undefined {
    return this.#definitions.get(definition);
  }

  use(schema: JsonSchema): Use | undefined {
    return this.#uses.get(schema);
  }
}
