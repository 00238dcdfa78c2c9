// `npm run bench`: measures everything, and writes it to RESULTS.md. `npm run bench -- short` is a functional check,
// `npm run bench -- NAME …` measures some workloads; neither writes a file.
import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { FULL, SHORT } from './measure/options.mjs';
import { stayOn } from './measure/service.mjs';
import { circumstances } from './report/circumstances.mjs';
import { writeMeasured } from './report/results-file.mjs';
import { table } from './report/table.mjs';
import { measurements } from './workloads/index.mjs';
import { stopDatabases } from './workloads/database.mjs';

/** Measurements besides the workloads, each a separate script. */
const OTHERS = { attack: './attack.mjs', claims: './claims.mjs', micro: './micro/run.mjs' };

/** With CI=true, a functional check that fails is repeated once: the machine may be busy. */
async function measureOrRepeat({ name, measure }, options) {
  const repeats = options.short && process.env.CI === 'true';
  try {
    const result = await measure(options);
    if (result.failed === 0 || !repeats) return result;
    console.log(`${name}: ${result.failed} unexpected responses; repeating it.`);
  } catch (error) {
    if (!repeats) throw error;
    console.log(`${error instanceof Error ? error.message : error}\n${name}: repeating it.`);
  }
  return measure(options);
}

async function measureAll(chosen, options) {
  const sections = [];
  const verdicts = [];
  let failed = 0;
  for (const { name, title, measure } of chosen) {
    const result = await measureOrRepeat({ name, measure }, options);
    const section = `### ${title}\n\n\`npm run bench -- ${name}\`\n\n${result.text}`;
    console.log(`${section}\n`);
    sections.push(section);
    verdicts.push(...result.verdicts);
    failed += result.failed;
  }
  if (verdicts.length > 0 && !options.short) sections.unshift(`### Targets\n\n${table(verdicts)}`);
  return { sections, failed };
}

async function main(words) {
  const options = words.includes('short') ? SHORT : FULL;
  const names = words.filter((word) => word !== 'short');
  const unknown = names.find((word) => !measurements.some(({ name }) => name === word));
  if (unknown !== undefined) {
    const known = ['short', ...measurements.map(({ name }) => name), ...Object.keys(OTHERS)];
    throw new Error(`Measurement "${unknown}" does not exist. Available: ${known.join(', ')}.`);
  }
  if (!options.short && os.cpus().length > 1) stayOn(1);
  const about = circumstances(options);
  console.log(`${about}\n`);
  const chosen = measurements.filter(({ name }) => names.length === 0 || names.includes(name));
  const { sections, failed } = await measureAll(chosen, options);
  if (sections[0]?.startsWith('### Targets')) console.log(`${sections[0]}\n`);
  if (failed > 0) throw new Error(`${failed} responses were unexpected: the figures are invalid.`);
  if (names.length > 0 || options.short) return;
  const file = path.join(import.meta.dirname, 'RESULTS.md');
  writeMeasured(file, [about, ...sections].join('\n\n'));
  console.log(`Wrote ${file}.`);
}

function fail(error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

// Servers end with this process, however it exits.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

const [first, ...rest] = process.argv.slice(2);
if (!existsSync('/proc/self/stat')) {
  console.error('Measuring needs Linux: processor time and memory are read from /proc.');
  process.exitCode = 1;
} else if (first !== undefined && Object.hasOwn(OTHERS, first)) {
  const { default: start } = await import(OTHERS[first]);
  await start(rest).catch(fail);
} else {
  await main(process.argv.slice(2)).catch(fail).finally(stopDatabases);
}
