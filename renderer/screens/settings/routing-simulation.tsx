import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useMutation } from '@tanstack/react-query';
import { Fragment, type KeyboardEvent, useState } from 'react';
import { serviceText, Trans, t } from '#renderer/base/language';
import { FailureNote } from '#renderer/kit/ui';
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
        {t('Routing simulation')}
      </Box>
      <Box sx={{ display: 'flex', gap: 3, flexWrap: 'wrap', alignItems: 'flex-end' }} onKeyDown={simulateOnEnter}>
        <TextField
          id="bench-amount"
          label={t('Amount')}
          value={amount}
          onChange={(event) => setAmount(event.target.value)}
          sx={{ width: 112 }}
          slotProps={{ htmlInput: { inputMode: 'decimal', autoComplete: 'off' } }}
        />
        <TextField
          id="bench-card"
          label={t('First digits of the card')}
          value={cardNumber}
          onChange={(event) => setCardNumber(event.target.value.replace(/\D/g, '').slice(0, 8))}
          sx={{ width: 176 }}
          slotProps={{ htmlInput: { inputMode: 'numeric', autoComplete: 'off' } }}
        />
        <TextField
          id="bench-email"
          label={t('Email')}
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
          {t('Simulate payment')}
        </Button>
        <Button variant="text" loading={simulation.isPending} onClick={() => simulation.mutate('last')} sx={{ height: 40 }}>
          {t('Simulate last 20 payments')}
        </Button>
      </Box>
      {simulation.error && <FailureNote failure={simulation.error} />}
      {simulation.data && (
        <Box role="status" sx={{ display: 'grid', gap: 3 }}>
          {simulation.data.length === 0 && <Box>{t('No payments to simulate yet.')}</Box>}
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
  const { fallbacks, trace, passedOver } = routed;
  return (
    <Box sx={{ fontSize: 13, display: 'grid', gap: 1 }}>
      <Box>
        <Destination routed={routed} />
        {fallbacks.length > 0 && `; ${t('if it is down: {{gateways}}', { gateways: fallbacks.join(', ') })}`}
      </Box>
      <Box component="ul" sx={{ m: 0, paddingInlineStart: 5, color: 'text.secondary' }}>
        {trace.map((step) => (
          <li key={step.index}>{stepText(step)}</li>
        ))}
        {passedOver
          .filter(({ name }) => !trace.some((step) => step.skipped !== null && step.gateway === name))
          .map(({ gatewayId, name, skipped }) => (
            <li key={gatewayId}>{t('{{gateway}}: skipped. {{reason}}', { gateway: name, reason: serviceText(skipped) })}</li>
          ))}
      </Box>
    </Box>
  );
}

function Destination({ routed: { transactionId, amount, currency, gateway, rule } }: { routed: SimulatedRoute }) {
  const components = [
    <b key="amount" />,
    transactionId === null ? (
      <Fragment key="none" />
    ) : (
      <span key="id" className="mono">
        {transactionId}
      </span>
    ),
    <b key="gateway" />,
  ];
  const values = { amount: `${amount} ${currency}`, gateway: gateway ?? '', rule: (rule ?? 0) + 1 };
  if (gateway === null)
    return (
      <Trans i18nKey="<0>{{amount}}</0> <1/> goes to <2>no gateway</2> (no gateway can take it)" components={components} values={values} />
    );
  if (rule === null)
    return <Trans i18nKey="<0>{{amount}}</0> <1/> goes to <2>{{gateway}}</2> (no rule decides)" components={components} values={values} />;
  return <Trans i18nKey="<0>{{amount}}</0> <1/> goes to <2>{{gateway}}</2> (rule {{rule}})" components={components} values={values} />;
}

function stepText({ index, condition, matched, skipped, reasons }: SimulatedRoute['trace'][number]): string {
  const rule = index + 1;
  const found = reasons.map(reasonText).join('; ');
  const withReasons = matched
    ? t('Rule {{rule}} matches: {{reasons}}', { rule, reasons: found })
    : t('Rule {{rule}} does not match: {{reasons}}', { rule, reasons: found });
  const withCondition = matched
    ? t('Rule {{rule}} matches ({{condition}})', { rule, condition })
    : t('Rule {{rule}} does not match ({{condition}})', { rule, condition });
  const verdict = reasons.length > 0 ? withReasons : withCondition;
  return skipped ? `${verdict}. ${t('Skipped: {{reason}}', { reason: serviceText(skipped) })}` : verdict;
}

function reasonText({ text, result, value }: SimulatedRoute['trace'][number]['reasons'][number]): string {
  const values = { condition: text, value: value === null ? t('no value') : t('value: {{value}}', { value: String(value) }) };
  return result ? t('{{condition}} is true ({{value}})', values) : t('{{condition}} is false ({{value}})', values);
}
