import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import TextField from '@mui/material/TextField';
import { useMutation } from '@tanstack/react-query';
import { type ChangeEvent, useState } from 'react';
import type { Item } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { decimalText, readAmount, toMinor } from '#renderer/base/money';
import { ChoiceButtons } from '#renderer/kit/choices';
import { offerUndo } from '#renderer/kit/record';
import { FormDialog, focusField, useSubmit } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import { readTaxRate } from '#shared/line-items';
import { changeItem, createItem, type ItemFields, refreshItems } from './requests.ts';

interface ItemDialogProps {
  readonly merchantId: string;
  /** Item to change; undefined for a new one. */
  readonly item: Item | undefined;
  /** Categories of the other items, as suggestions. */
  readonly categories: readonly string[];
  readonly onClose: () => void;
}

const FIELDS = ['name', 'price', 'taxRate', 'key', 'barcode', 'category'] as const;
type Field = (typeof FIELDS)[number];

/** Adds or changes an item. Mounted while it is open. */
export function ItemDialog({ merchantId, item, categories, onClose }: ItemDialogProps) {
  const { currency } = useMerchant();
  const [kind, setKind] = useState<Item['kind']>(item?.kind ?? 'item');
  const [texts, setTexts] = useState(() => textsOf(item));
  const [taxIncluded, setTaxIncluded] = useState(item?.taxIncluded ?? false);
  const [isChecked, setChecked] = useState(false);
  const isItem = kind === 'item';
  const price = readAmount(texts.price, currency);
  const priceText = price.kind === 'zero' && isItem ? '0' : price.kind === 'valid' ? price.decimal : null;
  const problems: Partial<Record<Field, string>> = {
    ...(texts.name.trim() === '' && { name: t('Enter a name.') }),
    ...(priceText === null && { price: isItem ? t('Enter the price, such as 4.50.') : t('Enter an amount above 0.') }),
    ...(isItem &&
      texts.taxRate.trim() !== '' &&
      readTaxRate(texts.taxRate.trim()) === null && { taxRate: t('Enter a percentage, such as 8.875.') }),
  };
  const finish = () => {
    void refreshItems();
    onClose();
  };
  const saving = useSubmit({
    send: (fields: ItemFields) => (item ? changeItem(item.itemId, fields) : createItem(merchantId, fields)),
    toast: ({ name }) => (item ? t('{{name}} changed', { name }) : t('{{name}} added', { name })),
    onDone: finish,
    onClose,
  });
  const archiving = useMutation({
    mutationFn: ({ itemId, status }: Item) => changeItem(itemId, { status: status === 'active' ? 'archived' : 'active' }),
    onSuccess: ({ itemId, name, status }) => {
      const before = status === 'active' ? 'archived' : 'active';
      const text = status === 'active' ? t('{{name}} restored', { name }) : t('{{name}} archived', { name });
      offerUndo(text, () => changeItem(itemId, { status: before }), refreshItems);
      finish();
    },
  });
  const failure = saving.failure ?? archiving.error;
  const faultOf = (field: Field) => (isChecked ? problems[field] : undefined) ?? (failure?.field === field ? failure.message : undefined);
  const isAtField = FIELDS.some((field) => failure?.field === field);
  const submit = () => {
    setChecked(true);
    const wrong = FIELDS.find((field) => problems[field] !== undefined);
    if (wrong !== undefined) return focusField(`item-${wrong}`);
    if (priceText === null) return;
    saving.onSubmit({
      kind,
      name: texts.name.trim(),
      price: priceText,
      taxRate: (isItem && texts.taxRate.trim()) || null,
      taxIncluded: isItem && taxIncluded,
      key: texts.key.trim() || null,
      barcode: (isItem && texts.barcode.trim()) || null,
      category: texts.category.trim() || null,
    });
  };
  const text = (
    field: Field,
    label: string,
    more: { helper?: string; maxLength: number; autoFocus?: boolean; numeric?: boolean; list?: string },
  ) => (
    <TextField
      id={`item-${field}`}
      name={field}
      label={label}
      value={texts[field]}
      autoFocus={more.autoFocus ?? false}
      onChange={({ target }: ChangeEvent<HTMLInputElement>) => setTexts({ ...texts, [field]: target.value })}
      error={faultOf(field) !== undefined}
      helperText={faultOf(field) ?? more.helper}
      slotProps={{
        htmlInput: {
          maxLength: more.maxLength,
          autoComplete: 'off',
          ...(more.numeric && { inputMode: 'decimal' }),
          ...(more.list && { list: more.list }),
        },
      }}
    />
  );
  return (
    <FormDialog
      {...saving}
      title={item ? t('Change {{name}}', { name: item.name }) : t('Add item')}
      submitLabel={item ? t('Save item') : t('Add item')}
      failure={isAtField ? null : failure}
      onSubmit={submit}
      maxWidth="xs"
      more={
        item && (
          <Button onClick={() => archiving.mutate(item)} loading={archiving.isPending}>
            {item.status === 'active' ? t('Archive item') : t('Restore item')}
          </Button>
        )
      }
    >
      <Box sx={{ display: 'grid', gap: 4, pt: 1 }}>
        <ChoiceButtons
          label={t('Kind')}
          options={[
            ['item', t('Item')],
            ['amount', t('Quick amount')],
          ]}
          value={kind}
          onChange={setKind}
        />
        {text('name', t('Name'), { maxLength: 100, autoFocus: true })}
        <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: isItem ? '1fr 1fr' : '1fr' }}>
          {text('price', isItem ? t('Price, {{currency}}', { currency }) : t('Amount, {{currency}}', { currency }), {
            maxLength: 18,
            numeric: true,
          })}
          {isItem && text('taxRate', t('Tax, percent (optional)'), { maxLength: 7, numeric: true })}
        </Box>
        {isItem && texts.taxRate.trim() !== '' && (
          <FormControlLabel
            control={<Switch checked={taxIncluded} onChange={({ target }) => setTaxIncluded(target.checked)} />}
            label={t('The price includes the tax')}
          />
        )}
        <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: isItem ? '1fr 1fr' : '1fr' }}>
          {text('key', t('Key (optional)'), { maxLength: 8, helper: t('Typed on the Sell screen') })}
          {isItem && text('barcode', t('Barcode (optional)'), { maxLength: 64, helper: t('Scan it into this field') })}
        </Box>
        {text('category', t('Category (optional)'), {
          maxLength: 40,
          helper: t('Groups the buttons of the Sell screen'),
          list: 'item-categories',
        })}
        <datalist id="item-categories">
          {categories.map((category) => (
            <option key={category} value={category} />
          ))}
        </datalist>
      </Box>
    </FormDialog>
  );
}

function textsOf(item: Item | undefined): Record<Field, string> {
  return {
    name: item?.name ?? '',
    price: item === undefined ? '' : decimalText(toMinor(item.price, item.currency), item.currency),
    taxRate: item?.taxRate?.toString() ?? '',
    key: item?.key ?? '',
    barcode: item?.barcode ?? '',
    category: item?.category ?? '',
  };
}
