import Autocomplete from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Customer } from '#renderer/client';
import { customersQuery } from './queries.ts';
import { customerName, methodName } from './words.ts';

const PAUSE_MS = 150;

export interface CustomerFieldProps {
  readonly merchantId: string;
  readonly value: Customer | null;
  readonly onChange: (customer: Customer | null) => void;
  readonly problem: string | undefined;
  readonly autoFocus: boolean;
}

/** Finds a customer by what is typed: letters and Enter pick the first. */
export function CustomerField({ merchantId, value, onChange, problem, autoFocus }: CustomerFieldProps) {
  const [text, setText] = useState('');
  const wanted = useLater(value === null ? text.trim() : '');
  const found = useQuery(customersQuery(merchantId, wanted));
  // What was found for other letters is nobody's choice.
  const isBehind = found.isPlaceholderData || wanted !== (value === null ? text.trim() : '');
  return (
    <Autocomplete
      id="plan-customer"
      options={isBehind ? [] : (found.data ?? [])}
      value={value}
      onChange={(_, customer) => onChange(customer)}
      inputValue={text}
      onInputChange={(_, typed) => setText(typed)}
      getOptionLabel={customerName}
      getOptionKey={({ customerId }) => customerId}
      isOptionEqualToValue={(one, other) => one.customerId === other.customerId}
      filterOptions={(options) => options}
      autoHighlight
      loading={isBehind || found.isPending}
      loadingText="Looking…"
      slotProps={{
        paper: { sx: (theme) => ({ border: `1px solid ${theme.vars.palette.divider}`, boxShadow: '0 8px 24px rgb(8 14 20 / 0.18)' }) },
      }}
      noOptionsText={found.error ? 'Customers cannot be looked up now.' : 'No such customer.'}
      renderOption={({ key, ...props }, customer) => (
        <Box component="li" key={key} {...props} sx={{ gap: 3 }}>
          <Box component="span" sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
            {customerName(customer)}
          </Box>
          <Box component="span" sx={{ fontSize: 12, color: 'text.secondary', textAlign: 'right', overflowWrap: 'anywhere' }}>
            {[customer.email, customer.defaultPaymentMethod ? methodName(customer.defaultPaymentMethod) : 'no card on file']
              .filter(Boolean)
              .join(' · ')}
          </Box>
        </Box>
      )}
      renderInput={(params) => (
        <TextField
          {...params}
          label="Customer"
          placeholder="Name, e-mail, phone or last four"
          autoFocus={autoFocus}
          error={problem !== undefined}
          helperText={problem}
        />
      )}
    />
  );
}

/** A text as it stands when the typing pauses. */
function useLater(text: string): string {
  const [later, setLater] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setLater(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return later;
}
