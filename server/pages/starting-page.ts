import type { Language } from '#shared/languages';
import { html } from './html.ts';

const RELOAD_SECONDS = 2;

const TEXTS = {
  en: {
    title: 'Paydesk is starting',
    check: {
      reason: (size: string) =>
        `The last stop was not clean, so the database file${size} is checked. A file of several gigabytes takes up to a minute.`,
      next: 'This page opens Paydesk when the check is complete. Do not stop the server: the next start would check the file again.',
    },
    update: {
      reason: (size: string) =>
        `The database file${size} is updated to this version of Paydesk. A file of several gigabytes can take minutes.`,
      next: 'This page opens Paydesk when the update is complete. Do not stop the server: the next start would begin the update again.',
    },
  },
  es: {
    title: 'Paydesk se está iniciando',
    check: {
      reason: (size: string) =>
        `La última parada no fue correcta, por lo que se comprueba el archivo de la base de datos${size}. Un archivo de varios gigabytes tarda hasta un minuto.`,
      next: 'Esta página abre Paydesk cuando termina la comprobación. No detenga el servidor: el próximo inicio comprobaría el archivo de nuevo.',
    },
    update: {
      reason: (size: string) =>
        `El archivo de la base de datos${size} se actualiza a esta versión de Paydesk. Un archivo de varios gigabytes puede tardar minutos.`,
      next: 'Esta página abre Paydesk cuando termina la actualización. No detenga el servidor: el próximo inicio empezaría la actualización de nuevo.',
    },
  },
} as const;

const STYLE = `:root{color-scheme:light dark;--ground:#f6f7f9;--card:#fff;--ink:#14181f;--quiet:#556070;--line:#e0e4e9}
@media (prefers-color-scheme:dark){:root{--ground:#101418;--card:#171c22;--ink:#e7ebf0;--quiet:#a3adb9;--line:#2a323b}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:32px;background:var(--ground);color:var(--ink);font:15px/1.5 Inter,system-ui,-apple-system,"Segoe UI",sans-serif}
main{width:min(520px,100%);padding:32px;background:var(--card);border:1px solid var(--line);border-radius:10px}
h1{margin:0 0 8px;font-size:22px;line-height:1.3}
p{margin:0 0 12px}
.quiet{margin:0;color:var(--quiet);font-size:14px}`;

/** Policy of the page, which loads nothing and runs no script. */
export const STARTING_PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * Returns the page of a server that checks or updates its database file before it starts; null leaves out the size. It loads its address again every two
 * seconds.
 */
export function startingPage(language: Language, step: 'check' | 'update', size: string | null): string {
  const { title, [step]: texts } = TEXTS[language];
  const { markup } = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="${RELOAD_SECONDS}">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${{ markup: STYLE }}</style>
</head>
<body><main role="status"><h1>${title}</h1><p>${texts.reason(size === null ? '' : ` (${size})`)}</p><p class="quiet">${texts.next}</p></main></body>
</html>
`;
  return markup;
}
