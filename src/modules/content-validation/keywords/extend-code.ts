import type { KeywordCxt } from 'ajv';
import type { Ajv2020 } from 'ajv/dist/2020';

/**
 * Replaces the code of a keyword in an instance, which has its own copies of the definitions.
 * @throws TypeError if Ajv defines no code for it, as another version may: schemas would accept what the code refuses
 */
export function extendCode(
  ajv: Ajv2020,
  keyword: string,
  write: (context: KeywordCxt, code: (context: KeywordCxt) => void) => void,
): void {
  const known = ajv.getKeyword(keyword);
  if (typeof known !== 'object' || !('code' in known))
    throw new TypeError(
      `Ajv defines no code for the keyword ${keyword}. Install the version in package.json.`,
    );
  const { code } = known;
  known.code = (context) => {
    write(context, code);
  };
}
