import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { Link } from 'react-router';
import { t } from '#renderer/base/language';

const SECTIONS = [
  ['processor', t('Processor'), '/reconciliation'],
  ['bank', t('Bank'), '/reconciliation/bank'],
  ['close', t('Close', { context: 'period' }), '/reconciliation/close'],
] as const;

/** Tabs of Reconciliation: comparison with the processor, with the bank, and the close of periods. */
export function SectionTabs({ section }: { section: (typeof SECTIONS)[number][0] }) {
  return (
    <Tabs value={section} aria-label={t('Reconciliation')}>
      {SECTIONS.map(([id, name, path]) => (
        <Tab key={id} value={id} label={name} component={Link} to={path} />
      ))}
    </Tabs>
  );
}
