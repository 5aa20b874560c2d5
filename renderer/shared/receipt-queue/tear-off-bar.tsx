import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { Scissors } from 'lucide-react';
import { useEffect } from 'react';
import { t } from '#renderer/base/language';
import type { QueuedPrintJob, ReceiptPrinter } from '#renderer/desktop/bridge';
import { announce, keyLabel, keyTip, useShortcuts } from '#renderer/kit/ui';

const KEY = 'F7';

/** Holds back the next copy until the last one is torn off. Shown over the screen without blocking it. */
export function TearOffBar({ job, receiptPrinter }: { job: QueuedPrintJob; receiptPrinter: ReceiptPrinter }) {
  const { id, title, sent, copies } = job;
  const copyText = sent > 0 ? t('{{copy}} {{number}} of {{copies}}', { copy: title, number: sent + 1, copies }) : title;
  const next = () => void receiptPrinter.actOnPrintJob(id, 'next');
  useShortcuts(t('Printing'), [{ keys: KEY, label: t('Print the next copy'), run: next, always: true }]);
  useEffect(
    () => announce(t('Tear off the paper, then press {{key}} for the next: {{copy}}.', { key: keyLabel(KEY), copy: copyText })),
    [copyText],
  );
  return (
    <Box
      role="group"
      aria-label={t('Tear off the paper')}
      sx={(theme) => ({
        position: 'fixed',
        insetInline: 0,
        // Above the toasts.
        bottom: 92,
        mx: 'auto',
        width: 'fit-content',
        maxWidth: 'calc(100% - 32px)',
        display: 'flex',
        alignItems: 'center',
        gap: 3,
        py: 2,
        paddingInlineStart: 4,
        paddingInlineEnd: 2,
        zIndex: 'appBar',
        borderRadius: 1,
        border: `1px solid ${theme.vars.palette.divider}`,
        backgroundColor: theme.vars.palette.background.paper,
        boxShadow: '0 8px 24px rgb(8 14 20 / 0.18)',
      })}
    >
      <Scissors size={18} aria-hidden />
      <Box>
        <Box sx={{ fontWeight: 600 }}>{t('Tear off the paper, then press Next')}</Box>
        <Box sx={{ fontSize: 13, color: 'text.secondary' }}>{t('Next: {{title}}', { title: copyText })}</Box>
      </Box>
      <Button onClick={next} {...keyTip(KEY)}>
        {t('Next')}
      </Button>
    </Box>
  );
}
