import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { Link as RouteLink, useParams } from 'react-router';
import { t } from '#renderer/base/language';
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
      <Tabs value={isExport ? 'export' : 'import'} aria-label={t('Direction')} sx={{ mb: 4 }}>
        {mayImport && <Tab value="import" label={t('Import')} component={RouteLink} to="/customers/transfer" />}
        <Tab value="export" label={t('Export')} component={RouteLink} to="/customers/transfer/export" />
      </Tabs>
      {isExport ? <ExportTab mayExportNumbers={mayImport} /> : <ImportTab />}
    </Screen>
  );
}
