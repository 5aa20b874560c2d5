import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import { useCallback, useState } from 'react';
import type { ItemImport } from '#renderer/base/client';
import { serviceText, t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { CheckedImportDialog, type ImportedFile, PREVIEW_ROWS, PreviewTable } from '#renderer/kit/file-import';
import { useMerchant } from '#renderer/session/user';
import { importItems, refreshItems } from './requests.ts';

interface ImportItemsDialogProps {
  readonly merchantId: string;
  readonly onClose: () => void;
}

const FIELDS = [
  { field: 'name', label: t('Name'), isRequired: true },
  { field: 'price', label: t('Price'), isRequired: true },
  { field: 'taxRate', label: t('Tax rate') },
  { field: 'taxIncluded', label: t('Tax included') },
  { field: 'key', label: t('Key') },
  { field: 'barcode', label: t('Barcode') },
  { field: 'category', label: t('Category') },
  { field: 'status', label: t('Status') },
];

/** Imports items, or changes those whose key or barcode is known. */
export function ImportItemsDialog({ merchantId, onClose }: ImportItemsDialogProps) {
  const { currency } = useMerchant();
  const [taxIncluded, setTaxIncluded] = useState(false);
  const send = useCallback(
    (chosen: ImportedFile, dryRun: boolean) => importItems(merchantId, chosen, { dryRun, taxIncluded }),
    [merchantId, taxIncluded],
  );
  return (
    <CheckedImportDialog
      id="items"
      title={t('Import items')}
      explanation={t(
        'A CSV file with a column for the name and one for the price, or an export of Square, Shopify, Lightspeed, Loyverse or WooCommerce. A line with the key or barcode of an existing item changes it.',
      )}
      fields={FIELDS}
      fileLabel={t('File of items')}
      send={send}
      refresh={refreshItems}
      doneText={({ created, updated }) =>
        `${t('{{count, number}} items added', { count: created })}, ${t('{{count, number}} changed', { count: updated })}`
      }
      onClose={onClose}
      options={
        <FormControlLabel
          control={<Checkbox checked={taxIncluded} onChange={(_, checked) => setTaxIncluded(checked)} />}
          label={t('Prices include the tax if the file does not say')}
        />
      }
    >
      {(result) => <ImportReport result={result} currency={currency} />}
    </CheckedImportDialog>
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
