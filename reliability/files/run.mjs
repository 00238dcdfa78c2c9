// Four processes write the same file concurrently, over stale locks, while some are killed or stopped. No acknowledged
// write may be missing. Prints a summary; exits with 1 if a write was lost, or failed for another reason than a file or lock.
//
// node reliability/files/run.mjs [ROUNDS]
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { kinds, WrittenFile } from './written-file.mjs';
import { playCommands, playRound } from './rounds.mjs';
import { Team } from './team.mjs';

const PROCESSES = 4;
/** Rounds before a new file is started. */
const ROUNDS_PER_FILE = 12;
/** Rounds between two rounds of commands; there is one more at the end. */
const COMMANDS_EVERY = 250;

function parseRounds(word = '10000') {
  const rounds = Number(word);
  if (Number.isSafeInteger(rounds) && rounds > 0) return rounds;
  process.stderr.write(`"${word}" is not a number of rounds. Usage: npm run reliability -- files [ROUNDS]\n`);
  process.exit(2);
}

const rounds = parseRounds(process.argv[2]);
const folder = mkdtempSync(path.join(tmpdir(), 'reliability-'));
const counts = {
  acknowledged: 0,
  planted: 0,
  left: 0,
  killed: 0,
  stopped: 0,
  aged: 0,
  commands: 0,
  refused: {},
  lost: [],
};

const report = (played, seconds) =>
  [
    `${played} rounds of ${PROCESSES} processes in ${Math.round(seconds)} s: ` +
      `${counts.acknowledged} writes acknowledged, ${counts.commands} of them by commands`,
    `stale locks: ${counts.planted} planted, ${counts.left} left by killed processes`,
    `processes: ${counts.killed} killed, ${counts.stopped} stopped; locks aged ${counts.aged} times`,
    `rejected writes: ${JSON.stringify(counts.refused)}`,
    `acknowledged writes lost: ${counts.lost.length}`,
  ].join('\n');

/** Returns the file of a round; the three kinds alternate. */
function fileOf(round, files) {
  const kind = kinds[round % kinds.length];
  const root = path.join(folder, String(Math.floor(round / (ROUNDS_PER_FILE * kinds.length))));
  const key = `${root} ${kind}`;
  if (!files.has(key)) {
    if (files.size >= kinds.length) forget(files, kind);
    files.set(key, new WrittenFile(root, kind));
  }
  return files.get(key);
}

function forget(files, kind) {
  for (const [key, { file, kind: other }] of files) {
    if (other !== kind) continue;
    files.delete(key);
    rmSync(file, { force: true });
  }
}

const team = new Team(PROCESSES);
const files = new Map();
const begin = performance.now();
const elapsed = () => (performance.now() - begin) / 1000;
let played = 0;
try {
  for (let next = begin + 60_000; played < rounds && counts.lost.length === 0; played++) {
    await playRound(played, fileOf(played, files), team, counts);
    if ((played + 1) % COMMANDS_EVERY === 0 || played + 1 === rounds) {
      for (const kind of ['htpasswd', 'htdigest']) {
        const written = new WrittenFile(path.join(folder, `commands-${played}`), kind);
        // Commands create a file only with -c.
        writeFileSync(written.file, '');
        await playCommands(played, written, counts);
      }
    }
    if (performance.now() < next) continue;
    next += 60_000;
    process.stdout.write(`${played + 1} of ${rounds} rounds, nothing lost yet\n`);
  }
} finally {
  team.dismiss();
}
process.stdout.write(`${report(played, elapsed())}\n`);
// Errors of files and locks have a code, others a message.
if (Object.keys(counts.refused).some((reason) => !/^E[A-Z]+$/.test(reason))) process.exitCode = 1;
if (counts.lost.length > 0) {
  process.stdout.write(`${counts.lost.slice(0, 20).join('\n')}\nSee ${folder}\n`);
  process.exitCode = 1;
} else {
  rmSync(folder, { recursive: true, force: true });
}
