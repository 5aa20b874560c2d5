import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { api, keptQuery, take } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { EmptyState, QueryContent } from '#renderer/kit/ui';
import { useMay, useMerchant } from '#renderer/session/user';
import type { Days } from '#renderer/shared/reporting';
import { FigureList } from './figure-list.tsx';
import { headFigures, type Report, type Row } from './report.ts';
import { ReportBar } from './report-bar.tsx';
import { ReportTable } from './report-table.tsx';
import { settlementsReport } from './settlement-report.ts';
import type { ViewInAddress } from './use-view.ts';

/** Maximum number of settlements that the service returns at once. */
const SHOWN_MAX = 200;

function settlementsQuery(merchantId: string, days: Days) {
  const query = { ...days, merchantId, limit: SHOWN_MAX };
  return keptQuery(['reports', 'settlements', query], (signal) =>
    take(api.GET('/api/v1/reporting/batches', { params: { query }, signal })),
  );
}

/** Settlements of a period by settlement date, with the totals of all of them. */
export function SettlementsTab({ view, today }: { readonly view: ViewInAddress; readonly today: string }) {
  const { merchantId } = useMerchant();
  const found = useQuery({ ...settlementsQuery(merchantId, view.days), select: settlementsReport });
  const navigate = useNavigate();
  const canOpen = useMay()('settlement:read');
  const addressOf = ({ key }: Row) => `/settlement/${key}`;
  return (
    <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <ReportBar view={view} today={today} isReady={found.data?.isEmpty === false} />
      <QueryContent
        query={found}
        isEmpty={({ isEmpty }) => isEmpty}
        empty={<EmptyState title={t('Nothing to report')}>{t('No settlement has its date in this period.')}</EmptyState>}
      >
        {(report) => (
          <>
            <FigureList label={t('Figures')} figures={headFigures(report)} />
            <ReportTable
              label={t('Settlements')}
              report={report}
              onOpen={(row) => void navigate(addressOf(row))}
              {...(canOpen && { addressOf })}
            />
            <Notes report={report} />
          </>
        )}
      </QueryContent>
    </Box>
  );
}

function Notes({ report: { rows, others, count } }: { report: Report & { readonly count: number } }) {
  const notes = [
    ...(count > rows.length
      ? [
          t('The table shows the newest {{shown}} of {{count, number}} settlements. The total covers all of them.', {
            shown: rows.length,
            count,
          }),
        ]
      : []),
    ...others.map((other) =>
      t('Not included: {{count, number}} settlements in {{currency}}.', { count: other.count, currency: other.currency }),
    ),
  ];
  return <Box sx={{ fontSize: 13, color: 'text.secondary' }}>{notes.join(' ')}</Box>;
}
