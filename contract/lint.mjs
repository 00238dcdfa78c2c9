// Two independent linters read every document.
import path from 'node:path';
import { check } from './findings.mjs';
import { tool } from './tool.mjs';

/** @param {{ scope: string, file: string }[]} documents */
export async function lint(documents) {
  for (const { tool: name, scope, problems } of await problemsOf(documents)) {
    check(`${name}: ${scope === '' ? 'the list' : scope.slice(1)}`, problems);
  }
}

/** The linters by name. Spectral takes seven times as long as the other. */
const LINTERS = { '@redocly/cli lint': redocly, 'Spectral oas': spectral };

/** The name of the linter that also reads very large documents in CI. */
export const FASTEST = '@redocly/cli lint';

/** The findings of each linter for each document. */
export async function problemsOf(documents, names = Object.keys(LINTERS)) {
  const answers = names.map(async (name) => {
    const all = await LINTERS[name](documents);
    return documents.map(({ scope, file }) => ({
      tool: name,
      scope,
      problems: all.filter((one) => samePath(one.file, file)).map(({ text }) => text),
    }));
  });
  return (await Promise.all(answers)).flat();
}

async function redocly(documents) {
  const { output, errors } = await tool('@redocly/cli/bin/cli.js', [
    'lint',
    '--format=json',
    '--max-problems=100000',
    '--config=redocly.yaml',
    ...documents.map(({ file }) => file),
  ]);
  // One object per document, concatenated.
  const answers = parse('@redocly/cli', `[${output.replaceAll('\n}{\n', '\n},{\n')}]`, errors);
  return answers
    .flatMap(({ problems }) => problems)
    .map(({ ruleId, message, location: [{ source, pointer }] }) => ({
      file: source.ref,
      text: `${ruleId}: ${message} at ${pointer}`,
    }));
}

async function spectral(documents) {
  const { output, errors } = await tool('@stoplight/spectral-cli/dist/index.js', [
    'lint',
    '--format=json',
    '--quiet',
    '--ruleset=spectral.yaml',
    '--fail-severity=hint',
    ...documents.map(({ file }) => file),
  ]);
  return parse('@stoplight/spectral-cli', output, errors).map(({ code, message, path: at, source }) => ({
    file: source,
    text: `${code}: ${message} at ${at.join('/')}`,
  }));
}

const samePath = (one, other) => path.resolve(import.meta.dirname, one) === other;

function parse(name, output, errors) {
  try {
    return JSON.parse(output);
  } catch {
    throw new Error(`${name} printed no JSON:\n${output}${errors}`);
  }
}
