import { hasPathPrefix } from '../../../framework';

/** A link in the sidebar. */
export interface NavigationEntry {
  readonly label: string;
  /** Below the admin. */
  readonly path: string;
}

/** The links in the sidebar, in groups. */
export const navigation: readonly (readonly NavigationEntry[])[] = [
  [{ label: 'Overview', path: '/' }],
  [
    { label: 'Access map', path: '/access-map' },
    { label: 'Rule tester', path: '/rule-tester' },
    { label: 'APIs', path: '/apis' },
    { label: 'Authentication adapters', path: '/adapters' },
    { label: 'Password files', path: '/password-files' },
    { label: 'API keys', path: '/api-keys' },
    { label: 'Content negotiation', path: '/selectors' },
    { label: 'Databases', path: '/databases' },
  ],
  [
    { label: 'Request lifecycle', path: '/listeners' },
    { label: 'Request traces', path: '/traces' },
    { label: 'Configuration', path: '/configuration' },
    { label: 'Revisions', path: '/revisions' },
    { label: 'Nodes', path: '/nodes' },
    { label: 'Audit log', path: '/audit' },
  ],
  [
    { label: 'Administrators', path: '/administrators' },
    { label: 'Account', path: '/account' },
  ],
];

/** Returns the path of the entry that a page belongs to. @param path below the admin, e.g. `/adapters/atlas` */
export function sectionOf(path: string): string | undefined {
  return navigation
    .flat()
    .map((entry) => entry.path)
    .find((one) => path === one || (one !== '/' && hasPathPrefix(path, one)));
}
