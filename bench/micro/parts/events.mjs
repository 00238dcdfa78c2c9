// Four events with five listeners each, like a request.
import { part } from '../built.mjs';

const { Event, EventManager } = part('framework/index');

const EVENTS = ['route', 'dispatch', 'render', 'response'];
const LISTENERS = 5;

function managerOf(listener) {
  const events = new EventManager();
  for (const name of EVENTS) for (let at = 0; at < LISTENERS; at++) events.attach(name, listener, at);
  return events;
}

const synchronous = managerOf(() => undefined);
const asynchronous = managerOf(() => Promise.resolve());
const event = new Event();
const isString = (result) => typeof result === 'string';

export default {
  '4 events × 5 listeners, all synchronous'() {
    for (let at = 0; at < EVENTS.length; at++) synchronous.trigger(EVENTS[at], event);
  },
  '4 events × 5 listeners, until one responds'() {
    for (let at = 0; at < EVENTS.length; at++) synchronous.triggerUntil(isString, EVENTS[at], event);
  },
  async '4 events × 5 listeners, all asynchronous'() {
    for (let at = 0; at < EVENTS.length; at++) await asynchronous.trigger(EVENTS[at], event);
  },
};
