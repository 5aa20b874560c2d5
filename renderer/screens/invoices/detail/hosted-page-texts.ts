import type { HostedPages } from '#renderer/base/client';
import { t } from '#renderer/base/language';

export type HostedPage = HostedPages['pages'][number];
type Delivery = HostedPage['delivery'];

/** Says where the page of a gateway opens. */
export function offerText(delivery: Delivery, gateway: string): string {
  const texts: Readonly<Record<Delivery, string>> = {
    link: t('{{gateway}} has its own payment page. While it is open, emails and text messages of this invoice carry its address.', {
      gateway,
    }),
    form: t(
      'The payment form of {{gateway}} opens only in a browser on this computer, within 15 minutes: for a customer who is here. It cannot be sent.',
      { gateway },
    ),
    email: t('{{gateway}} can email the customer a link to its own payment page, which opens anywhere.', { gateway }),
  };
  return texts[delivery];
}

export const STATUS_TEXTS: Readonly<Record<HostedPage['status'], string>> = {
  creating: t('Being created'),
  open: t('Open'),
  paid: t('Paid'),
  overpaid: t('Paid more than was due: refund what is too much'),
  review: t('Needs attention'),
  closed: t('Closed'),
  expired: t('Expired'),
  failed: t('Not created'),
};

export const PROBLEM_TEXTS: Readonly<Record<NonNullable<HostedPage['problem']>, string>> = {
  creation_unknown: t('The gateway did not confirm the page. The customer may have it: ask before you send another.'),
  no_answer: t('The gateway did not answer the last inquiry.'),
  in_review: t('The gateway is reviewing a payment.'),
  not_closed: t(
    'The gateway did not confirm that the page is closed. Closing is repeated. If you close it at the gateway, mark it as done.',
  ),
  other_amount: t('The gateway shows a payment of another amount. Close the page to record it for a refund.'),
  several_payments: t('The gateway shows several payments of other amounts. Close the page to record them for a refund.'),
  undetermined: t('The gateway cannot say what happened to a payment. Ask its support.'),
};
