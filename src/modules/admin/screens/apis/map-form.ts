import { formatPointer } from '../../../../framework';
import { invalid } from '../../changes/field-errors';
import type { AccessView, DefaultAccess } from '../../actions/access/access-view';
import type { MapEntry } from '../../actions/access/adapter-map';

/** Whether an entry is not set, set to no adapter, or set to adapters. */
type MapMode = 'unset' | 'none' | 'some';

/** A form field of a map entry. */
export interface MapField {
  readonly key: string;
  /** The pointer of its errors. */
  readonly pointer: string;
  readonly mode: MapMode;
  readonly chosen: readonly string[];
  readonly source: string | undefined;
  readonly label: string;
  readonly kind: 'version' | 'api' | 'service' | 'common';
}

const MODES: readonly MapMode[] = ['unset', 'none', 'some'];

/** Returns the fields with the submitted values, or the current ones. */
export type MapFields = (submitted?: URLSearchParams) => readonly MapField[];

/** Returns the fields of a version, of its API and of its services. */
export function mapFields(view: AccessView, submitted?: URLSearchParams): readonly MapField[] {
  const [ofVersion, ofApi] = view.entries;
  return [
    ...(ofVersion === undefined ? [] : [fieldOf(ofVersion, 'version', `Version ${view.version}`, submitted)]),
    ...(ofApi === undefined ? [] : [fieldOf(ofApi, 'api', 'All versions', submitted)]),
    ...view.services.map(({ entry, name }) => fieldOf(entry, 'service', name, submitted)),
  ];
}

/** Returns the fields of the default adapters. */
export function defaultFields({ entries }: DefaultAccess, submitted?: URLSearchParams): readonly MapField[] {
  const labels = ['All other APIs', 'API list of the documentation'];
  return entries.map((entry, at) => fieldOf(entry, 'common', labels[at] ?? entry.key, submitted));
}

/**
 * Reads the adapters of the entries that a form contains.
 * @throws Problem 422 for an entry with "These adapters" but none selected
 */
export function chosenAdapters(
  fieldsOf: MapFields,
  form: URLSearchParams,
): ReadonlyMap<string, readonly string[] | undefined> {
  const before = new Map(fieldsOf().map((field) => [field.key, field]));
  const fields = fieldsOf(form)
    .filter(({ key }) => form.has(`mode:${key}`))
    .map((field) => ({ ...field, mode: impliedMode(field, before.get(field.key)) }));
  const errors = fields
    .filter(({ mode, chosen }) => mode === 'some' && chosen.length === 0)
    .map(({ pointer }) => ({ pointer, message: 'Choose at least one adapter, or another option.' }));
  if (errors.length > 0) throw invalid(errors);
  return new Map(
    fields.map(({ key, mode, chosen }) => {
      if (mode === 'unset') return [key, undefined];
      return [key, mode === 'none' ? [] : inOrder(chosen, before.get(key)?.chosen ?? [])];
    }),
  );
}

/** Without JavaScript, other adapters with an unchanged option imply "These adapters". */
function impliedMode({ mode, chosen }: MapField, before: MapField | undefined): MapMode {
  const isOther = chosen.length > 0 && chosen.join(' ') !== before?.chosen.join(' ');
  return mode === before?.mode && isOther ? 'some' : mode;
}

function fieldOf(
  { key, adapters, source }: MapEntry,
  kind: MapField['kind'],
  label: string,
  submitted: URLSearchParams | undefined,
): MapField {
  const mode = submitted?.get(`mode:${key}`);
  return {
    key,
    kind,
    label,
    source,
    pointer: formatPointer([key]),
    mode: mode === null || mode === undefined ? modeOf(adapters) : isMode(mode) ? mode : 'unset',
    chosen: submitted === undefined ? (adapters ?? []) : submitted.getAll(`adapter:${key}`),
  };
}

function modeOf(adapters: readonly string[] | undefined): MapMode {
  if (adapters === undefined) return 'unset';
  return adapters.length === 0 ? 'none' : 'some';
}

function isMode(text: string): text is MapMode {
  return MODES.some((mode) => mode === text);
}

/** Keeps the order of adapters that were selected before, since a form does not submit any. */
function inOrder(chosen: readonly string[], before: readonly string[]): readonly string[] {
  return [
    ...before.filter((name) => chosen.includes(name)),
    ...chosen.filter((name) => !before.includes(name)),
  ];
}
