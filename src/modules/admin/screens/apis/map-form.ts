import { formatPointer } from '../../../../framework';
import { invalid } from '../../changes/field-errors';
import type { AccessView, DefaultAccess } from '../../actions/access/access-view';
import type { MapEntry } from '../../actions/access/adapter-map';

/** What an entry of the map says: nothing, that there is no adapter, or which. */
type MapMode = 'unset' | 'none' | 'some';

/** An entry of the map as a form has it. */
export interface MapField {
  readonly key: string;
  /** Where its errors point. */
  readonly pointer: string;
  readonly mode: MapMode;
  readonly chosen: readonly string[];
  readonly source: string | undefined;
  /** What it is about, for people. */
  readonly label: string;
  readonly kind: 'version' | 'api' | 'service' | 'common';
}

const MODES: readonly MapMode[] = ['unset', 'none', 'some'];

/** The fields of a form, as they are or as they were typed. */
export type MapFields = (typed?: URLSearchParams) => readonly MapField[];

/** The entries that a page of a version edits: its own, that of the API, and those of its services. */
export function mapFields(view: AccessView, typed?: URLSearchParams): readonly MapField[] {
  const [ofVersion, ofApi] = view.entries;
  return [
    ...(ofVersion === undefined ? [] : [fieldOf(ofVersion, 'version', `Version ${view.version}`, typed)]),
    ...(ofApi === undefined ? [] : [fieldOf(ofApi, 'api', 'All versions', typed)]),
    ...view.services.map(({ entry, name }) => fieldOf(entry, 'service', name, typed)),
  ];
}

/** The entries that the page of all APIs edits. */
export function defaultFields({ entries }: DefaultAccess, typed?: URLSearchParams): readonly MapField[] {
  const labels = ['All other APIs', 'API list of the documentation'];
  return entries.map((entry, at) => fieldOf(entry, 'common', labels[at] ?? entry.key, typed));
}

/**
 * What a form wants of the entries; one that the form lacks stays as it is.
 * @throws Problem 422 for one that says that there are adapters, and names none
 */
export function chosenAdapters(
  fieldsOf: MapFields,
  form: URLSearchParams,
): ReadonlyMap<string, readonly string[] | undefined> {
  const fields = fieldsOf(form).filter(({ key }) => form.has(`mode:${key}`));
  const errors = fields
    .filter(({ mode, chosen }) => mode === 'some' && chosen.length === 0)
    .map(({ pointer }) => ({ pointer, message: 'Choose at least one adapter, or another option.' }));
  if (errors.length > 0) throw invalid(errors);
  const before = new Map(fieldsOf().map((field) => [field.key, field.chosen]));
  return new Map(
    fields.map(({ key, mode, chosen }) => {
      if (mode === 'unset') return [key, undefined];
      return [key, mode === 'none' ? [] : inOrder(chosen, before.get(key) ?? [])];
    }),
  );
}

function fieldOf(
  { key, adapters, source }: MapEntry,
  kind: MapField['kind'],
  label: string,
  typed: URLSearchParams | undefined,
): MapField {
  const mode = typed?.get(`mode:${key}`);
  return {
    key,
    kind,
    label,
    source,
    pointer: formatPointer([key]),
    mode: mode === null || mode === undefined ? modeOf(adapters) : isMode(mode) ? mode : 'unset',
    chosen: typed === undefined ? (adapters ?? []) : typed.getAll(`adapter:${key}`),
  };
}

function modeOf(adapters: readonly string[] | undefined): MapMode {
  if (adapters === undefined) return 'unset';
  return adapters.length === 0 ? 'none' : 'some';
}

function isMode(text: string): text is MapMode {
  return MODES.some((mode) => mode === text);
}

/** A form has no order of its own: what was chosen before keeps its. */
function inOrder(chosen: readonly string[], before: readonly string[]): readonly string[] {
  return [
    ...before.filter((name) => chosen.includes(name)),
    ...chosen.filter((name) => !before.includes(name)),
  ];
}
