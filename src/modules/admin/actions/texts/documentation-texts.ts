import { memberAt, formatPointer, runCooperatively, type ConfigEdit } from '../../../../framework';
import { Guards } from '../../../mvc-auth';
import { readersCanSignIn } from '../../../openid';
import type { Change } from '../../changes/change';
import type { ConfigurationChanges } from '../../changes/configuration-changes';
import { declaredVersion, definitionPath, valueSource, type DeclaredVersion } from './declared-api';
import {
  apiText,
  serviceTexts,
  sharedSchemaNames,
  sharedSchemaTexts,
  type DocumentedText,
  type OperationTexts,
  type SchemaTexts,
  type ServiceTexts,
} from './documented-text';
import {
  describeVisibility,
  visibilityEdits,
  type EditableVisibility,
  type SignInWays,
} from './documented-visibility';
import { invalid, type FieldError } from '../../changes/field-errors';
import { isDefinedInLowerLayer } from '../layered-edits';
import { unsetEdit } from '../unset-edit';

/** An editable text. */
export interface EditableText extends DocumentedText {
  /** A JSON Pointer (RFC 6901) from the API's definition: `/versions/1/services/Country/description`. */
  readonly key: string;
  /** The file, or the module. */
  readonly source: string;
  /** Whether it comes from the configuration. */
  readonly isConfigured: boolean;
  /** The text declared in code, used if none is configured; undefined if there is none. */
  readonly declaredText: string | undefined;
}

/** The texts of a version of an API. */
export interface TextsView {
  readonly api: string;
  readonly version: number;
  /** The description of the API, shared by all versions. */
  readonly description: EditableText;
  /** Of the API, shared by all versions. */
  readonly visibility: EditableVisibility;
  /** The requested ones; all of them by default. */
  readonly services: readonly ServiceTextsView[];
  /** Shared schemas of the version: the requested ones; all of them by default. */
  readonly schemas: readonly SchemaTextsView[];
  /** Of all services and shared schemas of the version. */
  readonly names: { readonly services: readonly string[]; readonly schemas: readonly string[] };
  /** The strong validator of the API's configuration, without quotes. */
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

/** A part of a version: one service, one shared schema, or the API itself. */
export interface TextsPart {
  readonly service?: string | undefined;
  readonly schema?: string | undefined;
}

/** The maximum length of a text in characters. */
const MAX_LENGTH = 20_000;
/** Control characters except tab and line feed. */
const CONTROLS = /[^\P{Cc}\t\n]/u;

/** Reads and changes the texts and visibility of the documentation. */
export class DocumentationTexts {
  readonly #changes: ConfigurationChanges;

  constructor(changes: ConfigurationChanges) {
    this.#changes = changes;
  }

  /**
   * @param part limits services and schemas to those of a part; all of them by default
   * @throws Problem 404
   */
  async get(name: string, version: number, part?: TextsPart): Promise<TextsView> {
    const declared = await declaredVersion(this.#changes.running, name, version);
    const ways = await this.#signInWays();
    const tag = await this.#changes.tag(definitionPath(name));
    return await runCooperatively(this.#view(declared, { ways, tag }, part));
  }

  async #signInWays(): Promise<SignInWays> {
    const { services } = this.#changes.running;
    return { guards: await services.get(Guards), hasReaders: await readersCanSignIn(services) };
  }

  *#view(
    declared: DeclaredVersion,
    { ways, tag }: { readonly ways: SignInWays; readonly tag: string },
    part?: TextsPart,
  ): Generator<undefined, TextsView, void> {
    const { configuration } = this.#changes;
    yield* configuration.locateSources();
    const { api, definition, hosted } = declared;
    const { version } = hosted;
    const names = {
      services: hosted.services.map((service) => service.name),
      schemas: sharedSchemaNames(definition, version),
    };
    const editable = (text: DocumentedText): EditableText => this.#editable(declared, text);
    const services: ServiceTextsView[] = [];
    for (const service of hosted.services) {
      if (part !== undefined && part.service !== service.name) continue;
      const found = serviceTexts(definition, version, service.name);
      services.push({
        name: service.name,
        visibility: describeVisibility(configuration, declared, ways, service),
        texts: found.texts.map(editable),
        operations: found.operations.map((one) => ({ ...one, texts: one.texts.map(editable) })),
        fields: found.fields.map(editable),
      });
      yield;
    }
    const schemas: SchemaTextsView[] = [];
    for (const schema of names.schemas) {
      if (part !== undefined && part.schema !== schema) continue;
      const { texts } = sharedSchemaTexts(definition, version, schema);
      schemas.push({ name: schema, texts: texts.map(editable) });
      yield;
    }
    const description = editable(apiText(definition));
    const visibility = describeVisibility(configuration, declared, ways);
    return { api: api.name, version, description, visibility, services, schemas, names, tag };
  }

  /**
   * Prepares a change of texts. Unchanged texts are skipped; an empty one is removed from the configuration, which
   * restores the text declared in code.
   *
   * @param texts by their keys
   * @param visibilities by their keys; undefined restores the declared value
   * @param part that the keys are in; any of them by default
   * @throws Problem 404, 422 for an unknown key, an invalid text, or an empty one that is declared in code
   */
  async prepareChange(
    name: string,
    version: number,
    texts: ReadonlyMap<string, string>,
    visibilities: ReadonlyMap<string, string | undefined> = new Map(),
    part?: TextsPart,
  ): Promise<Change> {
    const view = await this.get(name, version, part);
    const known = new Map(textsOf(view).map((text) => [text.key, text]));
    const errors: FieldError[] = [];
    const edits: ConfigEdit[] = [];
    for (const [key, typed] of texts) {
      const text = known.get(key);
      const newText = typed.replace(/\r\n?/g, '\n').trim();
      const error = text === undefined ? 'Unknown text.' : textError(text, newText);
      if (error !== undefined) errors.push({ pointer: key, message: error });
      else if (text !== undefined && newText !== text.text.trim())
        edits.push(...this.#edits(name, text, newText));
    }
    const visibilityChange = visibilityEdits(this.#changes.configuration, visibilitiesOf(view), visibilities);
    errors.push(...visibilityChange.errors);
    if (errors.length > 0) throw invalid(errors);
    return {
      summary: summaryOf(name, edits.length > 0, visibilityChange.edits.length > 0),
      subject: definitionPath(name),
      edits: [...edits, ...visibilityChange.edits],
    };
  }

  #editable(declared: DeclaredVersion, text: DocumentedText): EditableText {
    const path = text.paths[0] ?? [];
    const { isConfigured, source } = valueSource(this.#changes.configuration, declared, path);
    const declaredText = memberAt(declared.code?.definition, path);
    return {
      ...text,
      key: formatPointer(path),
      source,
      isConfigured,
      declaredText: typeof declaredText === 'string' ? declaredText : undefined,
    };
  }

  /** A text equal to the one declared in code is unset rather than written. */
  #edits(api: string, text: EditableText, newText: string): readonly ConfigEdit[] {
    const { configuration } = this.#changes;
    return text.paths.map((below) => {
      const path = definitionPath(api, below);
      const isDeclared = newText === text.declaredText?.trim() && !isDefinedInLowerLayer(configuration, path);
      return newText === '' || isDeclared ? unsetEdit(configuration, path) : { path, value: newText };
    });
  }
}

/** Returns every text of a version. */
export function textsOf({ description, services, schemas }: TextsView): readonly EditableText[] {
  return [description, ...services.flatMap(textsOfService), ...schemas.flatMap(({ texts }) => texts)];
}

/** Returns every visibility of a version. */
export function visibilitiesOf({ visibility, services }: TextsView): readonly EditableVisibility[] {
  return [visibility, ...services.map((service) => service.visibility)];
}

export function textsOfService({ texts, operations, fields }: ServiceTextsView): readonly EditableText[] {
  return [...texts, ...operations.flatMap((one) => one.texts), ...fields];
}

function textError({ text, isConfigured }: EditableText, newText: string): string | undefined {
  if (newText.length > MAX_LENGTH)
    return `Use at most ${MAX_LENGTH} characters; this text has ${newText.length}.`;
  if (CONTROLS.test(newText)) return 'The text contains control characters. Remove them.';
  if (newText === '' && text !== '' && !isConfigured) {
    return 'This text is declared in code. You can override it, but not remove it.';
  }
  return undefined;
}

function summaryOf(api: string, hasTexts: boolean, hasVisibility: boolean): string {
  if (!hasVisibility) return `Changed the documentation of ${api}.`;
  const changed = `Changed the documentation visibility of ${api}`;
  return hasTexts ? `${changed} and its texts.` : `${changed}.`;
}
