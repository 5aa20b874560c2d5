import type { Message } from '#renderer/base/client';
import { t } from '#renderer/base/language';

const KINDS: Readonly<Record<Message['kind'], string>> = {
  receipt: t('Receipt'),
  refund: t('Refund'),
  invoice: t('Invoice'),
  statement: t('Statement'),
  link: t('Link'),
  'card-update': t('Card-update'),
  'customer-page': t('Page link'),
  'gift-card': t('Gift card'),
  report: t('Report'),
  dunning: t('Failed renewal'),
  code: t('Code'),
  password: t('Password'),
  test: t('Test'),
  notice: t('Notice'),
};

/** Returns the title of a message in a list: "Receipt to ada@example.com". */
export const messageTitle = ({ kind, to }: Pick<Message, 'kind' | 'to'>): string =>
  t('{{message}} to {{recipient}}', { message: KINDS[kind] ?? kind, recipient: to });
