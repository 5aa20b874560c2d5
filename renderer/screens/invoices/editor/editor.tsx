import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import type { SxProps, Theme } from '@mui/material/styles';
import TextField from '@mui/material/TextField';
import type { KeyboardEvent } from 'react';
import { t } from '#renderer/base/language';
import { FailureNote, focusField, keyTip, Screen, useShortcuts } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import { CustomerField } from '#renderer/shared/customers';
import { LocalOnlyNote } from '#renderer/shared/payer-links';
import { UnsavedChanges } from '#renderer/shared/unsaved-changes';
import { DueField } from './due-field.tsx';
import { InvoicePreview } from './invoice-preview.tsx';
import { LineGrid } from './line-grid.tsx';
import { type EditorOptions, recipientHint, useEditor } from './use-editor.ts';

const NOTE_MAX = 2_000;
const TALL_SCREEN = '@media (min-height: 560px)';

/** Action bar; sticky on screens that are tall enough. */
const ACTION_BAR_STYLE: SxProps<Theme> = (theme) => ({
  display: 'flex',
  flexWrap: 'wrap',
  gap: 2,
  alignItems: 'center',
  mx: -2,
  px: 2,
  py: 3,
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  backgroundColor: theme.vars.palette.background.default,
  [TALL_SCREEN]: { position: 'sticky', bottom: 0, zIndex: 1 },
});

/** Invoice editor with a preview beside it. */
export function Editor(options: EditorOptions) {
  const { invoice, onLeave } = options;
  const { merchantId, isLocalOnly } = useMerchant();
  const editor = useEditor(options);
  const { form, set, currency, problems, busy, failure } = editor;
  useShortcuts(t('This invoice'), [
    { keys: 'Mod+Enter', label: t('Save and send'), run: () => editor.save('send') },
    { keys: 'Mod+S', label: t('Save the draft'), run: () => editor.save('keep') },
  ]);
  // In a field that does not handle Enter itself, Enter focuses the next missing value.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.defaultPrevented || event.ctrlKey || event.metaKey) return;
    if (!(event.target instanceof HTMLElement && event.target.matches('input:not([type=checkbox]), [role=spinbutton]'))) return;
    event.preventDefault();
    if (!editor.focusFirstProblem()) focusField('invoice-note');
  };
  return (
    <Screen
      title={invoice ? t('Edit {{number}}', { number: invoice.number }) : t('New invoice')}
      subtitle={t('The number is assigned when you save. You can edit the invoice until it is sent.')}
    >
      <Box
        sx={{
          display: 'grid',
          gap: { xs: 8, lg: 10 },
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 1fr) minmax(320px, 400px)' },
          alignItems: 'start',
          maxWidth: 1240,
        }}
      >
        <Box onKeyDown={onKeyDown} sx={{ display: 'grid', gap: 5, minWidth: 0, '& input, & textarea': { scrollMarginBottom: 96 } }}>
          <CustomerField
            id="invoice-customer"
            merchantId={merchantId}
            value={form.customer}
            onChange={(customer) => set({ customer })}
            detailOf={({ email, phone }) => email ?? phone ?? t('no email or phone')}
            problem={problems.customer}
            hint={recipientHint(form.customer)}
            autoFocus={form.customer === null}
          />
          <DueField value={form.dueDate} today={editor.today} onChange={(dueDate) => set({ dueDate })} problem={problems.dueDate} />
          <LineGrid
            lines={form.lines}
            currency={currency}
            isChecked={editor.isChecked}
            problem={problems.lines}
            onChange={(lines) => set({ lines })}
            onEnd={() => focusField('invoice-note')}
          />
          <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, alignItems: 'start' }}>
            <TextField
              id="invoice-tax"
              label={t('Tax within the amount (optional)')}
              value={form.tax}
              onChange={({ target }) => set({ tax: target.value })}
              error={problems.tax !== undefined}
              helperText={problems.tax}
              slotProps={{ htmlInput: { inputMode: 'decimal', autoComplete: 'off', maxLength: 18, style: { textAlign: 'end' } } }}
            />
            <TextField
              id="invoice-purchase-order"
              label={t('Purchase order number (optional)')}
              value={form.purchaseOrder}
              onChange={({ target }) => set({ purchaseOrder: target.value })}
              error={problems.purchaseOrder !== undefined}
              helperText={problems.purchaseOrder}
              slotProps={{ htmlInput: { autoComplete: 'off', maxLength: 25 } }}
            />
          </Box>
          <TextField
            id="invoice-note"
            label={t('Note to the customer (optional)')}
            value={form.note}
            onChange={({ target }) => set({ note: target.value })}
            multiline
            minRows={2}
            maxRows={8}
            slotProps={{ htmlInput: { maxLength: NOTE_MAX } }}
          />
          <FormControlLabel
            control={<Switch size="small" checked={form.allowPartial} onChange={(_, allowPartial) => set({ allowPartial })} />}
            label={t('Allow partial payments')}
            sx={{ marginInlineStart: -1 }}
          />
          <FormControlLabel
            control={
              <Switch
                size="small"
                checked={form.collectShippingAddress}
                onChange={(_, collectShippingAddress) => set({ collectShippingAddress })}
              />
            }
            label={t('Ask for a shipping address')}
            sx={{ marginInlineStart: -1, mt: -3 }}
          />
          {failure && <FailureNote failure={failure} />}
          {isLocalOnly && <LocalOnlyNote />}
          <Box sx={ACTION_BAR_STYLE}>
            <Button
              variant="contained"
              color="primary"
              loading={busy === 'send'}
              onClick={() => editor.save('send')}
              {...keyTip('Mod+Enter')}
            >
              {t('Save and send')}
            </Button>
            <Button loading={busy === 'keep'} onClick={() => editor.save('keep')} {...keyTip('Mod+S')}>
              {t('Save draft')}
            </Button>
            <Button variant="text" onClick={() => onLeave(invoice?.invoiceId)}>
              {t('Cancel')}
            </Button>
          </Box>
        </Box>
        <InvoicePreview form={form} currency={currency} number={invoice?.number} />
      </Box>
      <UnsavedChanges hasChanges={editor.hasChanges} isSaving={busy !== undefined}>
        {t('Your changes to this invoice will be lost.')}
      </UnsavedChanges>
    </Screen>
  );
}
