import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import { api, type ItemReport, keptQuery, takeData } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { EmptyState, QueryContent } from '#renderer/kit/ui';
import { saveCsv } from '#renderer/session/download';
import { useMerchant } from '#renderer/session/user';
import type { Days } from '#renderer/shared/reporting';
import { FigureList } from './figure-list.tsx';
import { type Column, headFigures, type Report } from './report.ts';
import { ReportBar } from './report-bar.tsx';
import { ReportTable } from './report-table.tsx';
import type { ViewInAddress } from './use-view.ts';

type Sums = ItemReport['total'] & { readonly quantity: number };

type SumColumn = Column & { readonly read: (sums: Sums) => number };

const COLUMNS: readonly SumColumn[] = [
  { name: t('Quantity'), kind: 'count', isHead: true, read: ({ quantity }) => quantity },
  { name: t('Sales'), kind: 'count', read: ({ count }) => count },
  { name: t('Amount'), kind: 'money', isHead: true, read: ({ sales }) => sales },
  { name: t('Sales tax'), kind: 'money', read: ({ taxes }) => taxes },
  { name: t('Refunds'), kind: 'money', isHead: true, read: ({ refunds }) => refunds },
  { name: t('Net'), kind: 'money', isHead: true, read: ({ net }) => net },
];
const DISCOUNTS: SumColumn = { name: t('Discounts'), kind: 'money', read: ({ discounts }) => discounts };

/** Returns the columns of a report. Discounts have one if there are some. */
const columnsOf = ({ total }: ItemReport): readonly SumColumn[] => (total.discounts === 0 ? COLUMNS : COLUMNS.toSpliced(3, 0, DISCOUNTS));

function itemsQuery(merchantId: string, days: Days) {
  const query = { ...days, merchantId };
  return keptQuery(['reports', 'items', query], (signal) => takeData(api.GET('/api/v1/reporting/items', { params: { query }, signal })));
}

/** Report of items, and of their categories if they have some. */
interface ItemReports {
  readonly items: Report;
  readonly categories: Report;
}

/** Returns the sums of items or categories as a report. */
function reportOf(found: ItemReport, rows: readonly (Sums & Pick<Report['rows'][number], 'key' | 'name' | 'shortName'>)[]): Report {
  const { total, currency } = found;
  const columns = columnsOf(found);
  return {
    currency,
    columns,
    rows: rows.map((row) => ({
      key: row.key,
      name: row.name,
      shortName: row.shortName,
      cells: columns.map(({ read }) => read(row)),
      bars: [row.net],
      isPartial: false,
      filter: {},
    })),
    totals: columns.map(({ read }) => read({ ...total, quantity: rows.reduce((sum, { quantity }) => sum + quantity, 0) })),
    bars: [t('Net')],
    barKind: 'money',
    others: [],
    isEmpty: rows.length === 0,
    filter: {},
  };
}

/** Items and categories as rows. */
const reportsOf = (found: ItemReport): ItemReports => ({
  items: reportOf(
    found,
    found.items.map((item) => ({
      ...item,
      key: item.itemId ?? `:${item.name}`,
      name: item.name,
      shortName: item.name,
    })),
  ),
  categories: reportOf(
    found,
    found.categories.map((sums) => {
      const name = sums.category ?? t('No category');
      return { ...sums, key: sums.category ?? '', name, shortName: name };
    }),
  ),
});

/** Sales of a period by item. */
export function ItemsTab({ view, today }: { readonly view: ViewInAddress; readonly today: string }) {
  const { merchantId } = useMerchant();
  const found = useQuery({ ...itemsQuery(merchantId, view.days), select: reportsOf });
  const isReady = found.data?.items.isEmpty === false;
  const { startDate, endDate } = view.days;
  const save = async () => {
    const isSaved = await saveCsv({
      path: '/api/v1/reporting/items/export',
      query: { startDate, endDate, merchantId },
      name: `sales by item ${startDate} to ${endDate}.csv`,
      rows: found.data?.items.rows.length ?? 0,
    });
    return isSaved ? t('Sales by item exported') : undefined;
  };
  return (
    <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <ReportBar
        view={view}
        today={today}
        isReady={isReady}
        csv={{ label: t('Export sales by item as CSV'), save }}
        mail={{ report: 'items', startDate, endDate, merchantId }}
      />
      <QueryContent
        query={found}
        isEmpty={({ items }) => items.isEmpty}
        empty={
          <EmptyState title={t('Nothing to report')}>{t('No sale of this period has items. Items are added in Settings.')}</EmptyState>
        }
      >
        {({ items, categories }) => (
          <>
            <FigureList label={t('Figures')} figures={headFigures(items)} />
            {!categories.isEmpty && <ReportTable label={t('Sales by category')} report={categories} onOpen={() => {}} />}
            <ReportTable label={t('Sales by item')} report={items} onOpen={() => {}} />
            <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
              {t('Amounts include tax. A refund is taken off on the day of its sale, in proportion to the lines of the sale.')}
            </Box>
          </>
        )}
      </QueryContent>
    </Box>
  );
}
