import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { RecordEntry } from '#renderer/kit/record';
import { useDebounced } from '#renderer/kit/ui';
import { useMay } from '#renderer/session/user';
import { Group } from './fields.tsx';

const PAUSE_MS = 300;

/** Preview of unsaved settings of invoices; not requested for people who may not see invoices. */
export function useSettingsPreview<Preview>(
  name: string,
  merchantId: string,
  settings: object,
  request: (settings: object) => Promise<Preview>,
) {
  const asked = useDebounced(JSON.stringify(settings), PAUSE_MS);
  return useQuery({
    queryKey: ['settings', merchantId, name, asked],
    queryFn: () => request(JSON.parse(asked) as object),
    enabled: useMay()('invoices:read'),
    placeholderData: keepPreviousData,
    retry: false,
  });
}

interface FirstInvoicesProps {
  readonly title: string;
  /** Shown without invoices. */
  readonly none: string;
  readonly countText: string;
  readonly invoices: readonly {
    readonly invoiceId: string;
    readonly number: string;
    readonly customerName: string | null;
    readonly when: string;
    readonly amount: number;
    readonly currency: string;
  }[];
}

/** The unpaid invoices that are concerned first. */
export function FirstInvoices({ title, none, countText, invoices }: FirstInvoicesProps) {
  return (
    <Group title={title}>
      {invoices.length === 0 ? (
        <Alert severity="info">{none}</Alert>
      ) : (
        <>
          <Box sx={{ fontSize: 13, color: 'text.secondary' }}>{countText}</Box>
          <Box component="ol" aria-label={title} sx={{ m: 0, p: 0, listStyle: 'none' }}>
            {invoices.map(({ invoiceId, number, customerName, when, amount, currency }) => (
              <RecordEntry
                key={invoiceId}
                to={`/invoices/${invoiceId}`}
                name={number}
                note={[customerName, when].filter(Boolean).join(', ')}
                amount={amount}
                currency={currency}
              />
            ))}
          </Box>
        </>
      )}
    </Group>
  );
}
