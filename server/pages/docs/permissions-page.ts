import { ROLES } from '#core/access/identity';
import { type Html, html } from '../html.ts';
import { type Endpoint, endpointsOf, type OpenApiDocument, operationUrl } from './document.ts';
import { line } from './fields.ts';

const ROLE_NAMES = Object.keys(ROLES) as (keyof typeof ROLES)[];
const API_KEY = 'API key';
const PIN_SESSION = 'PIN session';

/** Returns the page that lists every route with a credential and who may call it, searchable by route, permission and caller. */
export function permissionsPage(document: OpenApiDocument): Html {
  const rows = endpointsOf(document).filter(({ operation }) => operation['x-permission'] !== undefined);
  return html`<h1>Permissions</h1>
<p>The table is made from the rules that this server enforces. A user's own permissions and custom roles can differ from the built-in roles.</p>
<ul class="small">
<li><strong>Permission session</strong>: every signed-in user, or every valid API key.</li>
<li><strong>Scope caller</strong>: your own session, user or key. <strong>merchant</strong>: one merchant or its records. <strong>tenant</strong>: the whole account, which users and keys of one merchant can't change. <strong>installation</strong>: as tenant, and only for the first account of the installation.</li>
<li><strong>Confirmation recent</strong>: a sign-in with the password less than 15 minutes ago, or <code>currentPassword</code> in the body. <strong>password</strong>: the password in the body, however recent the sign-in.</li>
<li><strong>PIN session</strong>: a session that a person took over with a PIN may use the route, if the person's role may.</li>
</ul>
<form id="permission-filter" class="bar" role="search">
<label>Route or permission<input id="permission-search" type="search" placeholder="refund, customers:write" autocomplete="off"></label>
<label>Caller<select id="permission-caller"><option value="">Everyone</option>${[...ROLE_NAMES, PIN_SESSION, API_KEY].map((name) => html`<option>${name}</option>`)}</select></label>
</form>
<p class="quiet small" role="status"><span id="permission-count">${rows.length}</span> of ${rows.length} routes</p>
<div class="scroll"><table id="permissions"><thead><tr><th>Route</th><th>Permission</th><th>Scope</th><th>Confirmation</th><th>Callers</th></tr></thead><tbody>${rows.map(row)}</tbody></table></div>`;
}

function row(endpoint: Endpoint): Html {
  const { method, path, operation } = endpoint;
  const { 'x-live-permission': live, 'x-scope': scope = '', 'x-confirmation': confirmation = '', summary, operationId } = operation;
  const permissions = permissionsOf(endpoint);
  const callers = callersOf(endpoint);
  const required = line(permissions.map((permission) => `\`${permission}\``).join(', '));
  const text = `${method} ${path} ${summary} ${permissions.join(' ')} ${live ?? ''} ${scope} ${confirmation}`.toLowerCase();
  return html`<tr data-text="${text}" data-callers="|${callers.join('|')}|"><td><a href="${operationUrl(operationId)}"><code>${method} ${path}</code></a><br><span class="quiet small">${summary}</span></td><td>${required}${live && html`<br><span class="quiet small">live: </span><code>${live}</code>`}</td><td>${scope}</td><td>${confirmation}</td><td>${callers.join(', ')}</td></tr>`;
}

const permissionsOf = ({ operation }: Endpoint): string[] =>
  [operation['x-permission'], operation['x-export-permission']].filter((permission) => permission !== undefined);

/** Returns the built-in roles that may call an operation on a sandbox account, or the API key. */
function callersOf(endpoint: Endpoint): string[] {
  if (endpoint.surface !== 'admin') return [API_KEY];
  const required = permissionsOf(endpoint).filter((permission) => permission !== 'session');
  const roles = ROLE_NAMES.filter((role) => required.every((permission) => (ROLES[role] as readonly string[]).includes(permission)));
  return endpoint.operation['x-pin-session'] ? [...roles, PIN_SESSION] : roles;
}
