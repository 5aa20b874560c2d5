import { STYLE } from '../window/offline-page.ts';

/** Question of the window: a new passphrase, the passphrase, or the recovery file with the reason. */
export type Question =
  | { readonly page: 'choose'; readonly obstacle: string; readonly problem?: string }
  | { readonly page: 'enter'; readonly problem?: string }
  | {
      readonly page: 'locked' | 'changed' | 'damaged' | 'missing';
      readonly problem?: string;
      /** Which keyring it is about. */
      readonly detail?: string;
      /** The code alone will do, since the recovery file that was made last is here. */
      readonly hasRecovery: boolean;
    };

const MORE_STYLE = `
.state.calm { color: var(--act); background: none; padding: 0 }
.problem { padding: 10px 14px; border-radius: 6px; color: var(--mark); background: var(--tint) }
form.tall { display: grid; align-items: stretch; gap: 16px }
form.tall input { width: 100% }
input[type=file] { height: auto; padding: 8px 12px; font-size: 14px }
details { margin-top: 24px; padding-top: 16px; border-top: 1px solid var(--line) }
summary { cursor: pointer; font-weight: 600; color: var(--act); border-radius: 6px }
small { font-weight: 400; color: var(--quiet) }`;

/** Nothing is loaded, and no script of the page runs; the application reads the input. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'";

interface Words {
  readonly title: string;
  readonly words: readonly string[];
}

function wordsOf(question: Question): Words {
  switch (question.page) {
    case 'choose':
      return {
        title: 'Choose a passphrase for this computer',
        words: [
          'Paydesk encrypts cards with a key that the system’s keyring keeps. This computer has none to keep it in, so a passphrase protects the key instead. You enter it each time Paydesk starts.',
          question.obstacle,
        ],
      };
    case 'enter':
      return { title: 'Enter the passphrase', words: ['It opens the key that cards on this computer are encrypted with.'] };
    case 'locked':
      return {
        title: 'The keyring is locked or away',
        words: [
          'The key that cards are encrypted with is in the keyring of this computer, which does not give it out now. Unlock the keyring and try again, or open Paydesk with the recovery file this once.',
          question.detail ?? '',
        ],
      };
    case 'changed':
      return {
        title: 'The keyring has another key',
        words: [
          'The keyring of this computer answers, but does not open the key that Paydesk left with it: it was reset, or belongs to another user. With the recovery file the key is put into the keyring anew.',
          question.detail === undefined ? '' : `The key was left with ${question.detail}.`,
        ],
      };
    case 'damaged':
      return {
        title: 'The key file is damaged',
        words: ['The file that holds this computer’s key cannot be read. The recovery file brings the key back.'],
      };
    case 'missing':
      return {
        title: 'The key is missing',
        words: [
          'There is data on this computer, but not the key that opens it. The recovery file brings the key back; so does the key file, put back into the data folder.',
        ],
      };
  }
}

const label = (text: string, input: string, hint = '') => `<label>${text}${hint === '' ? '' : ` <small>${hint}</small>`}${input}</label>`;
const secret = (name: string, more = '') =>
  `<input type="password" name="${name}" required maxlength="1024" autocomplete="off" spellcheck="false"${more}>`;

function recoveryForm(hasRecovery: boolean, isFirst: boolean): string {
  const hint = hasRecovery ? 'not needed where it was made on this computer' : '';
  return `<form class="tall" data-do="recover">
${label('Recovery file', `<input type="file" name="file" accept=".json,application/json"${hasRecovery ? '' : ' required'}>`, hint)}
${label('Its code or passphrase', secret('code', isFirst ? ' autofocus' : ''))}
<button${isFirst ? '' : ' class="other"'}>Open with the recovery file</button></form>`;
}

function formsOf(question: Question): string {
  if (question.page === 'choose') {
    return `<form class="tall" data-do="choose">${label('Passphrase', secret('passphrase', ' minlength="12" autofocus'), '12 or more characters')}
${label('The same again', secret('again'))}<button>Use this passphrase</button></form>
<p class="quiet" style="margin-top:20px">Without it nobody opens the data, not even we. Save the recovery file, which set-up offers, as the way back.</p>`;
  }
  if (question.page === 'enter') {
    return `<form class="tall" data-do="enter">${label('Passphrase', secret('passphrase', ' autofocus'))}<button>Open Paydesk</button></form>
<details><summary>Use the recovery file instead</summary>${recoveryForm(true, false)}</details>`;
  }
  const isKeyring = question.page === 'locked' || question.page === 'changed';
  const retry = isKeyring
    ? `<form data-do="retry"><button${question.page === 'locked' ? ' autofocus' : ' class="other"'}>Try again</button></form>`
    : '';
  return question.page === 'locked' ? retry + recoveryForm(question.hasRecovery, false) : recoveryForm(question.hasRecovery, true) + retry;
}

/** The page that asks for the way to the key (experience 2.1: no keyring asks a passphrase, and says why). */
export function unlockPage(question: Question): string {
  const { title, words } = wordsOf(question);
  const { problem } = question;
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="content-security-policy" content="${POLICY}"><title>${escaped(title)}</title><style>${STYLE}${MORE_STYLE}</style></head>
<body><main><span class="state calm">Paydesk</span><h1>${escaped(title)}</h1>
${words
  .filter((text) => text !== '')
  .map((text, index) => `<p${index === 0 ? '' : ' class="quiet"'}>${escaped(text)}</p>`)
  .join('\n')}
${problem === undefined ? '' : `<p class="problem" role="alert">${escaped(problem)}</p>`}
${formsOf(question)}</main></body></html>`;
  return `data:text/html;charset=utf-8;base64,${Buffer.from(html).toString('base64')}`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
