import { growthOf } from '../../../factories/measure/cpu-time';
import { compileShape, isHidden, shapeCompiler } from '../../../../src/modules/content-validation';

const branch = (at: number) => ({
  type: 'object',
  properties: {
    id: { type: 'integer', readOnly: true },
    [`m${at}`]: { type: 'object', properties: { pin: { type: 'string', writeOnly: true } } },
    child: { $ref: '#/$defs/Node' },
  },
});
const unionOf = (size: number) => {
  const $defs = { Node: { anyOf: Array.from({ length: size }, (_, at) => branch(at)) } };
  return { $ref: '#/$defs/Node', $defs };
};

describe('What a schema declares', () => {
  it('is compiled in time proportional to the branches of a recursive union', () => {
    // Eight times as many branches took sixty times as long, where each was compared with all others.
    expect(growthOf((size) => compileShape(unionOf(size), false), 50, 400)).toBeLessThan(40);
    const ofRequests = (size: number) => {
      const union = unionOf(size);
      return shapeCompiler(union, true, 'readOnly')(union);
    };
    expect(growthOf(ofRequests, 50, 400)).toBeLessThan(40);
  });

  it('has members of all branches, and what other members of a branch have', () => {
    const shape = compileShape(
      {
        anyOf: [
          { properties: { a: { properties: { x: {} } } }, additionalProperties: false },
          { properties: { b: {} }, additionalProperties: { properties: { y: {} } } },
          { patternProperties: { '^a': { properties: { z: {} } } } },
        ],
      },
      false,
    );
    if (shape === 'any') throw new Error('It has no restrictions.');
    expect([...shape.members.keys()]).toEqual(['a', 'b']);
    const a = shape.members.get('a');
    expect(a === 'any' ? [] : [...(a?.members.keys() ?? [])]).toEqual(['x', 'y', 'z']);
    expect(shape.members.get('b')).toBe('any');
  });

  it('hides what no branch of a union shows', () => {
    const hidden = { properties: { id: { readOnly: true }, no: { readOnly: true } } };
    const shown = { properties: { id: {} } };
    const union = { oneOf: [hidden, shown] };
    const shape = shapeCompiler(union, true, 'readOnly')(union);
    if (shape === 'any') throw new Error('It hides nothing.');
    expect([isHidden('id', shape), isHidden('no', shape)]).toEqual([false, true]);
  });
});
