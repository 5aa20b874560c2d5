import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormControlLabel from '@mui/material/FormControlLabel';
import MenuItem from '@mui/material/MenuItem';
import Switch from '@mui/material/Switch';
import TextField from '@mui/material/TextField';
import { Printer } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { ApplicationOptions } from '#renderer/application';
import { type PrinterSetup, useDesktop } from '#renderer/desktop';
import { usePrinter } from '#renderer/printing';
import { Dialog } from '#renderer/ui';
import { AUTO_PRINT, type AutoPrint, RECEIPT_WIDTHS, type ReceiptWidth, useWorkstation } from '#renderer/workstation';
import { PrinterPage } from './printer-page.tsx';

const WIDTHS: Readonly<Record<ReceiptWidth, string>> = { '58mm': '58 mm roll', '80mm': '80 mm roll', letter: 'US letter' };
const PRINTS: Readonly<Record<AutoPrint, string>> = { never: 'Nothing', customer: 'Customer copy', both: 'Customer and merchant copy' };
/** A select has no null. */
const BY_MERCHANT = 'merchant';

/**
 * Settings of this workstation: printing, keys and sound. Each change applies immediately and stays on this computer. Mounted while it is
 * open.
 */
export function WorkstationDialog({ onClose }: { onClose: () => void }) {
  const { receiptWidth, autoPrint, autoAdvance, sound, letterKeys, change } = useWorkstation();
  const { receiptPrinter } = useDesktop();
  const printer = usePrinter();
  const [isAtPrinter, setAtPrinter] = useState(false);
  if (isAtPrinter && receiptPrinter) {
    return <PrinterPage setup={printer} receiptPrinter={receiptPrinter} onDone={() => setAtPrinter(false)} onClose={onClose} />;
  }
  return (
    <Dialog
      title="This workstation"
      isOpen
      onClose={onClose}
      onSubmit={onClose}
      actions={
        <Button type="submit" variant="contained" color="primary" autoFocus>
          Done
        </Button>
      }
    >
      <PrinterLine printer={printer} onChange={receiptPrinter && (() => setAtPrinter(true))} />
      <Box sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', sm: 'repeat(2, minmax(0, 1fr))' }, gap: 4, pt: 4 }}>
        <Choice
          label="Printed when approved"
          value={autoPrint ?? BY_MERCHANT}
          options={[[BY_MERCHANT, 'As the merchant has it'], ...AUTO_PRINT.map((choice) => [choice, PRINTS[choice]] as const)]}
          onChange={(value) => change({ autoPrint: AUTO_PRINT.find((choice) => choice === value) ?? null })}
        />
        {printer === null && (
          <Choice
            label="Receipt paper"
            value={receiptWidth ?? BY_MERCHANT}
            options={[[BY_MERCHANT, 'As the merchant has it'], ...RECEIPT_WIDTHS.map((width) => [width, WIDTHS[width]] as const)]}
            onChange={(value) => change({ receiptWidth: RECEIPT_WIDTHS.find((width) => width === value) ?? null })}
          />
        )}
      </Box>
      <Box sx={{ display: 'grid', gap: 1, pt: 4 }}>
        <Option checked={autoAdvance} onChange={(next) => change({ autoAdvance: next })}>
          Move the cursor on when a card field is complete
        </Option>
        <Option checked={letterKeys} onChange={(next) => change({ letterKeys: next })}>
          Single letters are keys outside of fields
        </Option>
        <Option checked={sound} onChange={(next) => change({ sound: next })}>
          Sound when a payment is approved
        </Option>
      </Box>
      <ApplicationOptions />
    </Dialog>
  );
}

/** Receipt printer with a link to its settings. A browser has its own print dialog. */
function PrinterLine({ printer, onChange }: { printer: PrinterSetup | null; onChange: (() => void) | undefined }) {
  return (
    <Box
      sx={(theme) => ({
        display: 'flex',
        alignItems: 'center',
        gap: 3,
        mt: 1,
        py: 3,
        px: 4,
        border: `1px solid ${theme.vars.palette.divider}`,
        borderRadius: 1,
      })}
    >
      <Printer size={18} aria-hidden />
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Box sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>{printer?.name ?? 'No receipt printer'}</Box>
        <Box sx={{ fontSize: 13, color: 'text.secondary', overflowWrap: 'anywhere' }}>
          {printer ? placeOf(printer) : onChange ? 'The system’s print dialog asks each time.' : IN_BROWSER}
        </Box>
      </Box>
      {onChange && <Button onClick={onChange}>{printer ? 'Change' : 'Set up'}</Button>}
    </Box>
  );
}

const IN_BROWSER = 'In a browser its print dialog asks each time. The desktop application prints at once and opens the drawer.';

function placeOf({ address, paper, columns }: PrinterSetup): string {
  switch (address.kind) {
    case 'network':
      return `${address.host}:${address.port}, ${WIDTHS[paper]}, ${columns} columns`;
    case 'queue':
      return `Queue ${address.queue}, ${WIDTHS[paper]}, ${columns} columns`;
    case 'share':
      return `${address.share}, ${WIDTHS[paper]}, ${columns} columns`;
    case 'system':
      return `${address.printer}, ${WIDTHS[paper]}`;
  }
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, words: string])[];
  readonly onChange: (value: string) => void;
}

function Choice({ label, value, options, onChange }: ChoiceProps) {
  return (
    <TextField select label={label} value={value} onChange={(event) => onChange(event.target.value)}>
      {options.map(([option, name]) => (
        <MenuItem key={option} value={option}>
          {name}
        </MenuItem>
      ))}
    </TextField>
  );
}

function Option({ checked, onChange, children }: { checked: boolean; onChange: (next: boolean) => void; children: ReactNode }) {
  return <FormControlLabel control={<Switch checked={checked} onChange={(_, next) => onChange(next)} />} label={children} />;
}
