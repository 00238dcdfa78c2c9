import type { KeywordCxt } from 'ajv';
import type { Ajv2020 } from 'ajv/dist/2020';

/** Replaces the code of a keyword in an instance, which has its own copies of the definitions. */
export function extendCode(
  ajv: Ajv2020,
  keyword: string,
  write: (context: KeywordCxt, code: (context: KeywordCxt) => void) => void,
): void {
  const known = ajv.getKeyword(keyword);
  if (typeof known !== 'object' || !('code' in known)) return;
  const { code } = known;
  known.code = (context) => {
    write(context, code);
  };
}
