// Reports which suites were skipped because programs are missing, and the command that installs these.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../up-to-date.mjs';

/**
 * @param results output of `jest --json`
 * @param skips written by the specs: a line for each declaration of a missing program
 * @returns the lines to print, and how many tests were skipped without a missing program, which is not allowed
 */
export function skippedSuites(results, skips) {
  const pending = existsSync(results) ? pendingTests(JSON.parse(readFileSync(results, 'utf8'))) : new Map();
  const missing = existsSync(skips) ? missingPrograms(readFileSync(skips, 'utf8')) : new Map();
  const explained = [...pending].filter(([file]) => missing.has(file));
  const others = [...pending].filter(([file]) => !missing.has(file));
  const lines = others.map(
    ([file, count]) =>
      `${file}: ${tests(count)} skipped without a missing program. None may be: remove the skip.`,
  );
  if (explained.length > 0) {
    lines.push('', 'Skipped, because programs are missing:');
    for (const [file, count] of explained)
      lines.push(`  ${file}: ${tests(count)}, without ${[...missing.get(file)].sort().join(', ')}`);
    const all = new Set(explained.flatMap(([file]) => [...missing.get(file)]));
    lines.push(`To run them too, on Debian or Ubuntu: ${installation(all)}`, '');
  }
  return { lines, unexplained: others.reduce((sum, [, count]) => sum + count, 0) };
}

const tests = (count) => (count === 1 ? '1 test' : `${count} tests`);
const shown = (file) => path.relative(root, file).replaceAll(path.sep, '/');

function pendingTests({ testResults }) {
  const counted = testResults.map(({ name, assertionResults }) => [
    shown(name),
    assertionResults.filter(({ status }) => status === 'pending' || status === 'todo').length,
  ]);
  return new Map(counted.filter(([, count]) => count > 0).sort(([one], [other]) => (one < other ? -1 : 1)));
}

function missingPrograms(text) {
  const found = new Map();
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const { testPath, missing } = JSON.parse(line);
    const file = shown(testPath);
    found.set(file, new Set([...(found.get(file) ?? []), ...missing]));
  }
  return found;
}

function installation(programs) {
  const table = JSON.parse(readFileSync(path.join(root, 'spec/programs.json'), 'utf8'));
  const packages = new Set([...programs].map((program) => table[program].package));
  return `apt-get install ${[...packages].sort().join(' ')}`;
}
