import { chromium, type Browser, type Page } from 'playwright-core';
import type { Client, ClientAnswer, ClientRequest, Session } from './client';
import { run } from '../factories/processes/processes';
import { executableOf } from '../factories/processes/programs';

/** Starts it headless. The sandbox is off, for containers whose user is root. */
export function startChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: executableOf('chromium'),
    args: ['--no-sandbox', '--no-proxy-server'],
  });
}

/** A page with credentials that has loaded nothing yet. */
export async function pageOf(browser: Browser, user: Pick<Session, 'username' | 'password'>): Promise<Page> {
  const { username, password } = user;
  // A JSON response forbids its page to fetch anything, and the page is only the context to fetch from.
  const context = await browser.newContext({ httpCredentials: { username, password }, bypassCSP: true });
  return context.newPage();
}

/** Opens a URL like a user, which signs in. */
async function open(page: Page, { url }: ClientRequest): Promise<ClientAnswer> {
  const answer = await page.goto(url);
  return { status: answer?.status() ?? 0, body: (await answer?.text()) ?? '' };
}

/** Fetches from within a page. */
export function fetchFrom(page: Page, request: ClientRequest): Promise<ClientAnswer> {
  return page.evaluate(async ({ url, method, body }) => {
    const headers = { 'Content-Type': 'application/json' };
    const answer = await fetch(url, body === undefined ? {} : { method, body, headers });
    return { status: answer.status, body: await answer.text() };
  }, request);
}

async function send(browser: Browser, session: Session): Promise<readonly ClientAnswer[]> {
  const page = await pageOf(browser, session);
  const answers: ClientAnswer[] = [];
  for (const [index, request] of session.requests.entries()) {
    answers.push(await (index === 0 ? open(page, request) : fetchFrom(page, request)));
  }
  await page.context().close();
  return answers;
}

/** @param browser once it was started */
export function chromiumClient(browser: () => Browser): Client {
  return {
    name: 'Chromium',
    version: async () =>
      /\d+(\.\d+)+/.exec((await run(executableOf('chromium'), ['--version'])).output)?.[0] ?? '',
    send: (session) => send(browser(), session),
  };
}
