import { language, t } from '../language/index.ts';
import { STYLE } from '../window/offline-page.ts';

/** Question of the unlock window: for a new passphrase, the passphrase, or the recovery file with the reason. */
export type UnlockQuestion =
  | { readonly page: 'choose'; readonly obstacle: string; readonly problem?: string }
  | { readonly page: 'enter'; readonly problem?: string }
  | {
      readonly page: 'locked' | 'changed' | 'damaged' | 'missing';
      readonly problem?: string;
      /** Name or state of the keyring. */
      readonly detail?: string;
      /** True if the latest recovery file is stored here, so that its code is enough. */
      readonly hasRecovery: boolean;
    };

const UNLOCK_STYLE = `
.state.calm { color: var(--act); background: none; padding: 0 }
.problem { padding: 10px 14px; border-radius: 6px; color: var(--mark); background: var(--tint) }
form.tall { display: grid; align-items: stretch; gap: 16px }
form.tall input { width: 100% }
input[type=file] { height: auto; padding: 8px 12px; font-size: 14px }
details { margin-top: 24px; padding-top: 16px; border-top: 1px solid var(--line) }
summary { cursor: pointer; font-weight: 600; color: var(--act); border-radius: 6px }
small { font-weight: 400; color: var(--quiet) }`;

/** Policy of a page that loads nothing and runs no script of its own. The application reads the input. */
const CONTENT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'";

interface PageText {
  readonly title: string;
  readonly paragraphs: readonly string[];
}

function textOf(question: UnlockQuestion): PageText {
  switch (question.page) {
    case 'choose':
      return {
        title: t('Choose a passphrase for this computer'),
        paragraphs: [
          t(
            'Paydesk encrypts cards with a key that is protected by the keyring of the system. This computer has no usable keyring, so a passphrase protects the key instead. You enter it each time Paydesk starts.',
          ),
          question.obstacle,
        ],
      };
    case 'enter':
      return { title: t('Enter the passphrase'), paragraphs: [t('It unlocks the key that encrypts the cards on this computer.')] };
    case 'locked':
      return {
        title: t('The keyring is locked or unavailable'),
        paragraphs: [
          t(
            'The keyring of this computer protects the key that encrypts cards, and does not unlock it now. Unlock the keyring and try again, or open Paydesk once with the recovery file.',
          ),
          question.detail ?? '',
        ],
      };
    case 'changed':
      return {
        title: t('The keyring has another key'),
        paragraphs: [
          t(
            'The keyring of this computer does not unlock the key of Paydesk: it was reset, or belongs to another user. The recovery file restores the key, and the keyring then protects it again.',
          ),
          question.detail === undefined ? '' : t('The key was protected by {{keyring}}.', { keyring: question.detail }),
        ],
      };
    case 'damaged':
      return {
        title: t('The key file is damaged'),
        paragraphs: [t('The file with the key of this computer cannot be read. The recovery file restores the key.')],
      };
    case 'missing':
      return {
        title: t('The key is missing'),
        paragraphs: [
          t(
            'There is data on this computer, but not its key. To restore the key, use the recovery file, or copy the key file back into the data folder.',
          ),
        ],
      };
  }
}

const labeledInput = (text: string, input: string, hint = '') =>
  `<label>${text}${hint === '' ? '' : ` <small>${hint}</small>`}${input}</label>`;
const passwordInput = (name: string, more = '') =>
  `<input type="password" name="${name}" required maxlength="1024" autocomplete="off" spellcheck="false"${more}>`;

function recoveryForm(hasRecovery: boolean, isFirst: boolean): string {
  const hint = hasRecovery ? t('not needed if it was created on this computer') : '';
  return `<form class="tall" data-do="recover">
${labeledInput(t('Recovery file'), `<input type="file" name="file" accept=".json,application/json"${hasRecovery ? '' : ' required'}>`, hint)}
${labeledInput(t('Code or passphrase of the recovery file'), passwordInput('code', isFirst ? ' autofocus' : ''))}
<button${isFirst ? '' : ' class="other"'}>${t('Open with the recovery file')}</button></form>`;
}

function formsOf(question: UnlockQuestion): string {
  if (question.page === 'choose') {
    return `<form class="tall" data-do="choose">${labeledInput(t('Passphrase'), passwordInput('passphrase', ' minlength="12" autofocus'), t('12 or more characters'))}
${labeledInput(t('Repeat passphrase'), passwordInput('repeatedPassphrase'))}<button>${t('Use this passphrase')}</button></form>
<p class="quiet" style="margin-top:20px">${t('Without the passphrase, nobody can open the data, and we cannot reset it. Save the recovery file that the setup offers: it is the only other way to open the data.')}</p>`;
  }
  if (question.page === 'enter') {
    return `<form class="tall" data-do="enter">${labeledInput(t('Passphrase'), passwordInput('passphrase', ' autofocus'))}<button>${t('Open Paydesk')}</button></form>
<details><summary>${t('Use the recovery file instead')}</summary>${recoveryForm(true, false)}</details>`;
  }
  const isKeyring = question.page === 'locked' || question.page === 'changed';
  const retry = isKeyring
    ? `<form data-do="retry"><button${question.page === 'locked' ? ' autofocus' : ' class="other"'}>${t('Try again')}</button></form>`
    : '';
  return question.page === 'locked' ? retry + recoveryForm(question.hasRecovery, false) : recoveryForm(question.hasRecovery, true) + retry;
}

/** Returns the page that asks how to open the master key, as a `data:` URL. */
export function unlockPage(question: UnlockQuestion): string {
  const { title, paragraphs } = textOf(question);
  const { problem } = question;
  const html = `<!doctype html><html lang="${language()}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="content-security-policy" content="${CONTENT_POLICY}"><title>${escapeHtml(title)}</title><style>${STYLE}${UNLOCK_STYLE}</style></head>
<body><main><span class="state calm">Paydesk</span><h1>${escapeHtml(title)}</h1>
${paragraphs
  .filter((text) => text !== '')
  .map((text, index) => `<p${index === 0 ? '' : ' class="quiet"'}>${escapeHtml(text)}</p>`)
  .join('\n')}
${problem === undefined ? '' : `<p class="problem" role="alert">${escapeHtml(problem)}</p>`}
${formsOf(question)}</main></body></html>`;
  return `data:text/html;charset=utf-8;base64,${Buffer.from(html).toString('base64')}`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
