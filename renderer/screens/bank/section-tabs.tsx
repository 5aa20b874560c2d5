import { t } from '#renderer/base/language';
import { TabRow } from '#renderer/kit/choices';

const SECTIONS = [
  { id: 'processor', name: t('Processor'), to: '/reconciliation' },
  { id: 'bank', name: t('Bank'), to: '/reconciliation/bank' },
  { id: 'close', name: t('Close', { context: 'period' }), to: '/reconciliation/close' },
] as const;

/** Tabs of Reconciliation: comparison with the processor, with the bank, and the close of periods. */
export function SectionTabs({ section }: { section: (typeof SECTIONS)[number]['id'] }) {
  return <TabRow label={t('Reconciliation')} tabs={SECTIONS} value={section} />;
}
