import { run } from '../../factories/processes/processes';
import type { Client, ClientAnswer, ClientRequest, Session } from '../client';

/** What curl writes after a response: its status, and the number of connections opened for it. */
const END = '\n--%{http_code} %{num_connects}--\n';
const ENDED = /\n--(\d+) (\d+)--\n/;

export interface CurlAnswer extends ClientAnswer {
  /** The number of connections that curl opened for it. */
  readonly connections: number;
}

/** Sends the requests of a session in one run of curl, which keeps the connection open. */
export async function curl(session: Session): Promise<readonly CurlAnswer[]> {
  const { challenge, username, password, requests } = session;
  const options = [
    '--silent',
    ...['--noproxy', '*'],
    challenge === 'Basic' ? '--basic' : '--digest',
    ...['--user', `${username}:${password}`],
    ...['--write-out', END],
  ];
  const args = requests.flatMap((request) => ['--next', ...options, ...bodyOptions(request), request.url]);
  const pieces = (await run('curl', args.slice(1))).output.split(ENDED);
  return requests.map((_, index) => {
    const [body = '', status, connections] = pieces.slice(index * 3);
    return { status: Number(status), body, connections: Number(connections) };
  });
}

function bodyOptions({ body }: ClientRequest): readonly string[] {
  return body === undefined ? [] : ['--header', 'Content-Type: application/json', '--data', body];
}

export const curlClient: Client = {
  name: 'curl',
  version: async () => (await run('curl', ['--version'])).output.split(' ')[1] ?? '',
  send: curl,
};
