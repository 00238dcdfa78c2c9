// What came back: status, time, fields, and the body as it arrives.
import { element } from './dom.js';

/** Characters of JSON that are shown. */
const MOST = 500_000;
/** Characters of any other text that are kept: a stream may never end, and its last words count. */
const KEPT = 1_000_000;

const isText = (type) => /^text\/|[/+](json|xml|yaml|javascript)\b|ndjson|json-seq/.test(type);
const isJson = (type) => /[/+]json\b/.test(type) && !/ndjson|json-seq/.test(type);

/** Shows an answer, and what it is a problem of. @returns the problem (RFC 9457), where it is one */
export async function showAnswer(place, answer, { started, how }) {
  const type = (answer.headers.get('content-type') ?? '').toLowerCase();
  const state = answer.ok ? 'good' : 'bad';
  const facts = element('span', { className: 'answer-facts' });
  const tell = (bytes, done) => {
    const time = `${Math.round(performance.now() - started)} ms`;
    const size = bytes < 1000 ? `${bytes} bytes` : `${(bytes / 1000).toFixed(1)} kB`;
    facts.textContent = [done ? time : `${time} …`, size, how].filter(Boolean).join(' · ');
  };
  const status = element('p', { className: `answer-status answer-${state}`, role: 'status' });
  status.append(
    element('strong', { textContent: `${answer.status} ${answer.statusText}`.trim() }),
    ' ',
    facts,
  );
  const fields = [...answer.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
  const headers = element('details', {}, element('summary', { textContent: 'Response headers' }));
  headers.append(element('pre', { tabIndex: 0 }, element('code', { textContent: fields })));
  const body = element('code');
  const frame = element('pre', { className: 'answer-body', tabIndex: 0 }, body);
  const note = element('p', {
    className: 'quiet',
    textContent: 'Truncated: only the last million characters are shown.',
  });
  place.replaceChildren(status, headers);
  tell(0, false);
  const text = await readBody(answer, type, (so, bytes, isCut) => {
    if (!frame.isConnected) place.append(frame);
    if (isCut && !note.isConnected) frame.before(note);
    body.textContent = so;
    tell(bytes, false);
  });
  tell(text.bytes, true);
  if (text.bytes > 0 && !frame.isConnected) place.append(frame);
  let value;
  if (isJson(type)) {
    try {
      value = JSON.parse(text.content);
      body.textContent = JSON.stringify(value, null, 2).slice(0, MOST);
    } catch {
      // Cut short, or no JSON: it stands as it came.
    }
  }
  if (!type.startsWith('application/problem+json') || !isObject(value)) return undefined;
  status.after(problemOf(value));
  return value;
}

const isObject = (value) => typeof value === 'object' && value !== null;

/** What a problem says of members, whatever a server calls `errors`. */
export const errorsOf = (problem) => (Array.isArray(problem?.errors) ? problem.errors.filter(isObject) : []);

async function readBody(answer, type, onText) {
  const decoder = new TextDecoder();
  let [content, bytes, isCut] = ['', 0, false];
  const reader = answer.body?.getReader();
  for (let part = await reader?.read(); part !== undefined && !part.done; part = await reader.read()) {
    bytes += part.value.length;
    if (isText(type)) {
      content += decoder.decode(part.value, { stream: true });
      if (!isJson(type) && content.length > KEPT) {
        content = content.slice(-KEPT);
        isCut = true;
      }
      onText(isJson(type) ? content.slice(0, MOST) : content, bytes, isCut);
    } else onText(`${bytes} bytes of ${type || 'an unknown type'}`, bytes);
  }
  return { content, bytes };
}

function problemOf(problem) {
  const { title, detail } = problem;
  const list = errorsOf(problem);
  return element(
    'div',
    { className: 'answer-problem' },
    element('p', {}, element('strong', { textContent: String(title ?? '') }), ` ${String(detail ?? '')}`),
    list.length === 0
      ? ''
      : element(
          'ul',
          {},
          ...list.map(({ pointer, detail: what, message }) =>
            element(
              'li',
              {},
              element('code', { textContent: String(pointer ?? '') }),
              ` ${String(what ?? message ?? '')}`,
            ),
          ),
        ),
  );
}
