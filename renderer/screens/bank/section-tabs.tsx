import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { Link } from 'react-router';

const SECTIONS = [
  ['processor', 'Processor', '/reconciliation'],
  ['bank', 'Bank', '/reconciliation/bank'],
  ['close', 'Close', '/reconciliation/close'],
] as const;

/** Tabs of Reconciliation: comparison with the processor, with the bank, and the close of periods. */
export function SectionTabs({ section }: { section: (typeof SECTIONS)[number][0] }) {
  return (
    <Tabs value={section} aria-label="Reconciliation">
      {SECTIONS.map(([id, name, path]) => (
        <Tab key={id} value={id} label={name} component={Link} to={path} />
      ))}
    </Tabs>
  );
}
