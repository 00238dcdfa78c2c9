import { formatKeyPath, problem, type KeyPath } from '../../../../framework';
import { NEGOTIATION_KEY } from '../../../content-negotiation';
import { HOSTING_KEY } from '../../../hosting';
import type { AdminRole } from '../../accounts/roles';

/** The texts of the documentation, wherever they are in the definition of an API. */
const TEXTS: readonly unknown[] = ['description', 'request_description', 'response_description'];

/**
 * Asserts that a role may change values of the configuration. An editor changes content negotiation and the texts of the
 * documentation: nothing that decides who may do what, or what is hosted.
 * @throws Problem 403 that names a value of another role
 */
export function assertEditable(role: AdminRole, paths: readonly KeyPath[]): void {
  if (role === 'administrator') return;
  const refused = role === 'viewer' ? paths[0] : paths.find((path) => !isEditable(path));
  if (refused === undefined) return;
  const required = role === 'viewer' && isEditable(refused) ? 'editor' : 'administrator';
  throw problem('role_required_for', { role, required, path: formatKeyPath(refused) });
}

function isEditable(path: KeyPath): boolean {
  if (path[0] === NEGOTIATION_KEY) return true;
  return path[0] === HOSTING_KEY && path[1] === 'apis' && TEXTS.includes(path.at(-1));
}
