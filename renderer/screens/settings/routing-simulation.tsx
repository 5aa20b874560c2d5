import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useMutation } from '@tanstack/react-query';
import { type KeyboardEvent, useState } from 'react';
import { FailureNote } from '#renderer/ui';
import { type RoutingRule, type SimulatedRoute, simulateRouting } from './sections.ts';

/** Simulates the rules of the form, saved or not, for a sample payment or the last twenty payments, and shows which rule applies and why. */
export function RoutingSimulation({ merchantId, rules }: { merchantId: string; rules: readonly RoutingRule[] }) {
  const [amount, setAmount] = useState('');
  const [cardNumber, setCardNumber] = useState('');
  const [email, setEmail] = useState('');
  const simulation = useMutation({
    mutationFn: (kind: 'sale' | 'last') =>
      simulateRouting(merchantId, {
        rules,
        ...(kind === 'sale' && { sale: { amount, ...(cardNumber && { cardNumber }), ...(email && { email }) } }),
      }),
  });
  // Enter starts the simulation instead of saving the surrounding form.
  const simulateOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    if (amount !== '' && !simulation.isPending) simulation.mutate('sale');
  };
  return (
    <Box component="section" aria-labelledby="bench-title" sx={{ display: 'grid', gap: 3, borderTop: 1, borderColor: 'divider', pt: 5 }}>
      <Box component="h2" id="bench-title" sx={{ fontSize: 14, fontWeight: 600, m: 0 }}>
        Routing simulation
      </Box>
      <Box sx={{ display: 'flex', gap: 3, flexWrap: 'wrap', alignItems: 'flex-end' }} onKeyDown={simulateOnEnter}>
        <TextField
          id="bench-amount"
          label="Amount"
          value={amount}
          onChange={(event) => setAmount(event.target.value)}
          sx={{ width: 112 }}
          slotProps={{ htmlInput: { inputMode: 'decimal', autoComplete: 'off' } }}
        />
        <TextField
          id="bench-card"
          label="First digits of the card"
          value={cardNumber}
          onChange={(event) => setCardNumber(event.target.value.replace(/\D/g, '').slice(0, 8))}
          sx={{ width: 176 }}
          slotProps={{ htmlInput: { inputMode: 'numeric', autoComplete: 'off' } }}
        />
        <TextField
          id="bench-email"
          label="Email"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          sx={{ width: 200 }}
          slotProps={{ htmlInput: { autoComplete: 'off' } }}
        />
        <Button
          variant="outlined"
          disabled={amount === ''}
          loading={simulation.isPending}
          onClick={() => simulation.mutate('sale')}
          sx={{ height: 40 }}
        >
          {' '}
          Simulate payment{' '}
        </Button>
        <Button variant="text" loading={simulation.isPending} onClick={() => simulation.mutate('last')} sx={{ height: 40 }}>
          Simulate last 20 payments
        </Button>
      </Box>
      {simulation.error && <FailureNote failure={simulation.error} />}
      {simulation.data && (
        <Box role="status" sx={{ display: 'grid', gap: 3 }}>
          {simulation.data.length === 0 && <Box>No payments to simulate yet.</Box>}
          {simulation.data.map((routed, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the answers stand in their order.
            <SimulatedPayment key={index} routed={routed} />
          ))}
        </Box>
      )}
    </Box>
  );
}

function SimulatedPayment({ routed }: { routed: SimulatedRoute }) {
  const { transactionId, amount, currency, gateway, rule, fallbacks, trace, passedOver } = routed;
  const why = gateway === null ? 'no gateway can take it' : rule === null ? 'no rule decides' : `rule ${rule + 1}`;
  return (
    <Box sx={{ fontSize: 13, display: 'grid', gap: 1 }}>
      <Box>
        <b>
          {amount} {currency}
        </b>{' '}
        {transactionId && <span className="mono">{transactionId}</span>} goes to <b>{gateway ?? 'no gateway'}</b> ({why})
        {fallbacks.length > 0 && `; if it is down: ${fallbacks.join(', ')}`}
      </Box>
      <Box component="ul" sx={{ m: 0, pl: 5, color: 'text.secondary' }}>
        {trace.map(({ index, condition, matched, skipped, reasons }) => (
          <li key={index}>
            Rule {index + 1} {matched ? 'matches' : 'does not match'}
            {reasons.length > 0
              ? `: ${reasons.map((reason) => `${reason.text} is ${reason.result} (${valueText(reason.value)})`).join('; ')}`
              : ` (${condition})`}
            {skipped && `. Skipped: ${skipped}`}
          </li>
        ))}
        {passedOver
          .filter(({ name }) => !trace.some((step) => step.skipped !== null && step.gateway === name))
          .map(({ gatewayId, name, skipped }) => (
            <li key={gatewayId}>
              {name}: skipped. {skipped}
            </li>
          ))}
      </Box>
    </Box>
  );
}

function valueText(value: unknown): string {
  return value === null ? 'no value' : `value: ${String(value)}`;
}
