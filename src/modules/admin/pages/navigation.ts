/** A place that every page leads to. */
export interface NavigationEntry {
  readonly label: string;
  /** Below the admin. */
  readonly path: string;
}

/** What the sidebar leads to, in groups. */
export const navigation: readonly (readonly NavigationEntry[])[] = [
  [{ label: 'Overview', path: '/' }],
  [
    { label: 'APIs', path: '/apis' },
    { label: 'Authentication adapters', path: '/adapters' },
    { label: 'Password files', path: '/password-files' },
    { label: 'Content negotiation', path: '/selectors' },
  ],
  [
    { label: 'Listeners', path: '/listeners' },
    { label: 'Configuration', path: '/configuration' },
    { label: 'Revisions', path: '/revisions' },
  ],
  [
    { label: 'Administrators', path: '/administrators' },
    { label: 'Account', path: '/account' },
  ],
];

/** The entry that a path belongs to, as its path. @param path below the admin, e.g. `/adapters/atlas` */
export function sectionOf(path: string): string | undefined {
  return navigation
    .flat()
    .map((entry) => entry.path)
    .find((one) => path === one || (one !== '/' && path.startsWith(`${one}/`)));
}
