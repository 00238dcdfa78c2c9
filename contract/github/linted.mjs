// The linter findings by rule, of the export and of the original.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { FASTEST, problemsOf } from '../lint.mjs';

const KNOWN = path.join(import.meta.dirname, 'original.json');

/** An example may be in a schema, next to it, or in a parameter: each linter has a rule for each location. */
const WRONG_EXAMPLE = /^(no-invalid|oas3-valid)-(schema|media-type|media|parameter)-examples?$/;

/** Up to the example; how many lines a linter prints for an invalid one depends on the version of OpenAPI. */
const IN_EXAMPLE = /^(.*\/(?:example|examples\/[^/]+|default))(?:\/.*)?$/;

/** The findings of the export: in CI, which has 25 minutes for everything, by one of the linters. */
export function countsOfExport(file) {
  return countsOf(file, process.env.CI === 'true' ? [FASTEST] : undefined);
}

/** Findings by tool and rule; an invalid example counts once. */
async function countsOf(file, linters) {
  const counts = {};
  const examples = new Set();
  for (const { tool, problems } of await problemsOf([{ scope: '', file }], linters)) {
    for (const problem of problems) {
      const name = problem.slice(0, problem.indexOf(':'));
      const isExample = WRONG_EXAMPLE.test(name);
      const place = problem.slice(problem.lastIndexOf(' at ') + 4);
      const example = `${tool} ${IN_EXAMPLE.exec(place)?.[1] ?? place}`;
      if (isExample && examples.has(example)) continue;
      if (isExample) examples.add(example);
      const rule = `${tool} ${isExample ? 'wrong examples' : name}`;
      counts[rule] = (counts[rule] ?? 0) + 1;
    }
  }
  return counts;
}

/**
 * The counts of the original, which are always the same: stored next to this file, as computing them takes minutes.
 * They are computed again when the description or a linter changes.
 */
export async function countsOfOriginal(name, document, folder) {
  const { dependencies } = JSON.parse(
    readFileSync(path.join(import.meta.dirname, '..', 'package.json'), 'utf8'),
  );
  const tools = ['@redocly/cli', '@stoplight/spectral-cli'].map((tool) => `${tool}@${dependencies[tool]}`);
  const of = [name, ...tools].join(', ');
  const known = existsSync(KNOWN) ? JSON.parse(readFileSync(KNOWN, 'utf8')) : {};
  if (known.of === of) return known.counts;
  const file = path.join(folder, 'original.json');
  writeFileSync(file, JSON.stringify(writtenOut(document)));
  const counts = await countsOf(file);
  const sorted = Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(KNOWN, `${JSON.stringify({ of, counts: sorted }, null, 2)}\n`);
  return sorted;
}

const WRITTEN_OUT = /^#\/components\/(examples|parameters|responses|headers)\/([^/]+)$/;

/** With everything but schemas inlined, as the platform writes it: a finding counts once per use. */
function writtenOut(whole) {
  const document = { ...whole, 'x-webhooks': undefined };
  const write = (value) => {
    if (Array.isArray(value)) return value.map(write);
    if (typeof value !== 'object' || value === null) return value;
    const [, kind, name] = WRITTEN_OUT.exec(value.$ref) ?? [];
    if (kind !== undefined) return write(document.components[kind][name]);
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, write(member)]));
  };
  return { ...write(document), components: { schemas: write(document.components.schemas) } };
}

/** Rules with more findings than before, one line each. */
export function worse(before, after) {
  return Object.entries(after)
    .filter(([rule, count]) => count > (before[rule] ?? 0))
    .map(([rule, count]) => `${rule}: ${count} times, in the original ${before[rule] ?? 0} times`);
}
