import { Problem, type Request } from '../../../../src/framework';
import {
  WritePrecondition,
  type CurrentState,
} from '../../../../src/modules/hosting/conditional/precondition';

const fieldsOf = (fields: Readonly<Record<string, string>>): WritePrecondition =>
  new WritePrecondition({ header: (name: string) => fields[name] } as unknown as Request, 'Lamp');

/** `holds`, or the code of the problem. */
function outcome(name: string, field: string, state: CurrentState): string | undefined {
  try {
    fieldsOf({ [name]: field }).assertState(state);
    return 'holds';
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return error.code;
  }
}

const strong: CurrentState = { exists: true, tag: { revision: '2', weak: false, variant: 'v1' } };
const weak: CurrentState = { exists: true, tag: { revision: '2', weak: true, variant: '' } };
const untagged: CurrentState = { exists: true, tag: undefined };
const missing: CurrentState = { exists: false, tag: undefined };

describe('the precondition of a change (RFC 9110, 13.1)', () => {
  it.each([
    ['"2"', strong, 'holds'],
    ['"1", "2"', strong, 'holds'],
    ['"2;v7", "1"', strong, 'holds'],
    ['"1", "3"', strong, 'changed_meanwhile'],
    ['"1", W/"2"', strong, 'changed_meanwhile'],
    ['"2"', weak, 'changed_meanwhile'],
    ['"2"', untagged, 'precondition_failed'],
    ['"2"', missing, 'precondition_failed'],
    ['*', strong, 'holds'],
    ['*', untagged, 'holds'],
    ['*', missing, 'precondition_failed'],
    ['2', strong, 'bad_request'],
  ])('If-Match: %s compares strongly, with any of its tags', (field, state, expected) => {
    expect(outcome('if-match', field, state)).toBe(expected);
  });

  it.each([
    ['"2"', strong, 'precondition_failed'],
    ['"1", "2"', strong, 'precondition_failed'],
    ['"1", W/"2"', strong, 'precondition_failed'],
    ['"2"', weak, 'precondition_failed'],
    ['"1", "3"', strong, 'holds'],
    ['"2"', untagged, 'holds'],
    ['"2"', missing, 'holds'],
    ['*', untagged, 'precondition_failed'],
    ['*', missing, 'holds'],
    ['2', missing, 'bad_request'],
  ])('If-None-Match: %s compares weakly, with all of its tags', (field, state, expected) => {
    expect(outcome('if-none-match', field, state)).toBe(expected);
  });

  it('names the revisions of its fields, without weak ones that never match', () => {
    const { ifMatch, ifNoneMatch } = fieldsOf({ 'if-match': '"1", W/"2"', 'if-none-match': '"3", W/"4"' });
    expect([ifMatch, ifNoneMatch]).toEqual([['1'], ['3', '4']]);
    const any = fieldsOf({ 'if-match': '*', 'if-none-match': '*' });
    expect([any.ifMatch, any.ifNoneMatch]).toEqual(['*', '*']);
    expect([fieldsOf({}).ifMatch, fieldsOf({}).ifNoneMatch]).toEqual([undefined, undefined]);
  });

  it('says which one failed', () => {
    const detailOf = (name: string, state: CurrentState): unknown => {
      try {
        fieldsOf({ [name]: '"2"' }).assertState(state);
        return undefined;
      } catch (error) {
        return error instanceof Problem ? error.detail : error;
      }
    };
    expect(detailOf('if-match', missing)).toContain('Lamp does not exist');
    expect(detailOf('if-match', untagged)).toContain('Lamp has no entity tag');
    expect(detailOf('if-none-match', strong)).toContain('Lamp already exists in a state');
  });
});
