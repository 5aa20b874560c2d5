import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { BankLine, Invoice } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { dayText, MoneyText, useDebounced } from '#renderer/kit/ui';
import { PartRow } from './part-row.tsx';
import { payableInvoicesQuery } from './queries.ts';

const SEARCH_DELAY_MS = 150;

interface InvoiceChoiceProps {
  readonly line: BankLine;
  readonly hasFocus: boolean;
  readonly onChoose: (invoice: Invoice) => void;
  /** Field of the amount of a chosen invoice. */
  readonly children: (invoiceId: string) => ReactNode;
}

/** Finds the invoices that a line pays, by number or customer. Enter in the search chooses the first one. */
export function InvoiceChoice({ line, hasFocus, onChoose, children }: InvoiceChoiceProps) {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<readonly Invoice[]>([]);
  const q = useDebounced(text.trim(), SEARCH_DELAY_MS);
  const found = useQuery({
    ...payableInvoicesQuery(line.merchantId, line.currency, q),
    enabled: q !== '',
    placeholderData: keepPreviousData,
  });
  const isChosen = ({ invoiceId }: Invoice) => chosen.some((invoice) => invoice.invoiceId === invoiceId);
  const offered = q === '' ? [] : (found.data ?? []).filter((invoice) => !isChosen(invoice));
  const choose = (invoice: Invoice) => {
    setChosen((all) => [...all, invoice]);
    setText('');
    onChoose(invoice);
  };
  return (
    <Box component="section" aria-label={t('Invoices')} sx={{ display: 'grid', gap: 2 }}>
      {chosen.map((invoice) => (
        <PartRow key={invoice.invoiceId} name={<span className="mono">{invoice.number}</span>} facts={<Facts invoice={invoice} />}>
          {children(invoice.invoiceId)}
        </PartRow>
      ))}
      <TextField
        id="split-invoice"
        size="small"
        label={t('Find an invoice by number or customer')}
        value={text}
        autoFocus={hasFocus}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          const [first] = offered;
          if (event.key !== 'Enter' || text.trim() === '') return;
          // The form is sent from another field.
          event.preventDefault();
          if (first) choose(first);
        }}
        slotProps={{ htmlInput: { autoComplete: 'off', maxLength: 80 } }}
      />
      {offered.map((invoice) => (
        <PartRow key={invoice.invoiceId} name={<span className="mono">{invoice.number}</span>} facts={<Facts invoice={invoice} />}>
          <Button onClick={() => choose(invoice)} aria-label={t('Choose {{name}}', { name: invoice.number })}>
            {t('Choose')}
          </Button>
        </PartRow>
      ))}
      {q !== '' && found.data && offered.length === 0 && (
        <Box role="status" sx={{ fontSize: 13, color: 'text.secondary' }}>
          {t('No open invoice found.')}
        </Box>
      )}
    </Box>
  );
}

function Facts({ invoice: { customer, dueDate, amountDue, currency } }: { readonly invoice: Invoice }) {
  return (
    <>
      {[customer?.company ?? customer?.name, dueDate && t('due {{day}}', { day: dayText(dueDate) })].filter(Boolean).join(', ')},{' '}
      <MoneyText amount={amountDue} currency={currency} code />
    </>
  );
}
