import { formatKeyPath, memberAt, problem, type Application, type KeyPath } from '../../../../framework';
import { NEGOTIATION_KEY } from '../../../content-negotiation';
import { HOSTING_KEY } from '../../../hosting';
import type { AdminRole } from '../../accounts/roles';
import { definitionsOf } from '../../actions/texts/declared-api';
import { textPathsOf } from '../../actions/texts/documented-text';

/**
 * Asserts that a role may change values of the configuration. An editor changes content negotiation and the texts of the
 * documentation: nothing that decides who may do what, or what is hosted.
 * @param states the applications without and with the change
 * @throws Problem 403 that names a value of another role
 */
export function assertEditable(
  role: AdminRole,
  paths: readonly KeyPath[],
  states: readonly Application[],
): void {
  if (role === 'administrator') return;
  const isEditable = editableIn(states);
  const refused = role === 'viewer' ? paths[0] : paths.find((path) => !isEditable(path));
  if (refused === undefined) return;
  const required = role === 'viewer' && isEditable(refused) ? 'editor' : 'administrator';
  throw problem('role_required_for', { role, required, path: formatKeyPath(refused) });
}

/** A text is one of something that both states declare: a text alone may declare an operation or a column. */
function editableIn(states: readonly Application[]): (path: KeyPath) => boolean {
  const texts = states.map((state) => textsIn(state));
  return ([first, second, api, ...below]) =>
    first === NEGOTIATION_KEY ||
    (first === HOSTING_KEY && second === 'apis' && texts.every((isText) => isText(String(api), below)));
}

/** Whether a path in an API's definition is that of a text. */
function textsIn(state: Application): (api: string, path: KeyPath) => boolean {
  /** By API and part of its definition: a change may have many texts of one service. */
  const known = new Map<string, ReadonlySet<string>>();
  return (api, path) => {
    const keys = path.map(String);
    const definition = definitionsOf(state).get(api);
    if (!isHolder(memberAt(definition, keys.slice(0, -1)))) return false;
    const part = JSON.stringify([api, ...keys.slice(0, 4)]);
    const paths = known.get(part) ?? new Set(textPathsOf(definition, keys).map((one) => JSON.stringify(one)));
    known.set(part, paths);
    return paths.has(JSON.stringify(keys));
  };
}

function isHolder(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
