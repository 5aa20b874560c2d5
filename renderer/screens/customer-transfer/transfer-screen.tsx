import { useParams } from 'react-router';
import { t } from '#renderer/base/language';
import { TabRow } from '#renderer/kit/choices';
import { Screen } from '#renderer/kit/ui';
import { useMay } from '#renderer/session/user';
import { ExportTab } from './export-tab.tsx';
import { ImportTab } from './import-tab.tsx';

/** Moves customers with their cards from an earlier provider, and to another one. */
export function TransferScreen() {
  const { tab } = useParams();
  const mayImport = useMay()('owner:transfers');
  const isExport = tab === 'export' || !mayImport;
  return (
    <Screen title={t('Import and export customers')} subtitle={t('Customers with their saved cards move between providers.')}>
      <TabRow
        label={t('Direction')}
        tabs={[
          ...(mayImport ? [{ id: 'import', name: t('Import'), to: '/customers/transfer' }] : []),
          { id: 'export', name: t('Export'), to: '/customers/transfer/export' },
        ]}
        value={isExport ? 'export' : 'import'}
        sx={{ mb: 4 }}
      />
      {isExport ? <ExportTab mayExportNumbers={mayImport} /> : <ImportTab />}
    </Screen>
  );
}
