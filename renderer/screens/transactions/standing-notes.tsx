import Alert from '@mui/material/Alert';
import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router';
import type { Transaction } from '#renderer/client';
import { useMerchant } from '#renderer/session';
import { TimeText } from '#renderer/ui';

/** Open points of a payment, and who resolves them. */
export function StandingNotes({ transaction, isPartial }: { transaction: Transaction; isPartial: boolean }) {
  const { timezone } = useMerchant();
  const { status, pendingReason, captureHeldUntil, returnedAt, returnCode, reservedAmount, gateway } = transaction;
  if (returnedAt !== null) {
    return (
      <Alert severity="error">
        The bank took this payment back on <TimeText at={returnedAt} timeZone={timezone} />, code <span className="mono">{returnCode}</span>
        . The money is taken off the next settlement; ask the payer for another way to pay.
      </Alert>
    );
  }
  if (captureHeldUntil !== null) {
    return (
      <Alert severity="info">
        The capture waits here until it is sent to {gateway} (<TimeText at={captureHeldUntil} timeZone={timezone} />
        ). Until then it can be cancelled; afterwards only refunded.
      </Alert>
    );
  }
  // The row of the list may be older than what it says is open.
  if (isPartial) return null;
  if (status === 'pending' && pendingReason === 'held_for_review') {
    return (
      <Alert severity="warning">
        {gateway} holds this payment for review: release or refuse it on the processor’s own screens. What is decided there appears here by
        itself.
      </Alert>
    );
  }
  if (status === 'pending') {
    return (
      <Alert severity="warning">
        The processor has not said yet what became of this. The answer appears here by itself.{' '}
        <Link component={RouterLink} to="/doubts">
          See what is in doubt
        </Link>
      </Alert>
    );
  }
  if (reservedAmount === 0) return null;
  return (
    <Alert severity="info">
      A refund is under way. One that the processor takes only after its batch is closed is sent by itself; the result appears here.
    </Alert>
  );
}
