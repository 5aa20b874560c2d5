import Alert from '@mui/material/Alert';
import Link from '@mui/material/Link';
import { useQuery } from '@tanstack/react-query';
import { Link as RouterLink } from 'react-router';
import { t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { useMay } from '#renderer/session/user';
import { disputesOfPaymentQuery } from './queries.ts';
import { nextStepText, reasonText } from './texts.ts';

/** The disputes of a payment with their next step, each with a link; nothing if there are none. */
export function DisputeNote({ transactionId }: { transactionId: string }) {
  const may = useMay();
  const disputes = useQuery({ ...disputesOfPaymentQuery(transactionId), enabled: may('disputes:read') });
  return (disputes.data ?? []).map((dispute) => (
    <Alert key={dispute.disputeId} severity={dispute.awaitsResponse ? 'warning' : dispute.status === 'won' ? 'success' : 'info'}>
      {reasonText(dispute)}. {nextStepText(dispute, (amount) => writeMoney(amount, dispute.currency))}{' '}
      <Link component={RouterLink} to={`/disputes/${dispute.disputeId}`}>
        {t('View dispute')}
      </Link>
    </Alert>
  ));
}
