import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import TextField from '@mui/material/TextField';
import { useQuery } from '@tanstack/react-query';
import { Printer } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { t } from '#renderer/base/language';
import {
  AUTO_PRINT,
  type AutoPrint,
  DRAWER_LENGTH_MAX,
  RECEIPT_WIDTHS,
  type ReceiptWidth,
  useWorkstation,
} from '#renderer/base/workstation';
import { ApplicationOptions } from '#renderer/desktop/application';
import { type PrinterSetup, useDesktop } from '#renderer/desktop/bridge';
import { usePrinter } from '#renderer/desktop/printing';
import { Dialog, SelectField } from '#renderer/kit/ui';
import { useMay, useMerchant } from '#renderer/session/user';
import { cardReadersQuery, NO_CARD_READER, readerOfWorkstation } from '#renderer/shared/card-readers';
import { PrinterPage } from './printer-page.tsx';

const WIDTH_LABELS: Readonly<Record<ReceiptWidth, string>> = { '58mm': t('58 mm roll'), '80mm': t('80 mm roll'), letter: t('US letter') };
const AUTO_PRINT_LABELS: Readonly<Record<AutoPrint, string>> = {
  never: t('Nothing'),
  customer: t('Customer copy'),
  both: t('Customer and merchant copy'),
};
/** Option value for null, because a select cannot contain null. */
const MERCHANT_DEFAULT = 'merchant';

/**
 * Settings of this workstation: printing, keys and sound. Each change applies immediately and stays on this computer. Mounted while it is
 * open.
 */
export function WorkstationDialog({ onClose }: { onClose: () => void }) {
  const { receiptWidth, autoPrint, autoAdvance, sound, letterKeys, drawer, cardReader, change } = useWorkstation();
  const readers = useReaders();
  const { receiptPrinter } = useDesktop();
  const printer = usePrinter();
  const [isPrinterOpen, setPrinterOpen] = useState(false);
  if (isPrinterOpen && receiptPrinter) {
    return <PrinterPage setup={printer} receiptPrinter={receiptPrinter} onDone={() => setPrinterOpen(false)} onClose={onClose} />;
  }
  return (
    <Dialog
      title={t('This workstation')}
      isOpen
      onClose={onClose}
      onSubmit={onClose}
      actions={
        <Button type="submit" variant="contained" color="primary" autoFocus>
          {t('Done')}
        </Button>
      }
    >
      <PrinterLine printer={printer} onChange={receiptPrinter && (() => setPrinterOpen(true))} />
      <Box sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', sm: 'repeat(2, minmax(0, 1fr))' }, gap: 4, pt: 4 }}>
        <Choice
          label={t('Print when approved')}
          value={autoPrint ?? MERCHANT_DEFAULT}
          options={[
            [MERCHANT_DEFAULT, t('Use merchant default')],
            ...AUTO_PRINT.map((choice) => [choice, AUTO_PRINT_LABELS[choice]] as const),
          ]}
          onChange={(value) => change({ autoPrint: AUTO_PRINT.find((choice) => choice === value) ?? null })}
        />
        <TextField
          id="workstation-drawer"
          label={t('Cash drawer')}
          value={drawer}
          onChange={({ target }) => change({ drawer: target.value })}
          helperText={t('Shifts are counted per drawer.')}
          slotProps={{ htmlInput: { maxLength: DRAWER_LENGTH_MAX, autoComplete: 'off' } }}
        />
        {readers.length > 0 && (
          <Choice
            label={t('Card reader')}
            value={readerOfWorkstation(readers, { cardReader, drawer })?.terminalId ?? NO_CARD_READER}
            options={[[NO_CARD_READER, t('None: cards are keyed')], ...readers.map(({ terminalId, name }) => [terminalId, name] as const)]}
            onChange={(value) => change({ cardReader: value })}
          />
        )}
        {printer === null && (
          <Choice
            label={t('Receipt paper')}
            value={receiptWidth ?? MERCHANT_DEFAULT}
            options={[
              [MERCHANT_DEFAULT, t('Use merchant default')],
              ...RECEIPT_WIDTHS.map((width) => [width, WIDTH_LABELS[width]] as const),
            ]}
            onChange={(value) => change({ receiptWidth: RECEIPT_WIDTHS.find((width) => width === value) ?? null })}
          />
        )}
      </Box>
      <Box sx={{ display: 'grid', gap: 1, pt: 4 }}>
        <Option checked={autoAdvance} onChange={(next) => change({ autoAdvance: next })}>
          {t('Auto-advance when a card field is complete')}
        </Option>
        <Option checked={letterKeys} onChange={(next) => change({ letterKeys: next })}>
          {t('Enable single-key shortcuts')}
        </Option>
        <Option checked={sound} onChange={(next) => change({ sound: next })}>
          {t('Play a sound when a payment is approved')}
        </Option>
      </Box>
      <ApplicationOptions />
    </Dialog>
  );
}

/** Returns the card readers that this workstation can use. */
function useReaders() {
  const { merchantId } = useMerchant();
  const { data = [] } = useQuery({ ...cardReadersQuery(merchantId), enabled: useMay()('terminals:read') });
  return data;
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
        <Box sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>{printer?.name ?? t('No receipt printer')}</Box>
        <Box sx={{ fontSize: 13, color: 'text.secondary', overflowWrap: 'anywhere' }}>
          {printer ? describePrinter(printer) : onChange ? t('Uses the system’s print dialog.') : IN_BROWSER}
        </Box>
      </Box>
      {onChange && <Button onClick={onChange}>{printer ? t('Change', { context: 'action' }) : t('Set up')}</Button>}
    </Box>
  );
}

const IN_BROWSER = t('Uses the browser’s print dialog. The desktop application prints directly and opens the cash drawer.');

function describePrinter({ address, paper, columns }: PrinterSetup): string {
  const facts = [addressText(address), WIDTH_LABELS[paper]];
  if (address.kind !== 'system') facts.push(t('{{count, number}} columns', { count: columns }));
  return facts.join(', ');
}

function addressText(address: PrinterSetup['address']): string {
  switch (address.kind) {
    case 'network':
      return `${address.host}:${address.port}`;
    case 'queue':
      return t('Queue {{queue}}', { queue: address.queue });
    case 'share':
      return address.share;
    case 'system':
      return address.printer;
  }
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly onChange: (value: string) => void;
}

function Choice({ label, value, options, onChange }: ChoiceProps) {
  return <SelectField label={label} value={value} options={options} onChange={onChange} />;
}

function Option({ checked, onChange, children }: { checked: boolean; onChange: (next: boolean) => void; children: ReactNode }) {
  return <FormControlLabel control={<Switch checked={checked} onChange={(_, next) => onChange(next)} />} label={children} />;
}
