import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { whenClosed } from '../../../src/framework/http/when-closed';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const newResponse = (): ServerResponse => new ServerResponse(new IncomingMessage(new Socket()));

it('is called with its subject after earlier listeners, and before later ones', () => {
  const response = newResponse();
  const calls: string[] = [];
  response.once('close', () => calls.push('earlier'));
  whenClosed(response, 'subject', (subject) => calls.push(subject));
  response.once('close', () => calls.push('later'));
  response.emit('close');
  expect(calls).toEqual(['earlier', 'subject', 'later']);
});

it('is called once, also if the response is closed again while it is called', () => {
  const response = newResponse();
  let calls = 0;
  whenClosed(response, response, (closed) => {
    calls++;
    closed.emit('close');
  });
  response.emit('close');
  response.emit('close');
  expect(calls).toBe(1);
});

it('refers to nothing afterwards, as an idle connection keeps its last response', async () => {
  const response = newResponse();
  const refer = (): readonly WeakRef<object>[] => {
    const subject = { text: 'a request' };
    const act = ({ text }: { readonly text: string }): number => text.length;
    whenClosed(response, subject, act);
    return [new WeakRef(subject), new WeakRef(act)];
  };
  const references = refer();
  response.emit('close');
  await endOfTurn();
  collectGarbage();
  expect(references.map((one) => one.deref())).toEqual([undefined, undefined]);
  expect(response.listenerCount('close')).toBe(1);
});
