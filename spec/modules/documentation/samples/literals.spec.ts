import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { fetchSample } from '../../../../src/modules/documentation/samples/fetch';
import { pythonSample } from '../../../../src/modules/documentation/samples/python';
import type { SampleCall } from '../../../../src/modules/documentation/samples/sample-call';
import { withPrograms } from '../../../factories/programs';

const callWith = (value: unknown): SampleCall => ({
  method: 'POST',
  path: '/v1/things',
  query: [],
  accept: undefined,
  credentials: undefined,
  body: { type: 'application/json', value },
  answersJson: false,
});

/** JSON with all kinds of text: quotes, escapes, line ends, template syntax, characters beyond the first plane. */
const texts = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('"""', "'", '\\', '\\n', '\u2028', '${x}', '`', '{{ 7*7 }}', '</script>', '\u0000', '😀'),
);
const bodies = fc
  .jsonValue({ stringUnit: 'grapheme' })
  .chain((value) => fc.record({ value: fc.constant(value), texts: fc.array(texts) }));

/** Evaluates many bodies with the language itself, in one run. */
function readBack(command: string, script: string): unknown {
  return JSON.parse(execFileSync(command, ['-'], { input: script, encoding: 'utf8', env: process.env }));
}

describe('the body of a sample', () => {
  const { it: withPython } = withPrograms('python3');
  const odd = JSON.parse('{ "__proto__": { "__proto__": 1 }, "b": "\\n\\"__proto__\\":" }') as unknown;
  const samples = [odd, ...fc.sample(bodies, 200)].map((value): unknown => JSON.parse(JSON.stringify(value)));

  withPython('means the same to Python, whatever is in it', () => {
    const literals = samples.map((value) => {
      const [, literal = ''] = /data=json\.dumps\(([\s\S]*)\)\.encode\(\)/.exec(
        pythonSample(callWith(value), 'http://localhost'),
      )!;
      return literal;
    });
    const script = `import json\nprint(json.dumps([${literals.join(',\n')}]))`;
    expect(readBack('python3', script)).toEqual(samples);
  });

  it('is the same value in JavaScript and Python for any JSON', () => {
    const literals = samples.map((value) => {
      const [, literal = ''] = /body: JSON\.stringify\(([\s\S]*)\),\n\}\);/.exec(
        fetchSample(callWith(value), 'http://localhost'),
      )!;
      return literal;
    });
    expect(readBack('node', `console.log(JSON.stringify([${literals.join(',\n')}]))`)).toEqual(samples);
  });

  withPython('leaves addresses what they are, whatever quotes are in them', () => {
    const address = `http://localhost/it's/"quoted"/\\`;
    const python = /Request\(\s*(.*),\n/.exec(pythonSample(callWith({}), address.replace('/v1/things', '')))!;
    const script = `import json\nprint(json.dumps(${python[1]!}))`;
    expect(readBack('python3', script)).toBe(`${address}/v1/things`);
    const fetched = /await fetch\((.*), \{/.exec(fetchSample(callWith({}), address))!;
    expect(readBack('node', `console.log(JSON.stringify(${fetched[1]!}))`)).toBe(`${address}/v1/things`);
  });
});
