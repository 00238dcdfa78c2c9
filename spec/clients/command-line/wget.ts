import { run } from '../../factories/processes/processes';
import { isSuccess, type Client, type ClientAnswer, type ClientRequest, type Session } from '../client';

/** wget sends a body with every request of a run or with none, so a session takes several runs. */
async function send(session: Session): Promise<readonly ClientAnswer[]> {
  const answers: ClientAnswer[] = [];
  for (const request of session.requests) {
    const answer = await sendOne(session, request);
    answers.push(answer);
    if (!isSuccess(answer)) break;
  }
  return answers;
}

async function sendOne({ username, password }: Session, request: ClientRequest): Promise<ClientAnswer> {
  const { output } = await run('wget', [
    '--no-config',
    '--no-proxy',
    '--tries=1',
    '--no-verbose',
    '--server-response',
    '--content-on-error',
    `--user=${username}`,
    `--password=${password}`,
    ...(request.body === undefined
      ? []
      : ['--header=Content-Type: application/json', `--post-data=${request.body}`]),
    '--output-document=-',
    request.url,
  ]);
  const status = [...output.matchAll(/^ {2}HTTP\/1\.1 (\d{3})/gm)].at(-1)?.[1];
  return { status: Number(status ?? 0), body: output };
}

export const wget: Client = {
  name: 'wget',
  version: async () => /\d+(\.\d+)+/.exec((await run('wget', ['--version'])).output)?.[0] ?? '',
  send,
};
