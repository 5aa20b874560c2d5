import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ItemImport } from '#renderer/base/client';
import { serviceText, t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { PREVIEW_ROWS, PreviewTable } from '#renderer/kit/file-import';
import { Dialog, FailureNote, FileDrop, showToast } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import { importItems, refreshItems } from './requests.ts';

interface ImportItemsDialogProps {
  readonly merchantId: string;
  readonly onClose: () => void;
}

/** Imports a CSV file of items: checks it first, shows the result of each line, and stores it only without errors. */
export function ImportItemsDialog({ merchantId, onClose }: ImportItemsDialogProps) {
  const { currency } = useMerchant();
  const [file, setFile] = useState<File>();
  const [isTaxIncluded, setTaxIncluded] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const submitButton = useRef<HTMLButtonElement>(null);
  const checking = useMutation({
    mutationFn: ([chosen, taxIncluded]: readonly [File, boolean]) => importItems(merchantId, chosen, { dryRun: true, taxIncluded }),
  });
  const storing = useMutation({
    mutationFn: (chosen: File) => importItems(merchantId, chosen, { dryRun: false, taxIncluded: isTaxIncluded }),
    onSuccess: (result) => {
      void refreshItems();
      if (!result.stored) return;
      const added = t('{{count, number}} items added', { count: result.created });
      showToast(`${added}, ${t('{{count, number}} changed', { count: result.updated })}`);
      onClose();
    },
  });
  // The button cannot have the focus before the check has ended.
  useEffect(() => {
    if (checking.data) submitButton.current?.focus();
  }, [checking.data]);
  const result = storing.data ?? checking.data;
  const canStore = file !== undefined && result !== undefined && result.failed === 0 && result.created + result.updated > 0;
  const choose = (chosen: File) => {
    storing.reset();
    setFile(chosen);
    checking.mutate([chosen, isTaxIncluded]);
  };
  const failure = storing.error ?? checking.error;
  return (
    <Dialog
      title={t('Import items')}
      isOpen
      onClose={onClose}
      maxWidth="md"
      onSubmit={() => (canStore && !storing.isPending ? storing.mutate(file) : input.current?.click())}
      actions={
        <>
          <Button variant="text" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button ref={submitButton} type="submit" variant="contained" color="primary" loading={checking.isPending || storing.isPending}>
            {canStore ? t('Import items') : t('Choose file')}
          </Button>
        </>
      }
    >
      <Box sx={{ color: 'text.secondary', mb: 4 }}>
        {t(
          'A CSV file with the columns name and price, and optionally taxRate, taxIncluded, key, barcode, kind, status and category, or an export of Square, Shopify, Lightspeed, Loyverse or WooCommerce. A line with the key or barcode of an existing item changes it.',
        )}
      </Box>
      <FormControlLabel
        control={
          <Checkbox
            checked={isTaxIncluded}
            onChange={(_, checked) => {
              setTaxIncluded(checked);
              if (file) checking.mutate([file, checked]);
            }}
          />
        }
        label={t('Prices include the tax if the file does not say')}
      />
      <FileDrop
        label={t('File of items')}
        inputRef={input}
        accept=".csv,.txt,.tsv,text/csv"
        onFile={choose}
        button={
          <Button autoFocus onClick={() => input.current?.click()}>
            {file ? t('Choose another file') : t('Choose file')}
          </Button>
        }
        hint={file?.name ?? t('Or drop the file here.')}
      >
        {failure && <FailureNote failure={failure} />}
        {result && <ImportReport result={result} currency={currency} />}
      </FileDrop>
    </Dialog>
  );
}

const SHOWN_MAX = 100;

const LAYOUTS: Readonly<Record<ItemImport['layout'], string | null>> = {
  paydesk: null,
  list: null,
  square: 'Square',
  shopify: 'Shopify',
  lightspeed: 'Lightspeed',
  loyverse: 'Loyverse',
  woocommerce: 'WooCommerce',
};

/** Sums of a check, what it would change, and the lines with errors. */
function ImportReport({ result, currency }: { readonly result: ItemImport; readonly currency: string }) {
  const errors = result.lines.filter((line) => line.result === 'error');
  const changes = result.lines.filter((line) => line.changes.length > 0);
  const skipped = result.lines.filter((line) => line.result === 'skipped');
  const product = LAYOUTS[result.layout];
  return (
    <Box role="status" sx={{ display: 'grid', gap: 2 }}>
      <Box sx={{ fontWeight: 600 }}>
        {[
          t('{{count, number}} new', { count: result.created }),
          t('{{count, number}} changed', { count: result.updated }),
          t('{{count, number}} unchanged', { count: result.unchanged }),
          ...(result.skipped > 0 ? [t('{{count, number}} skipped', { count: result.skipped })] : []),
          t('{{count, number}} with errors', { count: result.failed }),
        ].join(', ')}
      </Box>
      {product !== null && <Box>{t('The file is an export of {{product}}.', { product })}</Box>}
      {result.ignoredColumns.length > 0 && (
        <Box sx={{ color: 'text.secondary' }}>{t('Columns not read: {{columns}}', { columns: result.ignoredColumns.join(', ') })}</Box>
      )}
      <ItemPreview lines={result.lines} currency={currency} />
      {errors.length > 0 && (
        <>
          <Box sx={{ color: 'error.main' }}>
            {t('Nothing is stored until every line is correct. Correct the file and choose it again.')}
          </Box>
          <LineList label={t('Lines with errors')} lines={errors} textOf={errorText} />
        </>
      )}
      {changes.length > 0 && <LineList label={t('Changes of items')} lines={changes} textOf={changeText} />}
      {skipped.length > 0 && <LineList label={t('Lines that are skipped')} lines={skipped} textOf={errorText} />}
    </Box>
  );
}

type ImportLine = ItemImport['lines'][number];

/** The first lines with the items that are read from them. */
function ItemPreview({ lines, currency }: { readonly lines: readonly ImportLine[]; readonly currency: string }) {
  const taxOf = ({ taxRate, taxIncluded }: NonNullable<ImportLine['item']>) => {
    if (taxRate === null) return t('none');
    return taxIncluded ? t('{{rate, number}}%, included', { rate: taxRate }) : t('{{rate, number}}%, added', { rate: taxRate });
  };
  const cellsOf = ({ name, reason, item }: ImportLine) =>
    item === null
      ? [{ text: name ?? '' }, { problem: serviceText(reason ?? '') }, {}, {}, {}, {}]
      : [
          { text: item.name },
          { text: writeMoney(item.price, currency) },
          { text: taxOf(item) },
          { text: item.key ?? '' },
          { text: item.barcode ?? '' },
          { text: item.category ?? '' },
        ];
  return (
    <PreviewTable
      columns={[
        { label: t('Name') },
        { label: t('Price'), isNumber: true },
        { label: t('Tax') },
        { label: t('Key') },
        { label: t('Barcode') },
        { label: t('Category') },
      ]}
      rows={lines.slice(0, PREVIEW_ROWS).map((line) => ({ line: line.line, cells: cellsOf(line) }))}
    />
  );
}

function LineList(props: { readonly label: string; readonly lines: readonly ImportLine[]; readonly textOf: (line: ImportLine) => string }) {
  const { label, lines, textOf } = props;
  return (
    <Box component="ul" aria-label={label} sx={{ m: 0, paddingInlineStart: 4, maxHeight: 180, overflow: 'auto', fontSize: 13 }}>
      {lines.slice(0, SHOWN_MAX).map((line) => (
        <li key={line.line}>{textOf(line)}</li>
      ))}
    </Box>
  );
}

const shownValue = (value: ImportLine['changes'][number]['before']) => (value === null ? '–' : String(value));

const changeText = ({ line, name, changes }: ImportLine): string =>
  t('Line {{line}} ({{item}}): {{reason}}', {
    line,
    item: name ?? '',
    reason: changes.map(({ field, before, after }) => `${field} ${shownValue(before)} → ${shownValue(after)}`).join(', '),
  });

function errorText({ line, name, reason }: ImportLine): string {
  const values = { line, reason: serviceText(reason ?? '') };
  return name ? t('Line {{line}} ({{item}}): {{reason}}', { ...values, item: name }) : t('Line {{line}}: {{reason}}', values);
}
