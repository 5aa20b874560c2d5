import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { type JournalAccounts, type JournalExport, newIdempotencyKey, type PeriodClose } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { FormDialog, MutedText, QueryContent, SelectField, useSubmit } from '#renderer/kit/ui';
import { DateField } from '#renderer/session/date-entry';
import { useMerchant } from '#renderer/session/user';
import { JOURNAL_FORMATS, type JournalFormat, saveJournal } from './journal-formats.ts';
import { createJournalExport, journalAccountsQuery, refreshJournalExports, saveJournalAccounts } from './queries.ts';

const ACCOUNT_LABELS: Readonly<Record<keyof JournalAccounts, string>> = {
  processor: t('Owed by the processor'),
  sales: t('Sales'),
  refunds: t('Refunds'),
  fees: t('Fees'),
  transit: t('Payouts in transit'),
  bank: t('Bank account'),
  chargebacks: t('Chargebacks'),
  own_funds: t('Own funds'),
  tips: t('Tips payable'),
  surcharges: t('Surcharges'),
  taxes: t('Sales tax payable'),
  cash: t('Cash drawers'),
  checks: t('Checks received'),
  other_tenders: t('Other methods'),
  gift_cards: t('Gift cards'),
  gift_cards_given: t('Given gift cards'),
  gift_cards_expired: t('Expired gift cards'),
  late_fees: t('Late fees'),
  cash_differences: t('Missing or surplus cash'),
};
const ACCOUNTS = Object.entries(ACCOUNT_LABELS) as [keyof JournalAccounts, string][];

/** Exports the journal of a period for an accounting program, and maps its accounts. */
export function JournalDialog({ close, onClose }: { close: PeriodClose; onClose: () => void }) {
  const { merchantId } = useMerchant();
  const [format, setFormat] = useState<JournalFormat>(JOURNAL_FORMATS[0][0]);
  const [startDate, setStartDate] = useState(close.startDate);
  const [endDate, setEndDate] = useState(close.endDate);
  const [isOnlyNew, setOnlyNew] = useState(false);
  const [edited, setEdited] = useState<JournalAccounts>();
  const accounts = useQuery(journalAccountsQuery(merchantId));
  // A second attempt must not record another export, in which nothing would be new.
  const attempt = useRef<{ readonly content: string; readonly key: string }>(undefined);
  const [recorded, setRecorded] = useState<{ readonly content: string; readonly journalExport: JournalExport }>();
  const body = { merchantId, startDate, endDate, ...(isOnlyNew && { only: 'new' as const }) };
  const content = JSON.stringify(body);
  const record = async () => {
    if (recorded?.content === content) return recorded.journalExport;
    if (attempt.current?.content !== content) attempt.current = { content, key: newIdempotencyKey() };
    const journalExport = await createJournalExport(body, attempt.current.key);
    setRecorded({ content, journalExport });
    refreshJournalExports();
    return journalExport;
  };
  const exporting = useSubmit({
    send: async () => {
      if (edited) await saveJournalAccounts(merchantId, edited);
      await saveJournal(await record(), format);
    },
    refresh: accounts.refetch,
    announcement: t('Journal exported.'),
    onClose,
  });
  const submit = () => {
    if (startDate !== '' && endDate !== '') exporting.onSubmit();
  };
  return (
    <FormDialog {...exporting} title={t('Export journal')} submitLabel={t('Export journal')} onSubmit={submit} maxWidth="md">
      <Box sx={{ display: 'grid', gap: 4, pt: 1 }}>
        <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: { xs: '1fr', sm: '2fr 1fr 1fr' } }}>
          <SelectField id="journal-format" label={t('Format')} value={format} options={JOURNAL_FORMATS} onChange={setFormat} autoFocus />
          <DateField id="journal-start" label={t('First day')} value={startDate} onChange={setStartDate} />
          <DateField id="journal-end" label={t('Last day')} value={endDate} onChange={setEndDate} />
        </Box>
        <Box>
          <FormControlLabel
            control={<Checkbox checked={isOnlyNew} onChange={({ target }) => setOnlyNew(target.checked)} />}
            label={t('Only entries that were not exported before')}
          />
          <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
            {t('Every entry has the same ID in each export and is marked as new, changed or exported, so that nothing is added twice.')}
          </Box>
        </Box>
        {exporting.failure && recorded?.content === content && (
          <MutedText>{t('The export is recorded. Its file can be downloaded under Journal exports at any time.')}</MutedText>
        )}
        <Box component="section" aria-label={t('Accounts')} sx={{ display: 'grid', gap: 3 }}>
          <Typography variant="h3">{t('Accounts in your accounting program')}</Typography>
          <QueryContent query={accounts}>
            {(data) => {
              const shown = edited ?? data;
              const change = (account: keyof JournalAccounts, part: Partial<JournalAccounts[typeof account]>) =>
                setEdited({ ...shown, [account]: { ...shown[account], ...part } });
              return (
                <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'minmax(160px, 2fr) minmax(80px, 1fr)' }}>
                  {ACCOUNTS.map(([account, label]) => (
                    <Box key={account} sx={{ display: 'contents' }}>
                      <TextField
                        id={`journal-${account}`}
                        size="small"
                        label={label}
                        value={shown[account].name}
                        onChange={({ target }) => change(account, { name: target.value })}
                        slotProps={{ htmlInput: { maxLength: 100, autoComplete: 'off' } }}
                      />
                      <TextField
                        id={`journal-${account}-code`}
                        size="small"
                        label={t('Number')}
                        value={shown[account].code}
                        onChange={({ target }) => change(account, { code: target.value })}
                        slotProps={{
                          htmlInput: { maxLength: 20, autoComplete: 'off', 'aria-label': t('Number, {{account}}', { account: label }) },
                        }}
                      />
                    </Box>
                  ))}
                </Box>
              );
            }}
          </QueryContent>
        </Box>
      </Box>
    </FormDialog>
  );
}
