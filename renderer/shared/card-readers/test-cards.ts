import { t } from '#renderer/base/language';

/** A test card of the sandbox gateway, named by its outcome. No other gateway knows it. */
export interface TestCard {
  readonly outcome: string;
  readonly number: string;
  readonly code: string;
}

const card = (outcome: string, number: string, code = '123'): TestCard => ({ outcome, number, code });

export const TEST_CARDS: readonly { readonly group: string; readonly cards: readonly TestCard[] }[] = [
  {
    group: t('Approved'),
    cards: [
      card('Visa', '4111111111111111'),
      card('Mastercard', '5555555555554444'),
      card('American Express', '378282246310005', '1234'),
      card('Discover', '6011111111111117'),
      card(t('Prepaid card with $30'), '5105100000003005'),
    ],
  },
  {
    group: t('Declined'),
    cards: [
      card(t('Insufficient funds'), '4000000000009995'),
      card(t('Card declined'), '4000000000000002'),
      card(t('Do not honor'), '4000000000000119'),
      card(t('Expired card'), '4000000000000069'),
      card(t('Incorrect security code'), '4000000000000127'),
      card(t('Incorrect address'), '4000000000000036'),
      card(t('Fraud suspected'), '4100000000000019'),
      card(t('Invalid card number'), '4000000000000218'),
      card(t('Invalid expiry date'), '4000000000000317'),
      card(t('Lost or stolen'), '4000000000009987'),
      card(t('Restricted card'), '4000000000000416'),
      card(t('Limit exceeded'), '4000000000000515'),
      card(t('Call the issuer'), '4000000000000614'),
    ],
  },
  {
    group: t('Errors'),
    cards: [
      card(t('Times out, then approved'), '4000000000006975'),
      card(t('Times out, then failed'), '4000000000006983'),
      card(t('Times out, stays unconfirmed'), '4000000000006967'),
      card(t('Gateway error'), '4000000000006991'),
      card(t('Refunds always declined'), '4000000000005126'),
      card(t('First refund declined'), '4000000000007726'),
    ],
  },
];

const TEST_ZIP = '10001';

/** Returns the form values of a test card: it expires at the end of the year after next. */
export function testCardValues({ number, code }: TestCard, now = new Date()) {
  return { number, code, expiry: `12/${String((now.getFullYear() + 2) % 100)}`, zip: TEST_ZIP };
}
