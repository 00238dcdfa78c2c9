// `npm run reliability [-- NAME [AMOUNT]]`: builds, and runs all reliability tests, or one. Each prints what it measured;
// the last lines say which failed.
import { TESTS } from '../reliability/tests.mjs';
import { fail, run, StepError } from './run.mjs';
import { setUp } from './setup.mjs';

const [name, ...amount] = process.argv.slice(2);
if (name !== undefined && TESTS[name] === undefined) {
  console.error(
    `"${name}" is not a reliability test. Available: ${Object.keys(TESTS).join(', ')}. Usage: npm run reliability -- [NAME [AMOUNT]]`,
  );
  process.exit(2);
}

async function runAll() {
  await setUp();
  const results = [];
  for (const one of name === undefined ? Object.keys(TESTS) : [name]) {
    console.log(`\n== ${one}`);
    const begin = performance.now();
    const passed = await run(process.execPath, [`reliability/${TESTS[one]}`, ...amount]).then(
      () => true,
      (error) => {
        if (error instanceof StepError) return false;
        throw error;
      },
    );
    results.push({ one, passed, seconds: Math.round((performance.now() - begin) / 1000) });
  }
  console.log('');
  for (const { one, passed, seconds } of results)
    console.log(`${one}: ${passed ? 'passed' : 'FAILED'} after ${seconds} s`);
  if (results.some(({ passed }) => !passed)) process.exitCode = 1;
}

await runAll().catch(fail);
