import { endSentence } from '../../../src/framework';

describe('endSentence', () => {
  it('adds a full stop where there is none', () => {
    expect(endSentence('set its URL')).toBe('set its URL.');
  });

  it.each(['Set it.', 'Which one?', 'Stop!', 'not allowed\n  7 | throw'])('leaves %j as it is', (text) => {
    expect(endSentence(text)).toBe(text);
  });
});
