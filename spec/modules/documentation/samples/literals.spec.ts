import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import {
  SAMPLE_LANGUAGES,
  type SampleLanguage,
} from '../../../../src/modules/documentation/samples/languages';
import type { SampleCall } from '../../../../src/modules/documentation/samples/sample-call';
import { withPrograms } from '../../../factories/processes/programs';
import { setTestTimeout } from '../../../factories/test-timeout';

setTestTimeout(60);

const callWith = (value: unknown): SampleCall => ({
  method: 'POST',
  path: '/v1/things',
  query: [],
  accept: undefined,
  credentials: undefined,
  body: { type: 'application/json', value },
  answersJson: false,
});

const codeOf = (language: SampleLanguage, value: unknown, origin = 'http://localhost'): string =>
  SAMPLE_LANGUAGES[language]
    .sampleOf(callWith(value), origin)
    .map(({ code }) => code)
    .join('\n');

/** JSON with all kinds of text: quotes, escapes, line ends, template syntax, characters beyond the first plane. */
const texts = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(
    '"""',
    "'",
    '’',
    '\ufeff',
    '\u0085',
    '#{x}',
    '$x',
    '\nJSON',
    "\n'@",
    '\\',
    '\\n',
    '\u2028',
    '${x}',
    '`',
    '{{ 7*7 }}',
    '</script>',
    '\u0000',
    '😀',
  ),
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
      const [, literal = ''] = /data=json\.dumps\(([\s\S]*)\)\.encode\(\)/.exec(codeOf('python', value))!;
      return literal;
    });
    const script = `import json\nprint(json.dumps([${literals.join(',\n')}]))`;
    expect(readBack('python3', script)).toEqual(samples);
  });

  it('is the same value in JavaScript and Python for any JSON', () => {
    const literals = samples.map((value) => {
      const [, literal = ''] = /body: JSON\.stringify\(([\s\S]*)\),\n\}\);/.exec(
        codeOf('javascript', value),
      )!;
      return literal;
    });
    expect(readBack('node', `console.log(JSON.stringify([${literals.join(',\n')}]))`)).toEqual(samples);
  });

  withPython('leaves addresses what they are, whatever quotes are in them', () => {
    const address = `http://localhost/it's/"quoted"/\\`;
    const python = /Request\(\s*(.*),\n/.exec(codeOf('python', {}, address))!;
    const script = `import json\nprint(json.dumps(${python[1]!}))`;
    expect(readBack('python3', script)).toBe(`${address}/v1/things`);
    const fetched = /await fetch\((.*), \{/.exec(codeOf('javascript', {}, address))!;
    expect(readBack('node', `console.log(JSON.stringify(${fetched[1]!}))`)).toBe(`${address}/v1/things`);
  });
});

/** Where a sample has its body and its address, and a script that prints a list of literals as JSON. */
const EVALUATED = {
  php: {
    programs: ['php'],
    command: ['php'],
    body: /CURLOPT_POSTFIELDS => (<<<'JSON'[\s\S]*?\n +JSON),\n/,
    address: /curl_init\(([\s\S]*?)\);\ncurl_setopt/,
    script: (literals: readonly string[]) => `<?php echo json_encode([${literals.join(',\n')}]);`,
  },
  ruby: {
    programs: ['ruby'],
    command: ['ruby', '-Ku'],
    body: /request\.body = (<<~'JSON'[\s\S]*?\nJSON\n)/,
    address: /URI\(([\s\S]*?)\)\nrequest = /,
    script: (literals: readonly string[]) =>
      `require 'json'\nlist = []\n${literals.map((one) => `list << ${one}`).join('\n')}\nputs JSON.dump(list)`,
  },
} as const;

describe.each(['php', 'ruby'] as const)('the literals of a sample for %s', (language) => {
  const { programs, command, body, address, script } = EVALUATED[language];
  const { it: withLanguage } = withPrograms(...programs);
  const run = (literals: readonly string[]): readonly string[] => {
    const options = { input: script(literals), encoding: 'utf8', env: process.env } as const;
    return JSON.parse(execFileSync(command[0], command.slice(1), options)) as readonly string[];
  };

  withLanguage('mean the same JSON, whatever is in it', () => {
    const samples = fc.sample(bodies, 200).map((value): unknown => JSON.parse(JSON.stringify(value)));
    const literals = samples.map((value) => body.exec(codeOf(language, value))![1]!);
    expect(run(literals).map((text): unknown => JSON.parse(text))).toEqual(samples);
  });

  withLanguage('leave addresses what they are', () => {
    const origins = fc.sample(texts, 200).map((text) => `http://localhost/${text.replace(/\p{Cs}/gu, '')}`);
    const literals = origins.map((origin) => address.exec(codeOf(language, {}, origin))![1]!);
    expect(run(literals)).toEqual(origins.map((origin) => `${origin}/v1/things`));
  });
});

describe('the literals of a sample for Java', () => {
  const { it: withJava } = withPrograms('java');

  withJava('mean the same, whatever is in them', () => {
    const values = fc.sample(bodies, 100).map((value): unknown => JSON.parse(JSON.stringify(value)));
    const origins = fc.sample(texts, 100);
    const blocks = values.map(
      (value) => /ofString\(([\s\S]*)\)\)\n {12}\.build/.exec(codeOf('java', value))![1]!,
    );
    const addresses = origins.map(
      (origin) => /URI\.create\(([\s\S]*?)\)\)\n {12}/.exec(codeOf('java', {}, origin))![1]!,
    );
    const script = `public class Main {
      static void show(String text) {
        var line = new StringBuilder();
        for (var unit : text.toCharArray()) line.append(String.format("%04x", (int) unit));
        System.out.println(line);
      }
      public static void main(String[] args) {
        ${[...blocks, ...addresses].map((one) => `show(${one});`).join('\n')}
      }
    }`;
    const folder = mkdtempSync(path.join(tmpdir(), 'literals-'));
    const file = path.join(folder, 'Main.java');
    writeFileSync(file, script);
    const options = { encoding: 'utf8', env: process.env } as const;
    const lines = execFileSync('java', ['-Dfile.encoding=UTF-8', file], options).split('\n');
    rmSync(folder, { recursive: true });
    const found = lines
      .slice(0, -1)
      .map((line) =>
        String.fromCharCode(...(line.match(/.{4}/g) ?? []).map((unit) => Number.parseInt(unit, 16))),
      );
    expect(found.slice(0, 100).map((text): unknown => JSON.parse(text))).toEqual(values);
    expect(found.slice(100)).toEqual(origins.map((origin) => `${origin}/v1/things`));
  });
});
