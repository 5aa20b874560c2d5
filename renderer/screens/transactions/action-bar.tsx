import type { TransactionDetail } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { type RecordAction, RecordActions } from '#renderer/kit/record';
import { copyText } from '#renderer/kit/ui';
import { useMay, useMerchant } from '#renderer/session/user';
import { ACTIONS, type ActionId, blockedReason, isOffered, labelOf } from './actions.ts';
import { isOpenAuthorization } from './status.ts';

/**
 * Returns the shell command that reads a transaction. The credentials are variables, because a real token does not belong on a clipboard.
 */
function curlOf(transactionId: string, origin: string): string {
  return [
    `curl ${origin}/api/v1/transactions/${encodeURIComponent(transactionId)}`,
    '-H "Authorization: Bearer $PAYDESK_TOKEN"',
    '-H "X-Tenant-ID: $PAYDESK_TENANT"',
  ].join(' \\\n  ');
}

const KEYS: Readonly<Partial<Record<ActionId, string>>> = { capture: 'C', refund: 'R', void: 'V', dispute: 'B' };

interface ActionBarProps {
  readonly transaction: TransactionDetail;
  /** True while only the row of the list is known. */
  readonly isPartial: boolean;
  readonly current: ActionId | undefined;
  readonly onAct: (action: ActionId) => void;
  /** Actions on the receipt. */
  readonly receipt: readonly RecordAction[];
}

/** Actions on a transaction. Held money is captured or released; after that, a refund is the action that remains. */
export function ActionBar({ transaction, isPartial, current, onAct, receipt }: ActionBarProps) {
  const may = useMay();
  const { vtSettings } = useMerchant();
  const isHeld = isOpenAuthorization(transaction);
  const first: readonly ActionId[] = isHeld ? ['capture', 'void'] : transaction.status === 'declined' ? ['rerun'] : ['refund'];
  const toAction = (id: ActionId): RecordAction => ({
    label: labelOf(id, transaction),
    // R returns the money: held money by its release.
    keys: id === 'void' && isHeld ? KEYS.refund : KEYS[id],
    reason: blockedReason(id, transaction),
    isOpen: current === id,
    run: () => onAct(id),
  });
  const rest = ACTIONS.filter(
    (id) => !first.includes(id) && isOffered(id, transaction, vtSettings) && (id !== 'credit' || may('credits:write')),
  );
  return (
    <RecordActions
      group={t('This transaction')}
      isPartial={isPartial}
      actions={[
        ...first.map(toAction),
        ...receipt,
        ...rest.map(toAction),
        { label: t('Copy as cURL'), run: () => void copyText(curlOf(transaction.transactionId, location.origin), t('Command')) },
      ]}
    />
  );
}
