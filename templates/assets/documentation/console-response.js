// The response: status, time, header fields, and the body as it arrives.
import { element } from './dom.js';
import { t } from './text.js';

/** Characters of JSON that are displayed. */
const MAX_JSON_LENGTH = 500_000;
/** Characters of other text that are kept, the last ones: a stream may never end. */
const MAX_TEXT_LENGTH = 1_000_000;

const isText = (type) => /^text\/|[/+](json|xml|yaml|javascript)\b|ndjson|json-seq/.test(type);
const isJson = (type) => /[/+]json\b/.test(type) && !/ndjson|json-seq/.test(type);

/** Keeps numbers as they are sent: JavaScript rounds long ones, and writes `12.50` as `12.5`. */
const exact = (_, value, { source }) => (typeof value === 'number' ? JSON.rawJSON(source) : value);

/** Indents the JSON of a value; exactly if the browser can. */
function indented(value, content) {
  return JSON.stringify(JSON.rawJSON === undefined ? value : JSON.parse(content, exact), null, 2);
}

/** Decodes text with the charset of its type, for the few that are not UTF-8. */
function decoderOf(type) {
  try {
    return new TextDecoder(/;\s*charset="?([^\s;"]+)/.exec(type)?.[1]);
  } catch {
    return new TextDecoder();
  }
}

const sizeOf = (bytes) =>
  bytes < 1000 ? t('console.bytes', { count: bytes }) : t('console.kilobytes', { count: bytes / 1000 });

/** Displays a response. @returns the problem (RFC 9457), if it is one */
export async function showResponse(place, response, { started, note: signInNote }) {
  const type = (response.headers.get('content-type') ?? '').toLowerCase();
  const state = response.ok ? 'good' : 'bad';
  const facts = element('span', { className: 'answer-facts' });
  const updateFacts = (bytes, done) => {
    const time = t('console.milliseconds', { count: Math.round(performance.now() - started) });
    const size = sizeOf(bytes);
    const redirect = response.redirected && t('console.redirected', { url: response.url });
    facts.textContent = [done ? time : `${time} …`, size, redirect, signInNote].filter(Boolean).join(' · ');
  };
  const status = element('p', { className: `answer-status answer-${state}`, role: 'status' });
  status.append(
    element('strong', { textContent: `${response.status} ${response.statusText}`.trim() }),
    ' ',
    facts,
  );
  const fields = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
  const headers = element('details', {}, element('summary', { textContent: t('console.responseHeaders') }));
  headers.append(element('pre', { tabIndex: 0 }, element('code', { textContent: fields })));
  const body = element('code');
  const frame = element('pre', { className: 'answer-body', tabIndex: 0 }, body);
  const truncation = element('p', {
    className: 'quiet',
    textContent: isJson(type) ? t('console.truncatedEnd') : t('console.truncated'),
  });
  let shown;
  const show = (text, isCut) => {
    if (!frame.isConnected) place.append(frame);
    // JSON may be shorter as displayed than as sent.
    if (!isCut) truncation.remove();
    else if (!truncation.isConnected) frame.before(truncation);
    // The beginning of long JSON stays the same while the rest arrives.
    if (text !== shown) body.textContent = text;
    shown = text;
  };
  place.replaceChildren(status, headers);
  updateFacts(0, false);
  const { content, bytes } = await readBody(response, type, (partial, size, isCut) => {
    show(partial, isCut);
    updateFacts(size, false);
  });
  updateFacts(bytes, true);
  let value;
  if (isJson(type)) {
    try {
      value = JSON.parse(content);
      const formatted = indented(value, content);
      show(formatted.slice(0, MAX_JSON_LENGTH), formatted.length > MAX_JSON_LENGTH);
    } catch {
      // Truncated or invalid JSON: shown unchanged.
    }
  }
  if (!type.startsWith('application/problem+json') || !isObject(value)) return undefined;
  status.after(problemOf(value));
  return value;
}

const isObject = (value) => typeof value === 'object' && value !== null;

/** Returns the errors of a problem; none if `errors` has an unexpected type. */
export const errorsOf = (problem) => (Array.isArray(problem?.errors) ? problem.errors.filter(isObject) : []);

async function readBody(response, type, onText) {
  const decoder = decoderOf(type);
  const all = [];
  let [shown, bytes, isCut] = ['', 0, false];
  const reader = response.body?.getReader();
  for (let part = await reader?.read(); part !== undefined && !part.done; part = await reader.read()) {
    bytes += part.value.length;
    if (isText(type)) {
      const text = decoder.decode(part.value, { stream: true });
      if (isJson(type)) all.push(text);
      const most = isJson(type) ? MAX_JSON_LENGTH : MAX_TEXT_LENGTH;
      const excess = shown.length + text.length - most;
      if (excess <= 0) shown += text;
      else if (!isJson(type)) shown = (shown + text).slice(-most);
      else if (!isCut) shown = (shown + text).slice(0, most);
      isCut ||= excess > 0;
      onText(shown, bytes, isCut);
    } else
      onText(t('console.binary', { size: sizeOf(bytes), type: type || t('console.unknownType') }), bytes);
  }
  return { content: all.join(''), bytes };
}

function problemOf(problem) {
  const { title, detail } = problem;
  const more = detail === title ? '' : String(detail ?? '');
  const list = errorsOf(problem);
  return element(
    'div',
    { className: 'answer-problem' },
    element('p', {}, element('strong', { textContent: String(title ?? '') }), ` ${more}`),
    list.length === 0
      ? ''
      : element(
          'ul',
          {},
          ...list.map(({ pointer, parameter, detail: itemDetail, message }) =>
            element(
              'li',
              {},
              // The whole body has an empty pointer.
              pointer || parameter ? element('code', { textContent: String(pointer || parameter) }) : '',
              ` ${String(itemDetail ?? message ?? '')}`,
            ),
          ),
        ),
  );
}
