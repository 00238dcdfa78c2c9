import { pointerOf, type ConfigEdit, type Configuration, type KeyPath } from '../../../../framework';
import type { HostedApi } from '../../../hosting';
import type { FieldError } from '../invalid';
import { withdraw } from '../withdraw';
import { saidOf, type DeclaredVersion } from './declared-api';

/** To whom the documentation tells of something: to everyone, or to those who have signed in. */
export type Visibility = HostedApi['visibility'];

export const VISIBILITIES = ['public', 'authenticated'] as const satisfies readonly Visibility[];

/** To whom the documentation tells of an API, or of one of its services, and where that is said. */
export interface EditableVisibility {
  /** A JSON Pointer (RFC 6901) from the API's definition: `/versions/1/services/Country/visibility`. */
  readonly key: string;
  /** In the configuration. */
  readonly path: KeyPath;
  /** What is configured; undefined where what is declared counts. */
  readonly own: Visibility | undefined;
  readonly inForce: Visibility;
  /** The file, or the module. */
  readonly source: string;
}

/** @param service of the version; that of the API, in all its versions, without one */
export function visibilityIn(
  configuration: Configuration,
  declared: DeclaredVersion,
  service?: { readonly name: string; readonly visibility: Visibility },
): EditableVisibility {
  const { api, hosted } = declared;
  const of = service === undefined ? [] : ['versions', String(hosted.version), 'services', service.name];
  const below = [...of, 'visibility'];
  const { path, source } = saidOf(configuration, declared, below);
  return {
    key: pointerOf(below),
    path,
    // The schema of the section has checked it.
    own: configuration.valueAt(path) as Visibility | undefined,
    inForce: (service ?? api).visibility,
    source,
  };
}

/**
 * What differs, and what is wrong.
 * @param wanted by their keys; undefined lets count what is declared
 * @throws Problem 409 where a higher layer says what is to be withdrawn
 */
export function visibilityEdits(
  configuration: Configuration,
  known: readonly EditableVisibility[],
  wanted: ReadonlyMap<string, string | undefined>,
): { readonly edits: readonly ConfigEdit[]; readonly errors: readonly FieldError[] } {
  const errors: FieldError[] = [];
  const edits: ConfigEdit[] = [];
  for (const [key, chosen] of wanted) {
    const there = known.find((one) => one.key === key);
    const visibility = VISIBILITIES.find((one) => one === chosen);
    if (there === undefined)
      errors.push({ pointer: key, message: 'There is nothing to be shown or hidden.' });
    else if (chosen !== visibility) errors.push({ pointer: key, message: noVisibility(chosen ?? '') });
    else if (visibility === undefined && there.own !== undefined)
      edits.push(withdraw(configuration, there.path));
    else if (visibility !== undefined && visibility !== there.own)
      edits.push({ path: there.path, value: visibility });
  }
  return { edits, errors };
}

function noVisibility(chosen: string): string {
  return `"${chosen}" is none of the answers. There is: ${VISIBILITIES.join(', ')}.`;
}
