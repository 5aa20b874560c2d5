import type { StartStep } from '#server';
import { sizeText } from '#shared/size-text';
import { language, t } from '../language/index.ts';
import type { ServiceFailure } from '../server-process/service-failure.ts';
import { isPort } from '../shell-settings.ts';

/** Action that a person chooses on the offline page. */
export type OfflineAction = { do: 'retry' } | { do: 'open-log-folder' } | { do: 'use-port'; port: number };

/** Origin of the page's links and forms. It never resolves; the application handles the navigation, because the page has no scripts. */
const ACTION_ORIGIN = 'http://shell.paydesk.invalid';

/** Style of the pages that the application shows without a server. */
export const STYLE = `
:root { color-scheme: light dark; --ground: #f6f7f9; --paper: #fff; --ink: #14181f; --quiet: #556070; --line: #e0e4e9; --edge: #8590a0; --act: #0f5c73; --on-act: #fff; --mark: #a8231c; --tint: #fce9e7 }
@media (prefers-color-scheme: dark) { :root { --ground: #101418; --paper: #171c22; --ink: #e7ebf0; --quiet: #a3adb9; --line: #2a323b; --edge: #7a8695; --act: #6cc3d8; --on-act: #0d1216; --mark: #f49a92; --tint: #3a1d1c } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 32px; background: var(--ground); color: var(--ink); font: 15px/1.5 Inter, system-ui, -apple-system, "Segoe UI", sans-serif }
main { width: min(520px, 100%); padding: 32px; background: var(--paper); border: 1px solid var(--line); border-radius: 10px }
.state { display: inline-block; padding: 2px 10px; border-radius: 6px; font-size: 13px; font-weight: 600; color: var(--mark); background: var(--tint) }
h1 { margin: 14px 0 8px; font-size: 22px; line-height: 1.3; text-wrap: balance }
p { margin: 0 0 12px; overflow-wrap: anywhere }
.quiet { color: var(--quiet); font-size: 14px }
form { display: flex; flex-wrap: wrap; align-items: end; gap: 12px; margin-top: 20px }
label { display: grid; gap: 4px; font-size: 13px; font-weight: 600 }
input { width: 120px; height: 40px; padding: 0 12px; font: inherit; font-variant-numeric: tabular-nums; color: inherit; background: transparent; border: 1px solid var(--edge); border-radius: 6px }
button { height: 40px; padding: 0 18px; font: inherit; font-weight: 600; color: var(--on-act); background: var(--act); border: 1px solid var(--act); border-radius: 6px; cursor: pointer }
button.other { color: var(--act); background: none; border-color: var(--edge) }
:focus-visible { outline: 3px solid var(--act); outline-offset: 2px }
nav { margin-top: 24px; padding-top: 16px; border-top: 1px solid var(--line); font-size: 14px }
a { color: var(--act) }`;

/** Policy of a page that loads nothing, runs no script and sends its forms to the application only. */
const CONTENT_POLICY = `default-src 'none'; style-src 'unsafe-inline'; form-action ${ACTION_ORIGIN}`;

/**
 * Returns the page for a service that does not run, as a `data:` URL: the reason and the next step. `freePort` is
 * suggested if the port is in use.
 */
export function offlinePage(failure: ServiceFailure, isRetrying: boolean, freePort: number): string {
  const { title, explanation, isPortTaken } = failure;
  const retryNote = isRetrying
    ? t('Paydesk retries automatically, at first every few seconds, then once a minute.')
    : t('The service failed several times in a row, so Paydesk does not retry automatically.');
  const retryForm = (buttonClass: string, autofocus: string) =>
    `<form action="${ACTION_ORIGIN}/retry"><button class="${buttonClass}"${autofocus}>${t('Try again')}</button></form>`;
  const portForm = `<form action="${ACTION_ORIGIN}/use-port"><label>${t('Port')}<input name="port" type="number" min="1024" max="65535" required value="${freePort}" autofocus></label><button>${t('Use this port')}</button></form>`;
  return page(
    t('Paydesk is not running'),
    `<span class="state">${t('Not running')}</span><h1>${escapeHtml(title)}</h1><p>${escapeHtml(explanation)}</p>
<p class="quiet">${t('No payment was lost: Paydesk looks up payments in progress when the service runs again.')} ${retryNote}</p>
${isPortTaken ? portForm + retryForm('other', '') : retryForm('', ' autofocus')}
<nav><a href="${ACTION_ORIGIN}/open-log-folder">${t('Open the log folder')}</a></nav>`,
  );
}

/** Returns the page for a service that checks or updates its database file before it starts, as a `data:` URL. */
export function startStepPage({ kind, bytes }: StartStep): string {
  const size = sizeText(bytes);
  const [reason, next] =
    kind === 'check'
      ? [
          t('The last stop was not clean, so the database file ({{size}}) is checked. A file of several gigabytes takes up to a minute.', {
            size,
          }),
          t('Paydesk opens when the check is complete. If you quit before, the next start checks the file again.'),
        ]
      : [
          t('The database file ({{size}}) is updated to this version of Paydesk. A file of several gigabytes can take minutes.', { size }),
          t('Paydesk opens when the update is complete. If you quit before, the next start begins the update again.'),
        ];
  return page(
    t('Paydesk is starting'),
    `<h1>${t('Paydesk is starting')}</h1><p role="status">${reason}</p>
<p class="quiet">${next}</p>`,
  );
}

function page(title: string, main: string): string {
  const html = `<!doctype html><html lang="${language()}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="content-security-policy" content="${CONTENT_POLICY}"><title>${title}</title><style>${STYLE}</style></head>
<body><main>${main}</main></body></html>`;
  return `data:text/html;charset=utf-8;base64,${Buffer.from(html).toString('base64')}`;
}

/** Returns the action that an address of the offline page stands for; undefined for any other address. */
export function offlineActionOf(address: string): OfflineAction | undefined {
  const url = URL.parse(address);
  if (url?.origin !== ACTION_ORIGIN) return undefined;
  if (url.pathname === '/retry') return { do: 'retry' };
  if (url.pathname === '/open-log-folder') return { do: 'open-log-folder' };
  const port = Number(url.searchParams.get('port'));
  return url.pathname === '/use-port' && isPort(port) ? { do: 'use-port', port } : undefined;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
