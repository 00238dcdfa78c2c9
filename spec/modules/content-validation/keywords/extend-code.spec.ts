import { Ajv2020 } from 'ajv/dist/2020';
import { extendCode } from '../../../../src/modules/content-validation/keywords/extend-code';

describe('extendCode', () => {
  const extend = (ajv: Ajv2020): void => {
    extendCode(ajv, 'not', (context, code) => {
      code(context);
    });
  };

  it('refuses a keyword that Ajv does not define, or not by code', () => {
    const message = 'Ajv defines no code for the keyword not. Install the version in package.json.';
    const ajv = new Ajv2020();
    ajv.removeKeyword('not');
    expect(() => {
      extend(ajv);
    }).toThrow(message);
    ajv.addKeyword({ keyword: 'not', macro: () => ({}) });
    expect(() => {
      extend(ajv);
    }).toThrow(message);
  });

  it('changes one instance only', () => {
    const ajv = new Ajv2020();
    extendCode(ajv, 'not', ({ gen }) => {
      gen.return(true);
    });
    expect(ajv.validate({ not: {} }, 1)).toBe(true);
    expect(new Ajv2020().validate({ not: {} }, 1)).toBe(false);
  });
});
