import { useQuery } from '@tanstack/react-query';
import { t } from '#renderer/base/language';
import { ExportCsvButton } from '#renderer/session/download';
import { logQuery } from './queries.ts';
import { useLogFilter } from './use-log-filter.ts';

/** Saves every entry of the filter, not only the page on screen. */
export function ExportButton() {
  const { filter, page } = useLogFilter();
  const rows = useQuery(logQuery(filter, page)).data?.total ?? 0;
  return (
    <ExportCsvButton
      area="audit"
      file={{ path: '/api/v1/audit-logs/export', query: filter, name: 'audit-log.csv', rows }}
      exported={(count) => t('{{count, number}} entries exported', { count })}
    />
  );
}
