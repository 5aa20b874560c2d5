import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Tooltip from '@mui/material/Tooltip';
import { FileText, type LucideIcon, Mail, MessageSquareText, Printer } from 'lucide-react';
import { KeyHint, type Shortcut, useShortcuts } from '#renderer/ui';
import type { ReceiptWay } from './receipt-way.ts';

export interface ReceiptBarProps {
  /** Heading of its keys in the list of keys. */
  readonly group: string;
  readonly ways: readonly ReceiptWay[];
  readonly onPrint: () => void;
}

const ICONS: Readonly<Record<ReceiptWay['id'], LucideIcon>> = { email: Mail, text: MessageSquareText, pdf: FileText };

/** A receipt's ways to paper and to people, each with its key. What is barred stays in sight, with its reason. */
export function ReceiptBar({ group, ways, onPrint }: ReceiptBarProps) {
  useShortcuts(group, [
    { keys: 'P', label: 'Print the receipt', run: onPrint },
    ...ways.map(({ keys, action, run }): Shortcut => ({ keys, label: action, run })),
  ]);
  return (
    <Box role="group" aria-label="Receipt" sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'center' }}>
      <Box component="span" sx={{ fontSize: 13, color: 'text.secondary', mr: 1 }}>
        Receipt
      </Box>
      <Button
        size="small"
        onClick={onPrint}
        aria-keyshortcuts="P"
        startIcon={<Printer size={14} aria-hidden />}
        endIcon={<KeyHint keys="P" />}
      >
        Print
      </Button>
      {ways.map((way) => (
        <Way key={way.id} way={way} />
      ))}
    </Box>
  );
}

const BARRED = { '&&&': { color: 'text.disabled', borderColor: 'divider', borderStyle: 'dashed', cursor: 'default' } } as const;

/** A barred button can still be reached, so that its reason can be read and heard. */
function Way({ way: { id, keys, label, barred, run } }: { way: ReceiptWay }) {
  const Icon = ICONS[id];
  const button = (
    <Button
      size="small"
      onClick={run}
      aria-disabled={barred !== undefined || undefined}
      aria-keyshortcuts={keys}
      startIcon={<Icon size={14} aria-hidden />}
      endIcon={<KeyHint keys={keys} />}
      sx={barred === undefined ? undefined : BARRED}
    >
      {label}
    </Button>
  );
  if (barred === undefined) return button;
  return (
    <Tooltip title={barred} describeChild>
      {button}
    </Tooltip>
  );
}
