import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormControlLabel from '@mui/material/FormControlLabel';
import MenuItem from '@mui/material/MenuItem';
import Switch from '@mui/material/Switch';
import TextField from '@mui/material/TextField';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useDesktop } from '#renderer/desktop';
import { Dialog } from '#renderer/ui';
import { AUTO_PRINT, type AutoPrint, MOST_COPIES, RECEIPT_WIDTHS, type ReceiptWidth, useWorkstation } from '#renderer/workstation';

const WIDTHS: Readonly<Record<ReceiptWidth, string>> = { '58mm': '58 mm roll', '80mm': '80 mm roll', letter: 'US letter' };
const PRINTS: Readonly<Record<AutoPrint, string>> = { never: 'Nothing', customer: 'Customer copy', both: 'Customer and merchant copy' };
/** A select has no null. */
const BY_MERCHANT = 'merchant';
const BY_DIALOG = 'dialog';

/** How this desk works: paper, printer, keys and sound. Each change holds at once and stays on this computer. Mounted while it is open. */
export function WorkstationDialog({ onClose }: { onClose: () => void }) {
  const { receiptWidth, autoPrint, copies, printer, autoAdvance, sound, letterKeys, change } = useWorkstation();
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
      <Box sx={{ display: 'grid', gridTemplateColumns: 'repeat(2, minmax(0, 1fr))', gap: 4, pt: 2 }}>
        <Choice
          label="Receipt paper"
          value={receiptWidth ?? BY_MERCHANT}
          options={[[BY_MERCHANT, 'As the merchant has it'], ...RECEIPT_WIDTHS.map((width) => [width, WIDTHS[width]] as const)]}
          onChange={(value) => change({ receiptWidth: RECEIPT_WIDTHS.find((width) => width === value) ?? null })}
        />
        <Choice
          label="Printed when approved"
          value={autoPrint ?? BY_MERCHANT}
          options={[[BY_MERCHANT, 'As the merchant has it'], ...AUTO_PRINT.map((choice) => [choice, PRINTS[choice]] as const)]}
          onChange={(value) => change({ autoPrint: AUTO_PRINT.find((choice) => choice === value) ?? null })}
        />
        <Choice
          label="Copies of each"
          value={String(copies)}
          options={Array.from({ length: MOST_COPIES }, (_, index) => [String(index + 1), String(index + 1)] as const)}
          onChange={(value) => change({ copies: Number(value) })}
        />
        <PrinterChoice printer={printer} onChange={(name) => change({ printer: name })} />
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
    </Dialog>
  );
}

function PrinterChoice({ printer, onChange }: { printer: string | null; onChange: (name: string | null) => void }) {
  const desktop = useDesktop();
  const { data: printers = [] } = useQuery({ queryKey: ['printers'], queryFn: () => desktop.listPrinters(), enabled: desktop.isDesktop });
  const known = printers.some(({ name }) => name === printer);
  return (
    <Choice
      label="Printer"
      value={printer !== null && known ? printer : BY_DIALOG}
      options={[[BY_DIALOG, 'Ask each time'], ...printers.map(({ name, displayName }) => [name, displayName || name] as const)]}
      onChange={(value) => onChange(value === BY_DIALOG ? null : value)}
      words={desktop.isDesktop ? undefined : 'A browser always asks.'}
    />
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, words: string])[];
  readonly onChange: (value: string) => void;
  readonly words?: string | undefined;
}

function Choice({ label, value, options, onChange, words }: ChoiceProps) {
  return (
    <TextField select label={label} value={value} onChange={(event) => onChange(event.target.value)} helperText={words}>
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
