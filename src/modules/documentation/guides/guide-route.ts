import { MethodTable, closestMatch, MAX_NAMES, problem, ViewModel, type MvcEvent } from '../../../framework';
import type { AccessRule } from '../../mvc-auth';
import type { Documentation } from '../documentation';
import { ReadersRoute } from '../routes/readers-route';
import type { SearchEntry } from '../search/search-entry';
import type { Guide } from './guide';

/** The page of a guide. */
export const GUIDE_PATTERN = '/platform/guides/:guide';

/** Returns a function that returns the URL path of a guide. @param base the path prefix of every route */
export function guidePathOf(base: string): (guide: string) => string {
  return (guide) => base + GUIDE_PATTERN.replace(':guide', () => encodeURIComponent(guide));
}

/** The pages of guides, for readers of the list of APIs. */
export class GuideRoute extends ReadersRoute {
  readonly methods: MethodTable;

  /** @param urlOf returns the URL path of a guide */
  constructor(
    documentation: Documentation,
    access: AccessRule,
    guides: readonly Guide[],
    urlOf: (name: string) => string,
  ) {
    super(documentation, access);
    const pages = new Map(
      guides.map((guide, at) => [
        guide.name,
        new ViewModel(
          { guide, path: urlOf(guide.name), previous: guides[at - 1], next: guides[at + 1] },
          { template: 'platform-documentation/guide', cacheScope: guide },
        ),
      ]),
    );
    this.methods = new MethodTable({
      GET: Object.freeze({
        name: 'guide',
        handler: ({ parameters }: MvcEvent) =>
          pages.get(parameters.guide ?? '') ?? notFound(parameters.guide, guides),
      }),
    });
  }
}

function notFound(name = '', guides: readonly Guide[]): never {
  const names = guides.map((guide) => guide.name);
  const near = closestMatch(name, names);
  throw problem(
    'name_not_found',
    { kind: 'guide', name, names },
    {
      extensions: {
        guides: names.slice(0, MAX_NAMES),
        ...(near === undefined ? {} : { did_you_mean: near }),
      },
    },
  );
}

/** Returns the search entries of guides and their headings. @param urlOf returns the URL of a guide */
export function guideEntries(
  guides: readonly Guide[],
  urlOf: (name: string) => string,
): readonly SearchEntry[] {
  return guides.flatMap(({ name, title, summary, headings }) => [
    { kind: 'guide' as const, title, within: '', url: urlOf(name), names: name, text: summary },
    ...headings.map(({ id, text }) => ({
      kind: 'guide' as const,
      title: text,
      within: title,
      url: `${urlOf(name)}#${encodeURIComponent(id)}`,
      text: '',
    })),
  ]);
}
