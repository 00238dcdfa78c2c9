// Two clients increment one counter: each reads it, and writes the next value if it has not changed.
import { send } from './project.mjs';

/** @returns {Promise<{ refused: number, problems: string[] }>} the increments that were refused, and what is wrong */
export async function race(origin, service, id, increments) {
  const path = `/${service}/${id}`;
  const problems = [];
  let [done, refused] = [0, 0];
  const client = async () => {
    while (done < increments && problems.length === 0) {
      const read = await send(origin, 'GET', path);
      if (done >= increments) return;
      // Claimed before it is written: together, the clients write no more than that.
      done++;
      const written = await send(
        origin,
        'PATCH',
        path,
        { value: read.body.value + 1 },
        { 'if-match': read.tag },
      );
      if (written.status === 200) continue;
      done--;
      if (written.status === 412) refused++;
      else problems.push(`PATCH ${path}: ${written.status} ${JSON.stringify(written.body)}`);
    }
  };
  await Promise.all([client(), client()]);
  const { body } = await send(origin, 'GET', path);
  if (body.value !== done) problems.push(`${path} is ${body.value} after ${done} increments`);
  if (refused === 0) problems.push(`${path}: the clients did not race`);
  return { refused, problems };
}
