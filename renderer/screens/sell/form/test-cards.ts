import type { SaleValues } from './form.ts';

/** A test card of the sandbox gateway, named by its outcome (decisions 5). No other gateway knows it. */
export interface TestCard {
  readonly outcome: string;
  readonly number: string;
  readonly code: string;
}

const card = (outcome: string, number: string, code = '123'): TestCard => ({ outcome, number, code });

export const TEST_CARDS: readonly { readonly group: string; readonly cards: readonly TestCard[] }[] = [
  {
    group: 'Approved',
    cards: [
      card('Visa', '4111111111111111'),
      card('Mastercard', '5555555555554444'),
      card('American Express', '378282246310005', '1234'),
      card('Discover', '6011111111111117'),
    ],
  },
  {
    group: 'Declined',
    cards: [
      card('Insufficient funds', '4000000000009995'),
      card('Card declined', '4000000000000002'),
      card('Do not honor', '4000000000000119'),
      card('Expired card', '4000000000000069'),
      card('Incorrect security code', '4000000000000127'),
      card('Incorrect address', '4000000000000036'),
      card('Fraud suspected', '4100000000000019'),
      card('Invalid card number', '4000000000000218'),
      card('Invalid expiry date', '4000000000000317'),
      card('Lost or stolen', '4000000000009987'),
      card('Restricted card', '4000000000000416'),
      card('Limit exceeded', '4000000000000515'),
      card('Call the issuer', '4000000000000614'),
    ],
  },
  {
    group: 'Errors',
    cards: [
      card('Times out, then approved', '4000000000006975'),
      card('Times out, then failed', '4000000000006983'),
      card('Gateway error', '4000000000006991'),
      card('Refunds always declined', '4000000000005126'),
      card('First refund declined', '4000000000007726'),
    ],
  },
];

const TEST_ZIP = '10001';

/** Returns the form values of a test card: it expires at the end of the year after next. */
export function testCardValues({ number, code }: TestCard, now = new Date()): SaleValues {
  return { number, code, expiry: `12/${String((now.getFullYear() + 2) % 100)}`, zip: TEST_ZIP };
}
