import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import TextField from '@mui/material/TextField';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link as RouterLink } from 'react-router';
import type { Invoice } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { CopyText, Entry, FailureNote, fullTime, Section, useSubmit } from '#renderer/kit/ui';
import { useMay, useMerchant } from '#renderer/session/user';
import { checkHostedPage, closeHostedPage, createHostedPage, noteHostedPage } from '../operations.ts';
import { EMAIL } from '../patterns.ts';
import { hostedPagesQuery, refreshInvoices } from '../queries.ts';
import { isOpen } from '../texts.ts';
import { type HostedPage, offerText, PROBLEM_TEXTS, STATUS_TEXTS } from './hosted-page-texts.ts';

/** Payment pages of an invoice at its gateway. While the pay page opens elsewhere and there was none, nothing is shown. */
export function HostedPageSection({ invoice }: { invoice: Invoice }) {
  const mayCreate = useMay()('invoices:write') && isOpen(invoice);
  const found = useQuery(hostedPagesQuery(invoice.invoiceId));
  if (found.isLoadingError) return <FailureNote failure={found.error} onRetry={() => void found.refetch()} />;
  const { offer = null, pages = [] } = found.data ?? {};
  const isOffered = offer !== null && invoice.isLocalOnly && mayCreate;
  if (pages.length === 0 && !isOffered) return null;
  const hasOpen = pages.some((page) => page.endedAt === null && !isOver(page));
  return (
    <Section title={t('Payment page of the gateway')}>
      <Box sx={{ display: 'grid', gap: 3 }}>
        {isOffered && !hasOpen && <CreateForm invoice={invoice} offer={offer} />}
        {pages.length > 0 && (
          <Box component="ol" aria-label={t('Payment pages of the gateway')} sx={{ m: 0, p: 0, listStyle: 'none' }}>
            {pages.map((page) => (
              <PageEntry key={page.hostedPageId} page={page} canChange={mayCreate} />
            ))}
          </Box>
        )}
      </Box>
    </Section>
  );
}

/** Returns true for a form whose time is over, after which another one can be prepared although late payments on it are still expected. */
const isOver = ({ delivery, status, url, problem }: HostedPage): boolean =>
  delivery === 'form' && status === 'open' && url === null && problem !== 'in_review';

function CreateForm({ invoice, offer }: { invoice: Invoice; offer: Pick<HostedPage, 'gateway' | 'delivery'> }) {
  const { gateway, delivery } = offer;
  const [email, setEmail] = useState(invoice.customer?.email ?? '');
  const [isChecked, setChecked] = useState(false);
  const isEmailed = delivery === 'email';
  const creating = useSubmit({
    send: () => createHostedPage(invoice.invoiceId, isEmailed ? email.trim() : undefined),
    refreshFirst: refreshInvoices,
    announcement: ({ emailedTo }) =>
      emailedTo === null ? t('Payment page created.') : t('{{gateway}} emails its page to {{email}}.', { gateway, email: emailedTo }),
  });
  const isWrong = isEmailed && !EMAIL.test(email.trim());
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (!creating.isBusy && !isWrong) creating.onSubmit();
  };
  const labels = { link: t('Create payment page'), form: t('Prepare payment form'), email: t('Email the payment page') } as const;
  return (
    <Box component="form" noValidate onSubmit={submit} sx={{ display: 'grid', gap: 3 }}>
      <Box sx={{ fontSize: 13, color: 'text.secondary' }}>{offerText(delivery, gateway)}</Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'flex-start' }}>
        {isEmailed && (
          <TextField
            id="hosted-page-email"
            label={t('Email')}
            value={email}
            onChange={({ target }) => setEmail(target.value)}
            error={isChecked && isWrong}
            helperText={isChecked && isWrong ? t('Enter a valid email address.') : undefined}
            slotProps={{ htmlInput: { inputMode: 'email', autoComplete: 'off', spellCheck: false, maxLength: 254 } }}
          />
        )}
        <Button type="submit" loading={creating.isBusy} sx={isEmailed ? { mt: 5, height: 40 } : undefined}>
          {labels[delivery]}
        </Button>
      </Box>
      {creating.failure && <FailureNote failure={creating.failure} />}
    </Box>
  );
}

function PageEntry({ page, canChange }: { page: HostedPage; canChange: boolean }) {
  const { timezone } = useMerchant();
  const { gateway, delivery, status, problem, url, emailedTo, opensUntil, found, transactionId, invoiceId, createdAt, endedAt } = page;
  const { overpayments } = page;
  const checking = useMutation({ mutationFn: () => checkHostedPage(invoiceId), onSettled: () => refreshInvoices() });
  const closing = useMutation({ mutationFn: () => closeHostedPage(invoiceId), onSettled: () => refreshInvoices() });
  const isActive = endedAt === null && status !== 'creating';
  const amount = writeMoney(page.amount, page.currency);
  const details = [
    gateway,
    fullTime(createdAt, timezone),
    emailedTo !== null && t('emailed by the gateway to {{email}}', { email: emailedTo }),
    isActive && opensUntil !== null && t('must be opened until {{time}}', { time: fullTime(opensUntil, timezone) }),
  ];
  return (
    <Entry>
      <Box sx={{ display: 'grid', gap: 2, minWidth: 0, flex: 1 }}>
        <Box>
          <b>{STATUS_TEXTS[isOver(page) ? 'expired' : status]}</b> · {amount}
          <Box sx={{ fontSize: 13, color: 'text.secondary', overflowWrap: 'anywhere' }}>{details.filter(Boolean).join(' · ')}</Box>
        </Box>
        {problem !== null && (
          <Alert severity={status === 'review' || problem === 'several_payments' ? 'error' : 'warning'}>
            {PROBLEM_TEXTS[problem]}
            {found.map(({ reference, amount: minor, currency }) => (
              <Box key={reference}>{t('Payment {{reference}}: {{amount}}', { reference, amount: writeMoney(minor, currency) })}</Box>
            ))}
          </Alert>
        )}
        {isActive && url !== null && (
          <Box sx={{ fontSize: 13, overflowWrap: 'anywhere' }}>
            {delivery === 'form' && (
              <Link href={url} target="_blank" rel="noreferrer">
                {t('Open payment form')}
              </Link>
            )}
            <CopyText text={url} label={t('Address of the payment page')} />
          </Box>
        )}
        {transactionId !== null && !overpayments.includes(transactionId) && <PaymentLink id={transactionId} text={t('Show payment')} />}
        {overpayments.map((id) => (
          <PaymentLink key={id} id={id} text={t('Show payment to refund')} />
        ))}
        {page.note !== null && (
          <Box sx={{ fontSize: 13, overflowWrap: 'anywhere' }}>
            {t('Note')}: {page.note}
          </Box>
        )}
        {page.attentionSince !== null && <NoteForm page={page} />}
        {isActive && canChange && (
          <Box sx={{ display: 'flex', gap: 2 }}>
            <Button size="small" onClick={() => checking.mutate()} loading={checking.isPending}>
              {t('Check now')}
            </Button>
            <Button size="small" variant="text" onClick={() => closing.mutate()} loading={closing.isPending}>
              {t('Close page')}
            </Button>
          </Box>
        )}
        {(checking.error ?? closing.error) && (
          <FailureNote failure={(checking.error ?? closing.error) as NonNullable<typeof checking.error>} />
        )}
      </Box>
    </Entry>
  );
}

const PaymentLink = ({ id, text }: { id: string; text: string }) => (
  <Link component={RouterLink} to={`/transactions/${id}`} sx={{ justifySelf: 'start' }}>
    {text}
  </Link>
);

/** Records how a person has seen to a page, so that it leaves To do. */
function NoteForm({ page: { invoiceId, hostedPageId } }: { page: HostedPage }) {
  const [note, setNote] = useState('');
  const noting = useMutation({
    mutationFn: () => noteHostedPage(invoiceId, hostedPageId, note.trim()),
    onSettled: () => refreshInvoices(),
  });
  if (!useMay()('settlement:write')) return null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!noting.isPending && note.trim() !== '') noting.mutate();
  };
  return (
    <Box component="form" noValidate onSubmit={submit} sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'flex-end' }}>
      <TextField
        id={`note-${hostedPageId}`}
        label={t('Note')}
        value={note}
        onChange={({ target }) => setNote(target.value)}
        slotProps={{ htmlInput: { autoComplete: 'off', maxLength: 500 } }}
      />
      <Button type="submit" loading={noting.isPending} disabled={note.trim() === ''} sx={{ height: 40 }}>
        {t('Mark as done')}
      </Button>
      {noting.error && <FailureNote failure={noting.error} />}
    </Box>
  );
}
