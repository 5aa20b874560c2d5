import { SANDBOX_CARDS } from '#core/processing/gateways';
import { type Html, html } from '../html.ts';

const EFFECTS: Readonly<Record<string, string>> = {
  approved: 'approved',
  prepaid_balance: 'approved up to 30.00; above, only 30.00 with `allowPartialApproval`, otherwise declined with insufficient_funds',
  answer_lost: 'GATEWAY_TIMEOUT; the gateway has the payment, and an inquiry finds it',
  never_received: 'GATEWAY_TIMEOUT; the gateway has no payment, and the transaction fails',
  stays_unconfirmed: 'GATEWAY_TIMEOUT; inquiries give no result, and the payment stays unconfirmed until a person decides',
  gateway_error: 'GATEWAY_ERROR; the transaction fails',
  refund_declined: 'approved; every refund is declined',
  refund_declined_once: 'approved; the first refund attempt is declined, later ones pass',
};

/** Returns the table of all sandbox cards; with `isForForm`, each has a button that fills it into the request. */
export function cardTable(isForForm: boolean): Html {
  return html`<div class="scroll"><table><thead><tr><th>Card number</th><th>Outcome</th><th>Effect</th>${isForForm && html`<th></th>`}</tr></thead><tbody>${Object.entries(
    SANDBOX_CARDS,
  ).map(
    ([number, outcome]) =>
      html`<tr><td><code>${number}</code></td><td>${outcome}</td><td>${EFFECTS[outcome] ?? 'declined'}</td>${
        isForForm && html`<td><button type="button" data-card="${number}">Use card</button></td>`
      }</tr>`,
  )}</tbody></table></div>`;
}
