import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import FormControlLabel from '@mui/material/FormControlLabel';
import MenuItem from '@mui/material/MenuItem';
import Switch from '@mui/material/Switch';
import TextField from '@mui/material/TextField';
import { useQuery } from '@tanstack/react-query';
import { t } from '#renderer/base/language';
import { type CodePage, useDesktop } from '#renderer/desktop/bridge';
import { SelectField } from '#renderer/kit/ui';
import { COLUMN_CHOICES, COPY_CHOICES, type PrinterDraft, type PrinterKind } from './printer-draft.ts';
import type { PrinterForm } from './use-printer-form.ts';

const isWindows = navigator.userAgent.includes('Windows');

const KINDS: readonly { readonly id: PrinterKind; readonly name: string; readonly isSupported: boolean }[] = [
  { id: 'network', name: t('Receipt printer on the network'), isSupported: true },
  { id: 'queue', name: t('Receipt printer on this computer (CUPS queue)'), isSupported: !isWindows },
  { id: 'share', name: t('Receipt printer shared by Windows'), isSupported: isWindows },
  { id: 'system', name: t('Any printer with a driver'), isSupported: true },
];
const PAPERS = { '58mm': t('58 mm roll'), '80mm': t('80 mm roll'), letter: t('US letter') } as const;
const CODE_PAGES: Readonly<Record<CodePage, string>> = {
  cp858: t('CP858, with the euro'),
  windows1252: 'Windows-1252',
  cp850: 'CP850',
  cp437: 'CP437',
};
const CUSTOM = 'own';
const NO_DRAWER = 'none';
const TWO_COLUMNS = { display: 'grid', gridTemplateColumns: { xs: '1fr', sm: 'repeat(2, minmax(0, 1fr))' }, gap: 4, alignItems: 'start' };

/** Address and features of the receipt printer. `showsCopiesAndDrawer` adds copies and drawer. */
export function PrinterFields({ form, showsCopiesAndDrawer }: { form: PrinterForm; showsCopiesAndDrawer: boolean }) {
  const { draft, change, outcome } = form;
  const isRaw = draft.kind !== 'system';
  return (
    <Box sx={{ display: 'grid', gap: 4 }}>
      <TextField
        id="printer-kind"
        select
        label={t('Printer')}
        value={draft.kind}
        onChange={({ target }) => change(changesForKind(draft, target.value as PrinterKind))}
        helperText={
          isRaw
            ? t('Prints immediately with the printer’s own fonts, and can open a cash drawer.')
            : t('For printers without ESC/POS, such as an office printer.')
        }
      >
        {KINDS.filter(({ id, isSupported }) => isSupported || id === draft.kind).map(({ id, name }) => (
          <MenuItem key={id} value={id}>
            {name}
          </MenuItem>
        ))}
      </TextField>
      <AddressFields form={form} />
      <Box sx={TWO_COLUMNS}>
        <Field form={form} field="name" id="printer-name" label={t('Name')} />
        <TextField
          id="printer-paper"
          select
          label={t('Paper')}
          value={draft.paper}
          onChange={({ target }) => change(changesForPaper(target.value as PrinterDraft['paper']))}
        >
          {(isRaw ? (['58mm', '80mm'] as const) : (['58mm', '80mm', 'letter'] as const)).map((paper) => (
            <MenuItem key={paper} value={paper}>
              {PAPERS[paper]}
            </MenuItem>
          ))}
        </TextField>
        {isRaw && <ColumnFields form={form} />}
        {isRaw && (
          <SelectField
            id="printer-letters"
            label={t('Character set')}
            value={draft.codePage}
            options={CODE_PAGES}
            onChange={(value) => change({ codePage: value })}
          />
        )}
        {showsCopiesAndDrawer && (
          <CopyField
            id="customer-copies"
            label={t('Customer copies')}
            value={draft.customerCopies}
            onChange={(customerCopies) => change({ customerCopies })}
          />
        )}
        {showsCopiesAndDrawer && (
          <CopyField
            id="merchant-copies"
            label={t('Merchant copies')}
            value={draft.merchantCopies}
            onChange={(merchantCopies) => change({ merchantCopies })}
          />
        )}
        {showsCopiesAndDrawer && isRaw && <DrawerField draft={draft} change={change} />}
        <Box sx={{ display: 'grid', gap: 1, alignSelf: 'end' }}>
          <Option checked={draft.cuts} label={t('Cuts the paper')} onChange={(cuts) => change({ cuts })} />
          {!draft.cuts && (
            <Option
              checked={draft.pausesToTear}
              label={t('Wait until the paper is torn off')}
              onChange={(pausesToTear) => change({ pausesToTear })}
            />
          )}
          {!isRaw && (
            <Option
              checked={draft.usesOwnPage}
              label={t('Use the driver’s page size')}
              onChange={(usesOwnPage) => change({ usesOwnPage })}
            />
          )}
        </Box>
      </Box>
      {outcome && (
        <Alert severity={outcome.isGood ? 'success' : 'error'} role="presentation">
          {outcome.text}
        </Alert>
      )}
    </Box>
  );
}

/** Returns the changes of the form for another kind of printer. */
function changesForKind({ paper }: PrinterDraft, kind: PrinterKind): Partial<PrinterDraft> {
  return kind !== 'system' && paper === 'letter' ? { kind, ...changesForPaper('80mm') } : { kind };
}

function changesForPaper(paper: PrinterDraft['paper']): Partial<PrinterDraft> {
  return { paper, columns: String(COLUMN_CHOICES[paper][0]) };
}

function AddressFields({ form }: { form: PrinterForm }) {
  switch (form.draft.kind) {
    case 'network':
      return (
        <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr) 112px', gap: 4, alignItems: 'start' }}>
          <Field
            form={form}
            field="host"
            id="printer-host"
            label={t('Address')}
            placeholder="192.168.1.50"
            help={t('Shown on the printer’s status page.')}
          />
          <Field form={form} field="port" id="printer-port" label={t('Port')} />
        </Box>
      );
    case 'queue':
      return (
        <Field
          form={form}
          field="queue"
          id="printer-queue"
          label={t('Queue')}
          placeholder="Front_Desk"
          help={t('The command lpstat -p lists the queues.')}
        />
      );
    case 'share':
      return (
        <Field form={form} field="share" id="printer-share" label={t('Shared printer')} placeholder={String.raw`\\FRONT-PC\Receipts`} />
      );
    case 'system':
      return <SystemPrinterField form={form} />;
  }
}

function SystemPrinterField({ form: { draft, change, problems } }: { form: PrinterForm }) {
  const { listPrinters } = useDesktop();
  const { data: printers, isPending } = useQuery({ queryKey: ['printers'], queryFn: () => listPrinters(), staleTime: 0 });
  const options = (printers ?? []).map(({ name, displayName }) => ({ name, label: displayName || name }));
  const isMissing = draft.printer !== '' && !options.some(({ name }) => name === draft.printer);
  return (
    <TextField
      id="printer-system"
      select
      label={t('Printer on this computer')}
      value={draft.printer}
      onChange={({ target }) => change({ printer: target.value })}
      error={problems.printer !== undefined}
      helperText={
        problems.printer ?? (printers?.length === 0 ? t('This computer has no printers. Add one in its settings first.') : undefined)
      }
      slotProps={{ select: { displayEmpty: true } }}
    >
      <MenuItem value="" disabled>
        {isPending ? t('Searching for printers') : t('Choose a printer')}
      </MenuItem>
      {isMissing && <MenuItem value={draft.printer}>{t('{{printer}} (not found)', { printer: draft.printer })}</MenuItem>}
      {options.map(({ name, label }) => (
        <MenuItem key={name} value={name}>
          {label}
        </MenuItem>
      ))}
    </TextField>
  );
}

function ColumnFields({ form }: { form: PrinterForm }) {
  const { draft, change } = form;
  const choices = [...new Set([...COLUMN_CHOICES[draft.paper], 48, 44, 42, 32])].toSorted((one, other) => other - one);
  const isCustom = !choices.some((columns) => String(columns) === draft.columns);
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: isCustom ? 'minmax(0, 1fr) 88px' : '1fr', gap: 2, alignItems: 'start' }}>
      <SelectField
        id="printer-columns-choice"
        label={t('Columns')}
        value={isCustom ? CUSTOM : draft.columns}
        options={[...choices.map((columns) => [String(columns), columns] as const), [CUSTOM, t('Other')]]}
        onChange={(value) => change({ columns: value === CUSTOM ? '' : value })}
        helperText={isCustom ? undefined : t('Print a test page to check that they fit.')}
      />
      {isCustom && <Field form={form} field="columns" id="printer-columns" label={t('Number')} />}
    </Box>
  );
}

function DrawerField({ draft: { drawerPin }, change }: Pick<PrinterForm, 'draft' | 'change'>) {
  return (
    <SelectField
      id="printer-drawer"
      label={t('Cash drawer')}
      value={drawerPin === null ? NO_DRAWER : String(drawerPin)}
      options={[
        [NO_DRAWER, t('None')],
        ['2', t('On pin 2')],
        ['5', t('On pin 5')],
      ]}
      onChange={(value) => change({ drawerPin: value === '2' ? 2 : value === '5' ? 5 : null })}
      helperText={drawerPin === null ? undefined : t('Opens for cash payments only.')}
    />
  );
}

interface CopyFieldProps {
  readonly id: string;
  readonly label: string;
  readonly value: number;
  readonly onChange: (copies: number) => void;
}

function CopyField({ id, label, value, onChange }: CopyFieldProps) {
  return (
    <SelectField
      id={id}
      label={label}
      value={String(value)}
      options={COPY_CHOICES.map((copies) => [String(copies), copies])}
      onChange={(value) => onChange(Number(value))}
    />
  );
}

interface FieldProps {
  readonly form: PrinterForm;
  readonly field: 'name' | 'host' | 'port' | 'queue' | 'share' | 'columns';
  readonly id: string;
  readonly label: string;
  readonly placeholder?: string;
  readonly help?: string;
}

function Field({ form: { draft, change, problems }, field, id, label, placeholder, help }: FieldProps) {
  return (
    <TextField
      id={id}
      label={label}
      placeholder={placeholder}
      value={draft[field]}
      onChange={({ target }) => change({ [field]: target.value })}
      error={problems[field] !== undefined}
      helperText={problems[field] ?? help}
      slotProps={{ htmlInput: { autoComplete: 'off', spellCheck: false, maxLength: 253 } }}
    />
  );
}

function Option({ checked, label, onChange }: { checked: boolean; label: string; onChange: (next: boolean) => void }) {
  return <FormControlLabel control={<Switch checked={checked} onChange={(_, next) => onChange(next)} />} label={label} />;
}
