import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Tooltip from '@mui/material/Tooltip';
import { FileText, type LucideIcon, Mail, MessageSquareText, Printer } from 'lucide-react';
import { t } from '#renderer/base/language';
import { keyTip, type Shortcut, useShortcuts } from '#renderer/kit/ui';
import type { ReceiptAction } from './receipt-action.ts';

interface ReceiptBarProps {
  /** Heading of its keys in the list of keys. */
  readonly group: string;
  readonly actions: readonly ReceiptAction[];
  readonly onPrint: () => void;
}

const ICONS: Readonly<Record<ReceiptAction['id'], LucideIcon>> = { email: Mail, text: MessageSquareText, pdf: FileText };

/** Buttons to print or send a receipt, each with its key. An unavailable action stays visible with its reason. */
export function ReceiptBar({ group, actions, onPrint }: ReceiptBarProps) {
  useShortcuts(group, [
    { keys: 'P', label: t('Print the receipt'), run: onPrint },
    ...actions.map(({ keys, action, run }): Shortcut => ({ keys, label: action, run })),
  ]);
  return (
    <Box role="group" aria-label={t('Receipt')} sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'center' }}>
      <Box component="span" sx={{ fontSize: 13, color: 'text.secondary', marginInlineEnd: 1 }}>
        {t('Receipt')}
      </Box>
      <Button size="small" onClick={onPrint} {...keyTip('P')} startIcon={<Printer size={14} aria-hidden />}>
        {t('Print')}
      </Button>
      {actions.map((receiptAction) => (
        <ReceiptButton key={receiptAction.id} receiptAction={receiptAction} />
      ))}
    </Box>
  );
}

const BLOCKED_STYLE = { '&&&': { color: 'text.disabled', borderColor: 'divider', borderStyle: 'dashed', cursor: 'default' } } as const;

/** A blocked button stays focusable, so that its reason is readable and announced. */
function ReceiptButton({ receiptAction: { id, keys, label, blockedReason, run } }: { receiptAction: ReceiptAction }) {
  const Icon = ICONS[id];
  const button = (
    <Button
      size="small"
      onClick={run}
      aria-disabled={blockedReason !== undefined || undefined}
      {...(blockedReason === undefined ? keyTip(keys) : { 'aria-keyshortcuts': keys })}
      startIcon={<Icon size={14} aria-hidden />}
      sx={blockedReason === undefined ? undefined : BLOCKED_STYLE}
    >
      {label}
    </Button>
  );
  if (blockedReason === undefined) return button;
  return (
    <Tooltip title={blockedReason} describeChild>
      {button}
    </Tooltip>
  );
}
