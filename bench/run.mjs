// `npm run bench`: measures everything, writes it to RESULTS.md and draws the charts of docs/images. `npm run bench -- short`
// is a functional check, `npm run bench -- NAME …` measures some workloads; neither writes a file.
import { existsSync } from 'node:fs';
import os from 'node:os';
import { chooses, readCommandLine } from './measure/options.mjs';
import { stayOn } from './measure/service.mjs';
import { OTHERS } from './others.mjs';
import { drawCharts, RESULTS } from './report/charts.mjs';
import { circumstances } from './report/circumstances.mjs';
import { writeMeasured } from './report/results-file.mjs';
import { table } from './report/table.mjs';
import { measurements } from './workloads/index.mjs';
import { stopDatabases } from './workloads/database.mjs';

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

/** A measurement that fails does not lose the results of the others: its section has the error. */
async function measureOrReport(measurement, options) {
  const failure = (message, text) => ({ text, verdicts: [], error: `${measurement.name}: ${message}` });
  try {
    const { text, verdicts, failed } = await measureOrRepeat(measurement, options);
    if (failed === 0) return { text, verdicts };
    const message = `${failed} responses were unexpected: the figures are invalid.`;
    return failure(message, `${message}\n\n${text}`);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return failure(message, `Not measured: ${message}`);
  }
}

/** Measures one after another. `onSection` receives the sections so far, with that of the targets. */
async function measureAll(chosen, options, onSection) {
  const sections = [];
  const verdicts = [];
  const errors = [];
  const all = () => [...(verdicts.length > 0 ? [`### Targets\n\n${table(verdicts)}`] : []), ...sections];
  for (const measurement of chosen) {
    const { name, title } = measurement;
    const result = await measureOrReport(measurement, options);
    const section = `### ${title}\n\n\`npm run bench -- ${name}\`\n\n${result.text}`;
    console.log(`${section}\n`);
    sections.push(section);
    if (result.error !== undefined) errors.push(result.error);
    if (!options.short) verdicts.push(...result.verdicts);
    onSection(all());
  }
  if (verdicts.length > 0) console.log(`${all()[0]}\n`);
  return errors;
}

/** @throws Error for a word that is not a measurement or a group of them */
function chosenMeasurements(words) {
  if (words.length === 0) return measurements;
  const known = measurements.map(({ name }) => name);
  // A measurement whose name begins that of others is not their group: `digest` is not `digest-redis`.
  const isChosen = (name, word) => (known.includes(word) ? name === word : chooses(word, name));
  const unknown = words.find((word) => !known.some((name) => isChosen(name, word)));
  if (unknown !== undefined) {
    const available = ['short', ...known, ...Object.keys(OTHERS)].join(', ');
    throw new Error(`Measurement "${unknown}" does not exist. Available: ${available}.`);
  }
  return measurements.filter(({ name }) => words.some((word) => isChosen(name, word)));
}

async function main(args) {
  const { names, options } = readCommandLine(args);
  const chosen = chosenMeasurements(names);
  if (!options.short && os.cpus().length > 1) stayOn(1);
  const about = circumstances(options);
  console.log(`${about}\n`);
  const isRecorded = names.length === 0 && !options.short;
  const errors = await measureAll(chosen, options, (sections) => {
    // Written after each measurement: a run that is interrupted keeps what it has measured.
    if (isRecorded) writeMeasured(RESULTS, [about, ...sections].join('\n\n'));
  });
  if (isRecorded) drawCharts();
  if (errors.length > 0) throw new Error(errors.join('\n'));
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
  const { default: start } = await import(OTHERS[first].script);
  await start(rest).catch(fail);
} else {
  await main(process.argv.slice(2)).catch(fail).finally(stopDatabases);
}
