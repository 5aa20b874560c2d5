import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { FundingReport } from '#renderer/base/client';
import { addDays } from '#renderer/base/dates';
import { t } from '#renderer/base/language';
import { RecordActions } from '#renderer/kit/record';
import { EmptyState, FailureNote, MoneyText, showToast } from '#renderer/kit/ui';
import { DateField } from '#renderer/session/date-entry';
import { useMay, useMerchant } from '#renderer/session/user';
import { MailDialog } from '#renderer/shared/report-mail';
import { periodText } from './columns.tsx';
import { mailReport, saveReport } from './operations.ts';
import { fundingQuery, PAGE_SIZE } from './queries.ts';
import { SettlementList, type TabProps } from './tabs.tsx';

const DAYS_BEFORE = 30;

/** Settlements of a period with totals, oldest first; as a table, a file and an email. */
export function FundingTab({ view, openId, onOpen, today }: TabProps & { today: string }) {
  const { merchantId, currency: merchantCurrency } = useMerchant();
  const currency = view.currency ?? merchantCurrency;
  const may = useMay();
  const mayExport = may('settlement:export');
  const canMail = mayExport && may('settlement:write');
  const [isMailOpen, setMailOpen] = useState(false);
  const endDate = view.to ?? today;
  const period = { startDate: view.from ?? addDays(endDate, -DAYS_BEFORE), endDate };
  const isBackwards = period.endDate < period.startDate;
  const report = useQuery({ ...fundingQuery(merchantId, currency, period, view.page), enabled: !isBackwards });
  const saving = useMutation({ mutationFn: () => saveReport(merchantId, period), onSuccess: () => showToast(t('Funding report saved')) });
  const save = () => {
    if (!saving.isPending && !isBackwards) saving.mutate();
  };
  return (
    <>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'flex-end', gap: 3 }}>
        <Day id="funding-from" label={t('From')} value={period.startDate} onDay={(from) => view.change({ from, to: period.endDate })} />
        <Day
          id="funding-to"
          label={t('To')}
          value={period.endDate}
          onDay={(to) => view.change({ from: period.startDate, to })}
          fault={isBackwards ? t('Before the start date') : undefined}
        />
        <Box sx={{ marginInlineStart: { sm: 'auto' }, display: 'flex', flexWrap: 'wrap', gap: 2 }}>
          <RecordActions
            group={t('Funding report')}
            isPart
            actions={[
              ...(mayExport ? [{ keys: 'X', label: t('Export CSV'), isBusy: saving.isPending, run: save }] : []),
              ...(canMail ? [{ keys: 'E', label: t('Email report'), run: () => setMailOpen(!isBackwards) }] : []),
            ]}
          />
        </Box>
      </Box>
      {saving.error && <FailureNote failure={saving.error} onRetry={save} />}
      {!isBackwards && (
        <>
          {report.data && <Totals report={report.data} />}
          {report.data && (
            <Others
              report={report.data}
              onChoose={(chosen) => view.change({ currency: chosen === merchantCurrency ? undefined : chosen })}
            />
          )}
          <SettlementList
            view={view}
            openId={openId}
            onOpen={onOpen}
            list="Funding report"
            label={t('Funding report')}
            currency={currency}
            query={{ ...report, data: report.data && { items: report.data.settlements, total: report.data.count, limit: PAGE_SIZE } }}
            empty={
              <EmptyState
                title={t('No settlements in this period')}
                action={<Button onClick={() => view.change({ from: undefined, to: undefined })}>{t('Show the last 30 days')}</Button>}
              />
            }
          />
        </>
      )}
      {isMailOpen && (
        <MailDialog
          title={t('Send funding report')}
          content={t('Settlements from {{period}}, with totals.', { period: periodText(period.startDate, period.endDate) })}
          send={(email, key) => mailReport(merchantId, period, email, key)}
          onClose={() => setMailOpen(false)}
        />
      )}
    </>
  );
}

interface DayProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly onDay: (day: string) => void;
  readonly fault?: string | undefined;
}

/** A day; incomplete input is ignored. */
function Day({ id, label, value, onDay, fault }: DayProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const commit = () => {
    if (text === '') setText(value);
    else if (text !== value) onDay(text);
  };
  return (
    <DateField
      id={id}
      label={label}
      value={text}
      onChange={setText}
      onChoose={(chosen) => chosen !== value && onDay(chosen)}
      onBlur={commit}
      onKeyDown={({ key }) => key === 'Enter' && commit()}
      error={fault !== undefined}
      helperText={fault}
      sx={{ width: 168 }}
    />
  );
}

/** Totals in other currencies, each with a link to its rows. */
function Others({ report: { otherCurrencies }, onChoose }: { report: FundingReport; onChoose: (currency: string) => void }) {
  if (otherCurrencies.length === 0) return null;
  return (
    <Box
      component="section"
      aria-label={t('Other currencies')}
      sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 3, rowGap: 1 }}
    >
      <Box component="span" sx={{ fontSize: 13, color: 'text.secondary' }}>
        {t('Other currencies')}
      </Box>
      {otherCurrencies.map(({ currency, count, totalNet }) => (
        <Button key={currency} size="small" onClick={() => onChoose(currency)}>
          <MoneyText amount={totalNet} currency={currency} code />, {t('{{count, number}} settlements', { count })}
        </Button>
      ))}
    </Box>
  );
}

/** Totals of all pages of the report. */
function Totals({
  report: { count, currency, totalCaptures, totalRefunds, totalDisputes, totalFees, totalNet },
}: {
  report: FundingReport;
}) {
  const parts = [
    { name: t('Captures'), amount: totalCaptures, sign: '' },
    { name: t('Refunds'), amount: totalRefunds, sign: '−' },
    ...(totalDisputes === 0 ? [] : [{ name: t('Disputes'), amount: totalDisputes, sign: '+' }]),
    { name: t('Fees'), amount: totalFees, sign: '−' },
    { name: t('Net'), amount: totalNet, sign: '=', isTotal: true },
  ];
  return (
    <Box
      component="section"
      aria-label={t('Totals')}
      sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'baseline', columnGap: 3, rowGap: 1 }}
    >
      {parts.map(({ name, amount, sign, isTotal = false }) => (
        <Box key={name} component="span" data-sum={name} sx={{ whiteSpace: 'nowrap' }}>
          {sign && `${sign} `}
          <Box component="span" sx={{ color: 'text.secondary' }}>
            {name}
          </Box>{' '}
          <MoneyText amount={amount} currency={currency} code={isTotal} sx={{ fontWeight: 600 }} />
        </Box>
      ))}
      <Box component="span" sx={{ fontSize: 13, color: 'text.secondary' }}>
        {t('{{count, number}} settlements', { count })}
      </Box>
    </Box>
  );
}
