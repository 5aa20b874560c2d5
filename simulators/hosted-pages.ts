// The payment pages of the simulated processors, which a payer opens in a browser: a form for a card, without scripts.
import type { SimulatorResponse } from './simulator-server.ts';

interface CardForm {
  readonly title: string;
  readonly amount: string;
  readonly description: string;
  readonly action: string;
  readonly hidden?: Readonly<Record<string, string>>;
  /** Sentence about the last try. */
  readonly notice?: string;
}

export function cardForm({ title, amount, description, action, hidden = {}, notice }: CardForm): SimulatorResponse {
  const fields = Object.entries(hidden).map(([name, value]) => `<input type="hidden" name="${name}" value="${escaped(value)}">`);
  return page(
    title,
    `<p>${escaped(description)}</p><p>Amount: <b>${escaped(amount)}</b></p>${notice === undefined ? '' : `<p role="alert">${escaped(notice)}</p>`}
<form method="post" action="${escaped(action)}">${fields.join('')}
<p><label>Card number <input name="number" autocomplete="cc-number" required></label></p>
<p><label>Expiry month <input name="month" size="2" required></label> <label>Expiry year <input name="year" size="4" required></label></p>
<p><label>Security code <input name="code" size="4" required></label></p>
<p><button>Pay</button></p></form>`,
  );
}

export const messagePage = (title: string, text: string, status = 200): SimulatorResponse =>
  page(title, `<p role="status">${escaped(text)}</p>`, status);

function page(title: string, content: string, status = 200): SimulatorResponse {
  const body = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title><h1>${escaped(title)}</h1>${content}`;
  return { status, contentType: 'text/html; charset=utf-8', body };
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
