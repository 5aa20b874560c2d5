import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Printer } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { t } from '#renderer/base/language';
import { RECEIPT_WIDTHS, type ReceiptWidth } from '#renderer/base/workstation';
import { ChoiceButtons } from '#renderer/kit/choices';
import { Dialog, QueryContent } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import { renderReceipt } from './receipt-frame.ts';
import {
  COPY_LABELS,
  fetchReceipt,
  RECEIPT_COPIES,
  type ReceiptCopy,
  type RenderedReceipt,
  type TransactionReceipt,
} from './receipt-request.ts';
import { usePrintReceipt, useReceiptWidth } from './use-print-receipt.ts';

interface ReceiptDialogProps {
  readonly transaction: TransactionReceipt['transaction'];
  /** Shows the receipt of this refund instead of the payment's. */
  readonly refund?: TransactionReceipt['refund'];
  readonly onClose: () => void;
}

const PRINT_LABELS: Readonly<Record<ReceiptCopy, string>> = {
  customer: t('Print customer copy'),
  merchant: t('Print merchant copy'),
};
const WIDTH_LABELS: Readonly<Record<ReceiptWidth, string>> = { '58mm': '58 mm', '80mm': '80 mm', letter: t('Letter') };

/** Shows a receipt as it will be printed, and prints it. Mounted while it is open. */
export function ReceiptDialog({ transaction, refund, onClose }: ReceiptDialogProps) {
  const [copy, setCopy] = useState<ReceiptCopy>('customer');
  const defaultWidth = useReceiptWidth(useMerchant());
  const [width, setWidth] = useState(defaultWidth);
  const print = usePrintReceipt();
  const request: TransactionReceipt = { transaction, copy, ...(refund ? { refund } : {}) };
  const receipt = useQuery({
    queryKey: ['receipt', transaction.transactionId, refund?.refundId, copy, width],
    queryFn: () => fetchReceipt(request, width),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  });
  return (
    <Dialog
      title={t('Receipt')}
      isOpen
      onClose={onClose}
      maxWidth={width === 'letter' ? 'lg' : 'sm'}
      onSubmit={() => void print(request, { width }).then(onClose)}
      actions={
        <>
          <Button variant="text" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button type="submit" variant="contained" color="primary" startIcon={<Printer size={16} aria-hidden />} autoFocus>
            {PRINT_LABELS[copy]}
          </Button>
        </>
      }
    >
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 3, justifyContent: 'space-between', pt: 1, pb: 4 }}>
        <ChoiceButtons
          label={t('Copy', { context: 'noun' })}
          options={RECEIPT_COPIES.map((each) => [each, COPY_LABELS[each]] as const)}
          value={copy}
          onChange={setCopy}
        />
        <ChoiceButtons
          label={t('Paper')}
          options={RECEIPT_WIDTHS.map((each) => [each, WIDTH_LABELS[each]] as const)}
          value={width}
          onChange={setWidth}
        />
      </Box>
      <QueryContent query={receipt} skeleton={<Skeleton variant="rounded" height={320} />}>
        {(rendered) => <ReceiptPreview receipt={rendered} />}
      </QueryContent>
    </Dialog>
  );
}

const CSS_PX_PER_MM = 96 / 25.4;

/**
 * The receipt as it will be on the paper, at its true size. The frame has the page's content security policy: no script in it would run.
 */
function ReceiptPreview({ receipt }: { receipt: RenderedReceipt }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [heightPx, setHeightPx] = useState(0);
  useEffect(() => {
    if (frame.current) setHeightPx(Math.ceil(renderReceipt(frame.current, receipt) * CSS_PX_PER_MM));
  }, [receipt]);
  return (
    <Box
      sx={(theme) => ({
        display: 'flex',
        justifyContent: 'safe center',
        overflow: 'auto',
        maxHeight: 'min(520px, 56vh)',
        p: 4,
        borderRadius: 1,
        backgroundColor: theme.vars.palette.wash,
        border: `1px solid ${theme.vars.palette.divider}`,
      })}
      // A region that scrolls must be reachable by key.
      tabIndex={0}
      role="region"
      aria-label={t('Preview')}
    >
      <iframe
        ref={frame}
        title={t('Receipt')}
        tabIndex={-1}
        style={{ flex: 'none', height: heightPx, border: 0, background: '#fff', boxShadow: '0 1px 3px rgb(8 14 20 / 0.2)' }}
      />
    </Box>
  );
}
