const list = document.querySelector('#issues');
const state = document.querySelector('#state');
const select = document.querySelector('#status');

/** Texts of users are set as text, never as HTML. */
function element(name, text, className = '') {
  const created = document.createElement(name);
  created.textContent = text;
  created.className = className;
  return created;
}

function itemOf({ id, project_key, title, priority, status, reporter }) {
  const item = document.createElement('li');
  item.append(
    element('strong', `#${id} ${title}`, priority),
    element(
      'p',
      `${project_key} · ${status.replace('_', ' ')} · ${priority} · reported by ${reporter}`,
      'about',
    ),
  );
  return item;
}

/** Answers of earlier requests, which a later one has replaced, are ignored. */
let requested = 0;

async function show() {
  const request = ++requested;
  const query = new URLSearchParams({ 'status.in': select.value, sort: '-updated_at', page_size: '100' });
  try {
    const response = await fetch(`/v2/issues?${query}`);
    if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
    const { issues, next_cursor } = await response.json();
    if (request !== requested) return;
    list.replaceChildren(...issues.map(itemOf));
    if (issues.length === 0) list.append(element('li', 'No issues.', 'about'));
    if (next_cursor !== null) list.append(element('li', 'The newest 100 are shown.', 'about'));
    state.textContent = 'Live';
  } catch (error) {
    if (request === requested) state.textContent = `Not available: ${error.message}`;
  }
}

select.addEventListener('change', show);

const changes = new EventSource('/v2/changes');
changes.addEventListener('change', show);
// Also after a lost connection: what happened meanwhile is read again.
changes.addEventListener('open', show);
changes.addEventListener('error', () => (state.textContent = 'Connecting …'));
