import { isValidCsrfToken, Sessions } from '../../../../src/modules/admin/sessions/sessions';

const LIMITS = { idle: 60, absolute: 600 };

function sessionsAt(limit = 1000): { readonly sessions: Sessions; readonly wait: (seconds: number) => void } {
  let now = 1_000_000;
  return {
    sessions: new Sessions({ clock: () => now, limit }),
    wait: (seconds) => {
      now += seconds * 1000;
    },
  };
}

describe('Sessions', () => {
  it('are found by their token only', () => {
    const { sessions } = sessionsAt();
    const { token, session } = sessions.start('ada', '$2y$12$x');
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(sessions.find(token, LIMITS)).toBe(session);
    expect(sessions.find(session.id, LIMITS)).toBeUndefined();
    expect(sessions.find('', LIMITS)).toBeUndefined();
    expect(sessions.find(`${token}x`, LIMITS)).toBeUndefined();
  });

  it('do not store the token', () => {
    const { sessions } = sessionsAt();
    const { token, session } = sessions.start('ada', '');
    expect(JSON.stringify(session)).not.toContain(token);
  });

  it('end after the idle timeout even while a script of a page sends requests', () => {
    const { sessions, wait } = sessionsAt();
    const { token, session } = sessions.start('ada', '');
    wait(40);
    expect(sessions.find(token, LIMITS, true)).toBe(session);
    wait(40);
    expect(sessions.find(token, LIMITS, true)).toBeUndefined();
  });

  it('end after the idle timeout', () => {
    const { sessions, wait } = sessionsAt();
    const { token, session } = sessions.start('ada', '');
    wait(59);
    expect(sessions.find(token, LIMITS)).toBe(session);
    wait(59);
    expect(sessions.find(token, LIMITS)).toBe(session);
    wait(60);
    expect(sessions.find(token, LIMITS)).toBeUndefined();
    expect(sessions.size).toBe(0);
  });

  it('end after the absolute timeout despite requests', () => {
    const { sessions, wait } = sessionsAt();
    const { token } = sessions.start('ada', '');
    for (let passed = 0; passed < 590; passed += 59) {
      expect(sessions.find(token, LIMITS)).toBeDefined();
      wait(59);
    }
    expect(sessions.find(token, LIMITS)).toBeDefined();
    wait(10);
    expect(sessions.find(token, LIMITS)).toBeUndefined();
  });

  it('are limited in number: the least recently used one ends', () => {
    const { sessions } = sessionsAt(2);
    const [first, second] = [sessions.start('a', ''), sessions.start('b', '')];
    sessions.find(first.token, LIMITS);
    const third = sessions.start('c', '');
    expect(sessions.find(second.token, LIMITS)).toBeUndefined();
    expect(sessions.find(first.token, LIMITS)).toBe(first.session);
    expect(sessions.find(third.token, LIMITS)).toBe(third.session);
  });

  it('of one administrator end together', () => {
    const { sessions } = sessionsAt();
    const [one, other, stays] = [
      sessions.start('ada', ''),
      sessions.start('ada', ''),
      sessions.start('bob', ''),
    ];
    sessions.endAll('ada');
    expect(sessions.find(one.token, LIMITS)).toBeUndefined();
    expect(sessions.find(other.token, LIMITS)).toBeUndefined();
    expect(sessions.find(stays.token, LIMITS)).toBe(stays.session);
  });

  it('that were found expired are known until those of their administrator are ended', () => {
    const { sessions, wait } = sessionsAt();
    const [one, other] = [sessions.start('ada', ''), sessions.start('bob', '')];
    wait(60);
    for (const { token } of [one, other]) expect(sessions.find(token, LIMITS)).toBeUndefined();
    expect(sessions.expired(one.token)).toBe(one.session);
    sessions.endAll('ada');
    expect([one, other].map(({ token }) => sessions.expired(token))).toEqual([undefined, other.session]);
  });

  it('that were found expired are limited in number, too: the first is forgotten', () => {
    const { sessions, wait } = sessionsAt(2);
    const all = ['a', 'b', 'c'].map((user) => {
      const started = sessions.start(user, '');
      wait(60);
      expect(sessions.find(started.token, LIMITS)).toBeUndefined();
      return started;
    });
    expect(all.map(({ token }) => sessions.expired(token)?.user)).toEqual([undefined, 'b', 'c']);
  });

  it('are ended by a refusal, and are not expired then', () => {
    const { sessions } = sessionsAt();
    const { token, session } = sessions.start('ada', '');
    sessions.refuse(session);
    expect([sessions.find(token, LIMITS), sessions.expired(token)]).toEqual([undefined, undefined]);
  });

  it('show each message once', () => {
    const { sessions } = sessionsAt();
    const { session } = sessions.start('ada', '');
    sessions.addMessage(session, { text: 'Saved.', undo: 7 });
    expect(sessions.takeMessages(session)).toEqual([{ text: 'Saved.', undo: 7 }]);
    expect(sessions.takeMessages(session)).toEqual([]);
  });

  it('show the latest ten messages, and none after they have ended', () => {
    const { sessions } = sessionsAt();
    const { session } = sessions.start('ada', '');
    for (let at = 1; at <= 11; at++) sessions.addMessage(session, { text: String(at) });
    const texts = sessions.takeMessages(session).map(({ text }) => text);
    expect(texts).toEqual(['2', '3', '4', '5', '6', '7', '8', '9', '10', '11']);
    sessions.end(session);
    sessions.addMessage(session, { text: 'Saved.' });
    expect(sessions.takeMessages(session)).toEqual([]);
  });

  it('have a CSRF token of their own', () => {
    const { sessions } = sessionsAt();
    const [one, other] = [sessions.start('ada', ''), sessions.start('ada', '')];
    expect(isValidCsrfToken(one.session, one.session.csrf)).toBe(true);
    expect(isValidCsrfToken(one.session, other.session.csrf)).toBe(false);
    for (const csrf of [
      '',
      one.session.csrf.slice(1),
      `${one.session.csrf} `,
      one.session.csrf.toLowerCase(),
    ])
      expect(isValidCsrfToken(one.session, csrf)).toBe(false);
    expect(isValidCsrfToken(one.session, null)).toBe(false);
  });
});
