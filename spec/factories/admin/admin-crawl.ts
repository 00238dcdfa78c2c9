import type { Page } from 'playwright-core';
import { ADMIN } from './admin';

/** What a user who submits forms sees of a page. */
export interface PageContent {
  readonly status: number;
  /** The fixture text that was interpreted as markup. */
  readonly markup: readonly string[];
  readonly links: readonly string[];
}

/** A submitted form, and its result. */
export interface SubmittedForm extends PageContent {
  readonly form: string;
  readonly isSaved: boolean;
}

/** Fetches a page from within the browser and parses it without executing it. */
function fetchPage(page: Page, path: string): Promise<PageContent> {
  return page.evaluate(async (to) => {
    const answer = await fetch(to, { headers: { Accept: 'text/html' } });
    const document = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const found = document.querySelectorAll('[data-hostile], [onmouseover], script:not([src])');
    return {
      status: answer.status,
      markup: [...found].map(({ outerHTML }) => outerHTML),
      links: [...document.querySelectorAll('a[href]')].map((link) => link.getAttribute('href') ?? ''),
    };
  }, path);
}

/** Submits every form of a page with a hostile value in every field, and confirms the difference if there is one. */
export function sendAll(page: Page, path: string, hostile: string): Promise<readonly SubmittedForm[]> {
  return page.evaluate(
    async ([to, text]) => {
      const parsed = async (answer: Response): Promise<Document> =>
        new DOMParser().parseFromString(await answer.text(), 'text/html');
      const send = (form: HTMLFormElement, fields: URLSearchParams): Promise<Response> => {
        const action = new URL(form.getAttribute('action') ?? to, location.origin + to);
        // With the headers of a browser: other clients receive JSON, where markup is text.
        const headers = { Accept: 'text/html' };
        return form.method === 'post'
          ? fetch(action, { method: 'POST', body: fields, headers })
          : fetch(`${action.pathname}?${fields.toString()}`, { headers });
      };
      const first = await parsed(await fetch(to));
      const sent = [];
      for (const form of first.querySelectorAll('form')) {
        const action = form.getAttribute('action') ?? to;
        if (/sign-out|\/remove|\/account/.test(action)) continue;
        const fields = new URLSearchParams();
        for (const [name, value] of new FormData(form))
          fields.append(name, typeof value === 'string' ? value : '');
        for (const control of form.querySelectorAll('input, textarea, select')) {
          const name = control.getAttribute('name') ?? '';
          if (name !== '' && !['hidden', 'checkbox', 'radio'].includes(control.getAttribute('type') ?? ''))
            fields.set(name, control.tagName === 'SELECT' ? (fields.get(name) ?? '') : text);
        }
        let answer = await send(form, fields);
        let document = await parsed(answer);
        let markup = [...document.querySelectorAll('[data-hostile], [onmouseover], script:not([src])')];
        const confirm = [...document.querySelectorAll('form')].find((one) =>
          one.querySelector('[name="confirm"]'),
        );
        if (confirm !== undefined) {
          const submitted = new URLSearchParams();
          for (const [name, value] of new FormData(confirm))
            submitted.append(name, typeof value === 'string' ? value : '');
          answer = await send(confirm, submitted);
          document = await parsed(answer);
          markup = [
            ...markup,
            ...document.querySelectorAll('[data-hostile], [onmouseover], script:not([src])'),
          ];
        }
        sent.push({
          form: `${form.method} ${action}`,
          status: answer.status,
          isSaved: confirm !== undefined && answer.ok,
          markup: markup.map(({ outerHTML }) => outerHTML),
          links: [],
        });
      }
      return sent;
    },
    [path, hostile] as const,
  );
}

/** One version of one API represents all: their pages are the same. */
const CRAWLED_PATHS =
  /^\/platform\/(documentation\/?$|documentation\/Atlas(-v1)?(\/|$)|admin(?!\/apis\/(Admin|Atlas-v2)))/;

/** The linked pages of the admin and of the documentation. */
export async function crawl(page: Page): Promise<ReadonlyMap<string, PageContent>> {
  const { origin } = new URL(page.url());
  const seen = new Map<string, PageContent>();
  const waiting = [ADMIN, '/platform/documentation'];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (seen.has(next)) continue;
    const found = await fetchPage(page, next);
    seen.set(next, found);
    for (const link of found.links) {
      const to = new URL(link, origin + next);
      if (to.origin === origin && CRAWLED_PATHS.test(to.pathname))
        waiting.push(to.pathname + (to.pathname.startsWith(ADMIN) ? to.search : ''));
    }
  }
  return seen;
}
