import Alert from '@mui/material/Alert';
import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router';
import type { TransactionDetail } from '#renderer/client';
import { useMerchant } from '#renderer/session';
import { TimeText } from '#renderer/ui';

/** Explains an unusual status of a payment and how it is resolved. */
export function StatusNotes({ transaction, isPartial }: { transaction: TransactionDetail; isPartial: boolean }) {
  const { timezone } = useMerchant();
  const { status, pendingReason, captureHeldUntil, returnedAt, returnCode, reservedAmount, gateway } = transaction;
  if (returnedAt !== null) {
    return (
      <Alert severity="error">
        The bank returned this payment on <TimeText at={returnedAt} timeZone={timezone} />, code <span className="mono">{returnCode}</span>.
        The amount is deducted from the next settlement. Ask the customer for another payment method.
      </Alert>
    );
  }
  if (captureHeldUntil !== null) {
    return (
      <Alert severity="info">
        The capture is scheduled to be sent to {gateway} (<TimeText at={captureHeldUntil} timeZone={timezone} />
        ). Until then you can cancel it; afterwards you can only refund it.
      </Alert>
    );
  }
  // The row of the list may be outdated.
  if (isPartial) return null;
  if (transaction.authorizationExpiresAt !== null) {
    return (
      <Alert severity="info">
        Nothing is charged until you capture this authorization. It expires{' '}
        <TimeText at={transaction.authorizationExpiresAt} timeZone={timezone} />, and is then voided automatically.
      </Alert>
    );
  }
  if (status === 'pending' && pendingReason === 'held_for_review') {
    return (
      <Alert severity="warning">
        {gateway} is holding this payment for review. Approve or decline it on the processor’s website; the result appears here
        automatically.
      </Alert>
    );
  }
  if (status === 'pending') {
    return (
      <Alert severity="warning">
        The processor hasn’t confirmed this payment yet. The outcome appears here automatically.{' '}
        <Link component={RouterLink} to="/doubts">
          View unconfirmed payments
        </Link>
      </Alert>
    );
  }
  if (reservedAmount === 0) return null;
  return (
    <Alert severity="info">
      A refund is pending. If the processor accepts refunds only after its batch closes, it is sent automatically then. The result appears
      here.
    </Alert>
  );
}
