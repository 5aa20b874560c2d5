import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import { useQuery } from '@tanstack/react-query';
import { t } from '#renderer/base/language';
import { RecordPanel, type useRecordAddress } from '#renderer/kit/record';
import { QueryContent } from '#renderer/kit/ui';
import { TenderView } from '#renderer/shared/tenders';
import { UNREAD_ACTIONS } from './actions.ts';
import { Detail } from './detail.tsx';
import { detailQuery, rowInLists } from './queries.ts';

interface DetailDrawerProps {
  readonly panel: ReturnType<typeof useRecordAddress>['panel'];
  readonly onOpen: (transactionId: string) => void;
}

const isTender = (id: string) => id.startsWith('tnd_');

/** One transaction or tender beside the list. Its keys (R, V, C, P) work while it is open. */
export function DetailDrawer({ panel, onOpen }: DetailDrawerProps) {
  return (
    <RecordPanel label={panel.openId && isTender(panel.openId) ? t('Payment') : t('Transaction')} {...panel}>
      {(id, isOpen) =>
        isTender(id) ? <TenderView tenderId={id} takesFocus={isOpen} /> : <Opened transactionId={id} isOpen={isOpen} onOpen={onOpen} />
      }
    </RecordPanel>
  );
}

interface OpenedProps {
  readonly transactionId: string;
  readonly isOpen: boolean;
  readonly onOpen: (transactionId: string) => void;
}

function Opened({ transactionId, isOpen, onOpen }: OpenedProps) {
  const row = rowInLists(transactionId);
  const detail = useQuery({
    ...detailQuery(transactionId),
    ...(row && {
      placeholderData: { ...row, rerun: null, shippingAddress: null, history: [], actions: UNREAD_ACTIONS },
    }),
  });
  return (
    <QueryContent query={detail} skeleton={<DetailSkeleton />}>
      {(transaction) => <Detail transaction={transaction} isPartial={detail.isPlaceholderData} takesFocus={isOpen} onOpen={onOpen} />}
    </QueryContent>
  );
}

function DetailSkeleton() {
  return (
    <Box sx={{ display: 'grid', gap: 4 }}>
      <Skeleton height={36} width="50%" />
      <Skeleton height={56} />
      <Skeleton height={36} />
      <Skeleton height={180} />
    </Box>
  );
}
