import { formatPointer, type ConfigEdit, type Configuration, type KeyPath } from '../../../../framework';
import type { HostedApi } from '../../../hosting';
import type { Guards } from '../../../mvc-auth';
import type { FieldError } from '../../changes/field-errors';
import { unsetEdit } from '../unset-edit';
import { valueSource, type DeclaredVersion } from './declared-api';

/** Who can see something in the documentation: everyone, or signed-in users. */
export type Visibility = HostedApi['visibility'];

export const VISIBILITIES = ['public', 'authenticated'] as const satisfies readonly Visibility[];

/** The visibility of an API or a service in the documentation, with its source. */
export interface EditableVisibility {
  /** A JSON Pointer (RFC 6901) from the API's definition: `/versions/1/services/Country/visibility`. */
  readonly key: string;
  /** Undefined for the API. */
  readonly service: string | undefined;
  /** In the configuration. */
  readonly path: KeyPath;
  /** The configured value; undefined if the declared one applies. */
  readonly own: Visibility | undefined;
  readonly effective: Visibility;
  /** The file, or the module. */
  readonly source: string;
  /** Whether users could sign in to read the documentation if it were hidden from guests. */
  readonly isReadableIfHidden: boolean;
}

/** Who can sign in to read the documentation: users of adapters, and readers with OpenID Connect. */
export interface SignInWays {
  readonly guards: Guards;
  readonly hasReaders: boolean;
}

/** Describes the visibility of a service, or of the API without one. */
export function describeVisibility(
  configuration: Configuration,
  declared: DeclaredVersion,
  { guards, hasReaders }: SignInWays,
  service?: { readonly name: string; readonly visibility: Visibility },
): EditableVisibility {
  const { api, hosted } = declared;
  const of = service === undefined ? [] : ['versions', String(hosted.version), 'services', service.name];
  const below = [...of, 'visibility'];
  const { path, source } = valueSource(configuration, declared, below);
  return {
    key: formatPointer(below),
    service: service?.name,
    path,
    // Validated by the schema of the section.
    own: configuration.valueAt(path) as Visibility | undefined,
    effective: (service ?? api).visibility,
    source,
    // As in the startup warnings: a hidden service needs an adapter of its API, a hidden API that of the API list.
    isReadableIfHidden:
      hasReaders ||
      (service === undefined
        ? api.versions.some(({ version }) => guards.ofHiddenApi(api.name, version) !== undefined)
        : guards.ofApi(api.name, hosted.version) !== undefined),
  };
}

/**
 * Warns about documentation that is hidden from everybody, as the form does.
 * @param api its name, for messages
 */
export function unreadableWarnings(api: string, known: readonly EditableVisibility[]): readonly string[] {
  return known
    .filter(({ effective, isReadableIfHidden }) => effective !== 'public' && !isReadableIfHidden)
    .map(({ key, service }) => {
      const [what, entries] =
        service === undefined
          ? [`the API ${api}`, '"@documentation"']
          : [`the service ${service} of ${api}`, `"${api}" or "@documentation"`];
      return `${key}: the documentation of ${what} is hidden from everybody, because nobody can sign in to read it. Map an adapter to ${entries}.`;
    });
}

/**
 * Returns the edits that set the given visibilities, and the errors.
 * @param visibilities by their keys; undefined restores the declared value
 * @throws Problem 409 if a higher layer defines a value to unset
 */
export function visibilityEdits(
  configuration: Configuration,
  known: readonly EditableVisibility[],
  visibilities: ReadonlyMap<string, string | undefined>,
): { readonly edits: readonly ConfigEdit[]; readonly errors: readonly FieldError[] } {
  const errors: FieldError[] = [];
  const edits: ConfigEdit[] = [];
  for (const [key, value] of visibilities) {
    const current = known.find((one) => one.key === key);
    const visibility = VISIBILITIES.find((one) => one === value);
    if (current === undefined) errors.push({ pointer: key, message: 'Unknown API or service.' });
    else if (value !== visibility) errors.push({ pointer: key, message: unknownVisibility(value ?? '') });
    else if (visibility === undefined && current.own !== undefined)
      edits.push(unsetEdit(configuration, current.path));
    else if (visibility !== undefined && visibility !== current.own)
      edits.push({ path: current.path, value: visibility });
  }
  return { edits, errors };
}

function unknownVisibility(value: string): string {
  return `"${value}" is not a visibility. Allowed values: ${VISIBILITIES.join(', ')}.`;
}
