import Autocomplete from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import { useQuery } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { type KeyboardEvent, useDeferredValue, useRef, useState } from 'react';
import { type Customer, queryClient } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { KeyHint } from '#renderer/kit/ui';
import { customerName, suggestionsQuery } from './payer.ts';

interface CustomerFieldProps {
  readonly merchantId: string;
  readonly customer: Customer | null;
  readonly frozen: boolean;
  readonly inputRef: React.Ref<HTMLInputElement>;
  readonly onPick: (customer: Customer | null) => void;
}

/**
 * Finds the customer of a sale by typed text. Enter picks the highlighted option or the first match, even if it is pressed before matches
 * arrive.
 */
export function CustomerField({ merchantId, customer, frozen, inputRef, onPick }: CustomerFieldProps) {
  const [text, setText] = useState('');
  const highlighted = useRef<Customer | null>(null);
  const typed = text.trim();
  const found = useQuery(suggestionsQuery(useDeferredValue(typed), merchantId));
  const options = typed === '' ? [] : (found.data ?? []);

  const pick = (picked: Customer | null) => {
    setText('');
    onPick(picked);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    // The form uses Enter and Backspace to move between the fields of the payment.
    if (event.key === 'Backspace') event.stopPropagation();
    if (event.key !== 'Enter') return;
    event.stopPropagation();
    event.preventDefault();
    if (typed === '') return;
    const current = highlighted.current;
    if (current !== null && options.includes(current)) return pick(current);
    void queryClient.fetchQuery(suggestionsQuery(typed, merchantId)).then(([first]) => first && pick(first));
  };
  return (
    <Autocomplete<Customer>
      id="sale-customer"
      options={options}
      value={customer}
      inputValue={customer === null ? text : customerName(customer)}
      onInputChange={(_, next, reason) => reason === 'input' && (customer === null ? setText(next) : pick(null))}
      onChange={(_, picked) => pick(picked)}
      onHighlightChange={(_, option) => {
        highlighted.current = option;
      }}
      isOptionEqualToValue={(option, value) => option.customerId === value.customerId}
      getOptionLabel={customerName}
      getOptionKey={({ customerId }) => customerId}
      filterOptions={(all) => all}
      autoHighlight
      forcePopupIcon={false}
      disabled={frozen}
      noOptionsText={
        typed === '' ? t('Enter a name, email, phone or last four digits') : found.isFetching ? t('Searching…') : t('No matching customer')
      }
      onKeyDownCapture={onKeyDown}
      renderOption={({ key, ...props }, option) => (
        <Box component="li" key={key} {...props} sx={{ display: 'flex', gap: 3 }}>
          <Box component="span" sx={{ flex: 1 }}>
            {customerName(option)}
            <Box component="span" sx={{ color: 'text.secondary', marginInlineStart: 2, fontSize: 13 }}>
              {option.email ?? option.company ?? ''}
            </Box>
          </Box>
          <Box component="span" sx={{ color: 'text.secondary', fontSize: 13, whiteSpace: 'nowrap' }}>
            {option.defaultPaymentMethod ? `…${option.defaultPaymentMethod.last4}` : t('no card on file')}
          </Box>
        </Box>
      )}
      renderInput={(params) => (
        <TextField
          {...params}
          inputRef={inputRef}
          placeholder={t('Add customer')}
          slotProps={{
            ...params.slotProps,
            htmlInput: { ...params.slotProps.htmlInput, 'aria-label': t('Customer on file') },
            input: {
              ...params.slotProps.input,
              startAdornment: <UserPlus size={16} aria-hidden />,
              endAdornment: customer === null ? <KeyHint keys="F4" /> : params.slotProps.input.endAdornment,
              sx: { '& fieldset': { border: 0 }, px: 0, gap: 2 },
            },
          }}
          sx={(theme) => ({ borderBottom: `1px solid ${theme.vars.palette.divider}`, mx: -4, px: 4, py: 0.5, width: 'calc(100% + 32px)' })}
        />
      )}
    />
  );
}
