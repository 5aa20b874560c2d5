import type { Invoice, InvoiceDetail } from '#renderer/base/client';
import { refusalOf, t } from '#renderer/base/language';

export const ACTIONS = ['send', 'record', 'installments', 'copy', 'qr', 'pdf', 'edit', 'cancel'] as const;
export type ActionId = (typeof ACTIONS)[number];

const LABELS: Readonly<Record<ActionId, string>> = {
  send: t('Send'),
  record: t('Record payment'),
  installments: t('Pay in installments'),
  copy: t('Copy link'),
  qr: t('QR code'),
  pdf: 'PDF',
  edit: t('Edit'),
  cancel: t('Cancel invoice'),
};

/** Returns the label of an action on an invoice or a payment link. */
export const labelOf = (id: ActionId, kind: Invoice['kind']) => (id === 'cancel' && kind === 'link' ? t('Cancel link') : LABELS[id]);

/** Returns the reason why an action is not available; undefined if it is. The service decides about operations. */
export function blockedReason(
  id: ActionId,
  { actions, kind, status }: InvoiceDetail,
  may: (permission: string) => boolean,
): string | undefined {
  switch (id) {
    case 'installments':
      return may('customers:read') ? refusalOf(actions.payInInstallments) : t('Your role does not allow this.');
    case 'edit':
      if (!may('customers:read')) return t('Your role does not allow this.');
      return kind === 'link' ? t('A payment link can’t be edited. Cancel it and create another.') : refusalOf(actions.update);
    case 'send':
    case 'cancel':
      return refusalOf(actions[id]);
    case 'record':
      return refusalOf(actions.pay);
    case 'copy':
    case 'qr':
      return status === 'cancelled' ? t('It is canceled. Its page accepts no payments.') : undefined;
    case 'pdf':
      return undefined;
  }
}
