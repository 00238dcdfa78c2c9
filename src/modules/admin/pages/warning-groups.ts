/** Warnings that are fixed on the same page. */
export interface WarningGroup {
  readonly title: string;
  /** The page that fixes them, and its path below the admin; undefined if only files can. */
  readonly page: string | undefined;
  readonly path: string | undefined;
  readonly warnings: readonly string[];
}

/** The pages that fix warnings, by words of these, in the order in which they are tried. */
const GROUPS: readonly (Omit<WarningGroup, 'warnings'> & { readonly words: RegExp })[] = [
  {
    words: /authentication\.map|visibility|requires a user/i,
    title: 'Access to APIs',
    page: 'APIs',
    path: '/apis',
  },
  {
    words: /\.htpasswd|\.htdigest|password file/i,
    title: 'Password files',
    page: 'Password files',
    path: '/password-files',
  },
  { words: /adapter/i, title: 'Adapters', page: 'Authentication adapters', path: '/adapters' },
  { words: /selector/i, title: 'Content negotiation', page: 'Content negotiation', path: '/selectors' },
  { words: /(?:)/, title: 'Configuration and modules', page: undefined, path: undefined },
];

/** Groups warnings by the page that fixes them. */
export function groupWarnings(warnings: readonly string[]): readonly WarningGroup[] {
  const groups = new Map<string, WarningGroup>();
  for (const warning of warnings) {
    const found = GROUPS.find(({ words }) => words.test(warning));
    if (found === undefined) continue;
    const { title, page, path } = found;
    groups.set(title, { title, page, path, warnings: [...(groups.get(title)?.warnings ?? []), warning] });
  }
  return [...groups.values()];
}

/** Warnings that the access map shows as gaps; it does not show static files. */
const ON_ACCESS_MAP =
  /requires? a user, but no adapter is mapped to (it|them)|the authentication adapter ".*" guards nothing|has no user( of realm ".*")?: nobody can sign in/;

/** Separates the warnings that the access map shows as gaps from the others. */
export function splitWarnings(warnings: readonly string[]): {
  readonly onAccessMap: readonly string[];
  readonly others: readonly string[];
} {
  return {
    onAccessMap: warnings.filter((warning) => ON_ACCESS_MAP.test(warning)),
    others: warnings.filter((warning) => !ON_ACCESS_MAP.test(warning)),
  };
}
