import ts from 'typescript';
import { ROOT } from './repository';

/** Files that do not change, by name and format: parsing them takes longer than resolving their names. */
const parsed = new Map<string, ts.SourceFile | undefined>();

/**
 * The host of a program that is compiled in the process of the suite. The files of packages and of the language are parsed
 * once for all programs, and comments as `tsc` does: by default, the API parses each as JSDoc.
 */
export function compilerHost(options: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  host.jsDocParsingMode = ts.JSDocParsingMode.ParseForTypeErrors;
  const parse = host.getSourceFile.bind(host);
  host.getSourceFile = (file, how, ...more) => {
    if (!file.startsWith(ROOT)) return parse(file, how, ...more);
    const key = `${file} ${typeof how === 'object' ? how.impliedNodeFormat : ''}`;
    if (!parsed.has(key)) parsed.set(key, parse(file, how, ...more));
    return parsed.get(key);
  };
  return host;
}
