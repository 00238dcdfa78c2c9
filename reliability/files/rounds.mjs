// Rounds in which processes write the same file concurrently, while some are killed or stopped.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { ageLock, kindsOfStaleLocks, plantStaleLock } from './stale-locks.mjs';

/** Edits per process and round. */
const EDITS = 2;

const pick = (list) => list[Math.floor(Math.random() * list.length)];

/** Plays a round: plants a stale lock, lets all processes edit, may kill or stop some, and checks the file. */
export async function playRound(number, written, team, counts) {
  if (plantStaleLock(written.file, kindsOfStaleLocks[number % kindsOfStaleLocks.length])) counts.planted++;
  else counts.left++;
  const members = await team.gather();
  const settled = members.map((member, index) =>
    member.begin(
      Array.from({ length: EDITS }, (_, edit) => ({
        kind: written.kind,
        file: written.file,
        root: written.root,
        name: `r${number}-w${index}-e${edit}`,
      })),
    ),
  );
  const disturbance = number % 10 === 0 ? 'stop' : Math.random() < 0.15 ? 'kill' : 'none';
  if (disturbance === 'stop') await stopOne(members, settled, written.file, counts);
  if (disturbance === 'kill') {
    await delay(Math.random() * 40);
    pick(members).signal('SIGKILL');
    counts.killed++;
  }
  await Promise.all(settled);
  const done = members.flatMap((member) => member.done);
  for (const name of done) written.acknowledged.add(name);
  counts.acknowledged += done.length;
  for (const { code } of members.flatMap((member) => member.refused))
    counts.refused[code] = (counts.refused[code] ?? 0) + 1;
  // A process whose lock was broken may lose its revision, but never its edit.
  if (disturbance !== 'stop')
    counts.lost.push(...written.withoutRevision(done).map((name) => `revision ${name}`));
  counts.lost.push(...written.lost());
}

/** Stops a process while it writes, ages its lock so that others break it, and resumes the process. */
async function stopOne(members, settled, file, counts) {
  await delay(Math.random() * 15);
  const stopped = pick(members);
  stopped.signal('SIGSTOP');
  counts.stopped++;
  const others = Promise.all(settled.filter((_, index) => members[index] !== stopped)).then(() => 'done');
  // The lock may belong to another process, whose lock is broken while it works.
  while ((await Promise.race([others, delay(3)])) !== 'done') if (ageLock(file)) counts.aged++;
  stopped.signal('SIGCONT');
}

/** Plays a round of the commands `htpasswd` or `htdigest`, one of which is killed. */
export async function playCommands(number, written, counts) {
  if (plantStaleLock(written.file, kindsOfStaleLocks[number % kindsOfStaleLocks.length])) counts.planted++;
  else counts.left++;
  const names = [0, 1, 2, 3].map((index) => `r${number}-c${index}`);
  const commands = names.map((name) => runCommand(written, name));
  await delay(Math.random() * 1500);
  if (pick(commands).kill()) counts.killed++;
  const codes = await Promise.all(commands.map(({ ended }) => ended));
  const done = names.filter((_, index) => codes[index] === 0);
  for (const name of done) written.acknowledged.add(name);
  counts.acknowledged += done.length;
  counts.commands += names.length;
  for (const code of codes)
    if (code !== 0 && code !== null)
      counts.refused[`exit ${code}`] = (counts.refused[`exit ${code}`] ?? 0) + 1;
  const text = readFileSync(written.file, 'utf8');
  counts.lost.push(...[...written.acknowledged].filter((name) => !text.includes(`${name}:`)));
}

function runCommand({ kind, file }, name) {
  const cli = new URL('../../dist/cli.js', import.meta.url).pathname;
  const args = kind === 'htpasswd' ? ['htpasswd', '-C', '4', file, name] : ['htdigest', file, 'people', name];
  const child = spawn(process.execPath, [cli, ...args], { stdio: ['pipe', 'ignore', 'inherit'] });
  child.stdin.on('error', () => undefined);
  child.stdin.end('password\n');
  return {
    kill: () => child.kill('SIGKILL'),
    ended: new Promise((resolve) => child.on('close', resolve)),
  };
}
