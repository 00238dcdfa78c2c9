import { memberAt, pointerOf, type ConfigEdit } from '../../../../framework';
import type { Change } from '../../changes/change';
import type { ConfigurationChanges } from '../../changes/configuration-changes';
import { declaredVersion, definitionPath, saidOf, type DeclaredVersion } from './declared-api';
import {
  apiText,
  serviceTexts,
  sharedSchemaTexts,
  type DocumentedText,
  type OperationTexts,
  type SchemaTexts,
  type ServiceTexts,
} from './documented-text';
import { visibilityEdits, visibilityIn, type EditableVisibility } from './documented-visibility';
import { invalid, type FieldError } from '../invalid';
import { standsBelow } from '../layered-edits';
import { withdraw } from '../withdraw';

/** A text that can be edited. */
export interface EditableText extends DocumentedText {
  /** A JSON Pointer (RFC 6901) from the API's definition: `/versions/1/services/Country/description`. */
  readonly key: string;
  /** The file, or the module. */
  readonly source: string;
  /** Whether configuration says it; otherwise code does, or nobody. */
  readonly isConfigured: boolean;
  /** What code says, which counts again when nothing is configured; undefined where code says nothing. */
  readonly ofCode: string | undefined;
}

/** The texts of a version of an API. */
export interface TextsView {
  readonly api: string;
  readonly version: number;
  /** The description of the API, in all its versions. */
  readonly description: EditableText;
  /** Of the API, in all its versions. */
  readonly visibility: EditableVisibility;
  readonly services: readonly ServiceTextsView[];
  /** Of schemas that operations of the version share. */
  readonly schemas: readonly SchemaTextsView[];
  /** The strong validator of what is configured of the API, without quotes. */
  readonly tag: string;
}

export interface ServiceTextsView extends Omit<ServiceTexts, 'texts' | 'operations' | 'fields'> {
  readonly visibility: EditableVisibility;
  readonly texts: readonly EditableText[];
  readonly operations: readonly (Omit<OperationTexts, 'texts'> & {
    readonly texts: readonly EditableText[];
  })[];
  readonly fields: readonly EditableText[];
}

export interface SchemaTextsView extends SchemaTexts {
  readonly texts: readonly EditableText[];
}

/** Characters that a text may have. */
const LONGEST = 20_000;
/** Controls but tab and line feed. */
const CONTROLS = /[^\P{Cc}\t\n]/u;

/** Looks at the texts of the documentation, and makes changes of them. */
export class DocumentationTexts {
  readonly #changes: ConfigurationChanges;

  constructor(changes: ConfigurationChanges) {
    this.#changes = changes;
  }

  /** @throws Problem 404 */
  async get(name: string, version: number): Promise<TextsView> {
    const declared = await declaredVersion(this.#changes.running, name, version);
    const { definition, hosted } = declared;
    const editable = (text: DocumentedText): EditableText => this.#editable(declared, text);
    return {
      api: name,
      version,
      description: editable(apiText(definition)),
      visibility: visibilityIn(this.#changes.configuration, declared),
      services: hosted.services.map((service) => {
        const found = serviceTexts(definition, version, service.name);
        return {
          name: service.name,
          visibility: visibilityIn(this.#changes.configuration, declared, service),
          texts: found.texts.map(editable),
          operations: found.operations.map((one) => ({ ...one, texts: one.texts.map(editable) })),
          fields: found.fields.map(editable),
        };
      }),
      schemas: sharedSchemaTexts(definition, version).map((schema) => ({
        name: schema.name,
        texts: schema.texts.map(editable),
      })),
      tag: this.#changes.tagOf(definitionPath(name)),
    };
  }

  /**
   * Texts that are as they were are left alone. One that is emptied is taken out of the configuration, so that the
   * text of the code counts again.
   *
   * @param texts by their keys
   * @param visibilities by their keys; undefined for one of which what is declared counts
   * @throws Problem 404, 422 for a key that there is not, for a text that cannot be, and for an empty one where
   *   only the code says something
   */
  async toChange(
    name: string,
    version: number,
    texts: ReadonlyMap<string, string>,
    visibilities: ReadonlyMap<string, string | undefined> = new Map(),
  ): Promise<Change> {
    const view = await this.get(name, version);
    const known = new Map(textsOf(view).map((text) => [text.key, text]));
    const errors: FieldError[] = [];
    const edits: ConfigEdit[] = [];
    for (const [key, typed] of texts) {
      const text = known.get(key);
      const wanted = typed.replace(/\r\n?/g, '\n').trim();
      const fault = text === undefined ? 'There is no such text.' : faultOf(text, wanted);
      if (fault !== undefined) errors.push({ pointer: key, message: fault });
      else if (text !== undefined && wanted !== text.text.trim())
        edits.push(...this.#edits(name, text, wanted));
    }
    const shown = visibilityEdits(this.#changes.configuration, visibilitiesOf(view), visibilities);
    errors.push(...shown.errors);
    if (errors.length > 0) throw invalid(errors);
    return {
      summary: summaryOf(name, edits.length > 0, shown.edits.length > 0),
      subject: definitionPath(name),
      edits: [...edits, ...shown.edits],
    };
  }

  #editable(declared: DeclaredVersion, text: DocumentedText): EditableText {
    const path = text.paths[0] ?? [];
    const { isConfigured, source } = saidOf(this.#changes.configuration, declared, path);
    const ofCode = memberAt(declared.code?.definition, path);
    return {
      ...text,
      key: pointerOf(path),
      source,
      isConfigured,
      ofCode: typeof ofCode === 'string' ? ofCode : undefined,
    };
  }

  /** A text of the code is not written again: it counts when nothing else is said. */
  #edits(api: string, text: EditableText, wanted: string): readonly ConfigEdit[] {
    const { configuration } = this.#changes;
    return text.paths.map((below) => {
      const path = definitionPath(api, below);
      const isOfCode = wanted === text.ofCode?.trim() && !standsBelow(configuration, path);
      return wanted === '' || isOfCode ? withdraw(configuration, path) : { path, value: wanted };
    });
  }
}

/** Every text of a version. */
export function textsOf({ description, services, schemas }: TextsView): readonly EditableText[] {
  return [description, ...services.flatMap(textsOfService), ...schemas.flatMap(({ texts }) => texts)];
}

/** Every visibility of a version. */
export function visibilitiesOf({ visibility, services }: TextsView): readonly EditableVisibility[] {
  return [visibility, ...services.map((service) => service.visibility)];
}

export function textsOfService({ texts, operations, fields }: ServiceTextsView): readonly EditableText[] {
  return [...texts, ...operations.flatMap((one) => one.texts), ...fields];
}

function faultOf({ text, isConfigured }: EditableText, wanted: string): string | undefined {
  if (wanted.length > LONGEST)
    return `A text has at most ${LONGEST} characters; this one has ${wanted.length}.`;
  if (CONTROLS.test(wanted)) return 'The text has control characters. Type it again.';
  if (wanted === '' && text !== '' && !isConfigured) {
    return 'The code says this: it can be replaced by another text, but not emptied.';
  }
  return undefined;
}

function summaryOf(api: string, hasTexts: boolean, hasVisibility: boolean): string {
  if (!hasVisibility) return `Changed texts of the documentation of ${api}.`;
  const told = `Changed to whom the documentation tells of ${api}`;
  return hasTexts ? `${told}, and texts of it.` : `${told}.`;
}
