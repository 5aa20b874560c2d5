import Alert from '@mui/material/Alert';
import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router';
import type { TransactionDetail } from '#renderer/base/client';
import { Trans, t } from '#renderer/base/language';
import { TimeText } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';

/** Explains an unusual status of a payment and how it is resolved. */
export function StatusNotes({ transaction, isPartial }: { transaction: TransactionDetail; isPartial: boolean }) {
  const { timezone } = useMerchant();
  const { status, pendingReason, captureHeldUntil, returnedAt, returnCode, reservedAmount, gateway } = transaction;
  if (returnedAt !== null) {
    return (
      <Alert severity="error">
        <Trans
          i18nKey="The bank returned this payment on <0/>, code <1>{{returnCode}}</1>. The amount is deducted from the next settlement. Ask the customer for another payment method."
          components={[<TimeText key="0" at={returnedAt} timeZone={timezone} />, <span key="1" className="mono" />]}
          values={{ returnCode: returnCode ?? '' }}
        />
      </Alert>
    );
  }
  if (captureHeldUntil !== null) {
    return (
      <Alert severity="info">
        <Trans
          i18nKey="The capture is scheduled to be sent to {{gateway}} (<0/>). Until then you can cancel it; afterwards you can only refund it."
          components={[<TimeText key="0" at={captureHeldUntil} timeZone={timezone} />]}
          values={{ gateway }}
        />
      </Alert>
    );
  }
  // The row of the list may be outdated.
  if (isPartial) return null;
  if (transaction.authorizationExpiresAt !== null) {
    return (
      <Alert severity="info">
        <Trans
          i18nKey="Nothing is charged until you capture this authorization. It expires <0/>, and is then voided automatically."
          components={[<TimeText key="0" at={transaction.authorizationExpiresAt} timeZone={timezone} />]}
        />
      </Alert>
    );
  }
  if (status === 'pending' && pendingReason === 'held_for_review') {
    return (
      <Alert severity="warning">
        {t(
          '{{gateway}} is holding this payment for review. Approve or decline it on the processor’s website; the result appears here automatically.',
          { gateway },
        )}
      </Alert>
    );
  }
  if (status === 'pending') {
    return (
      <Alert severity="warning">
        <Trans
          i18nKey="The processor hasn’t confirmed this payment yet. The outcome appears here automatically. <0>View unconfirmed payments</0>"
          components={[<Link key="0" component={RouterLink} to="/unconfirmed-payments" />]}
        />
      </Alert>
    );
  }
  if (reservedAmount === 0) return null;
  return (
    <Alert severity="info">
      {t(
        'A refund is pending. If the processor accepts refunds only after its batch closes, it is sent automatically then. The result appears here.',
      )}
    </Alert>
  );
}
