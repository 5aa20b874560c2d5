import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useQuery } from '@tanstack/react-query';
import type { KeyboardEvent } from 'react';
import { type ApiFailure, gatewaysQuery } from '#renderer/base/client';
import { serviceText, Trans, t } from '#renderer/base/language';
import { announce, focusField, SelectField, useAfterRender } from '#renderer/kit/ui';
import type { TabProps } from './form-tabs.tsx';
import { RoutingSimulation } from './routing-simulation.tsx';
import { SectionForm } from './section-form.tsx';
import type { RoutingRule } from './sections.ts';
import type { Draft } from './use-draft.ts';

const gatewayOf = (rule: RoutingRule) => ('default' in rule ? rule.default : rule.gateway);

/** Routing rules in their order, with a simulation. */
export function RoutingTab({ merchantId }: TabProps) {
  return (
    <SectionForm merchantId={merchantId} name="routing">
      {(draft: Draft<{ rules: RoutingRule[] }>, isReadOnly) => (
        <>
          <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
            <Trans
              i18nKey="The first matching rule wins. If its gateway is down before it has taken the payment, the next matching rule is tried. A condition compares amount, currency, card.brand, card.bin, card.last4, paymentMethod, type, customer.email and metadata.*, such as <0/>."
              components={[<code key="0">amount &gt; 500 and card.brand in ["amex"]</code>]}
            />
          </Box>
          <Rules merchantId={merchantId} draft={draft} isReadOnly={isReadOnly} />
          <RoutingSimulation merchantId={merchantId} rules={draft.values.rules} />
        </>
      )}
    </SectionForm>
  );
}

interface RulesProps extends TabProps {
  readonly draft: Draft<{ rules: RoutingRule[] }>;
  readonly isReadOnly: boolean;
}

function Rules({ merchantId, draft, isReadOnly }: RulesProps) {
  const afterRender = useAfterRender();
  const gateways = useQuery(gatewaysQuery(merchantId));
  const names = gateways.data?.items.map(({ name }) => name) ?? [];
  const { rules } = draft.values;
  const set = (next: RoutingRule[]) => draft.set({ rules: next });
  const hasDefault = rules.some((rule) => 'default' in rule);
  const conditions = hasDefault ? rules.length - 1 : rules.length;
  const add = (rule: RoutingRule) =>
    set('default' in rule ? [...rules, rule] : [...rules.slice(0, conditions), rule, ...rules.slice(conditions)]);
  const move = (index: number, by: -1 | 1) => {
    const to = index + by;
    if (to < 0 || to >= conditions || index >= conditions) return;
    const next = [...rules];
    [next[index], next[to]] = [next[to] as RoutingRule, next[index] as RoutingRule];
    set(next);
    announce(t('Rule {{before}} is now rule {{after}}.', { before: index + 1, after: to + 1 }));
    afterRender(() => focusField(`rule-${to}`));
  };
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 3 }}>
      {rules.length === 0 && (
        <Box sx={{ fontSize: 14 }}>
          {t('No rules. Payments go to gateways in order of priority; if one is down, the next one is used.')}
        </Box>
      )}
      <Box component="ol" sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 3 }}>
        {rules.map((rule, index) => (
          <RuleRow
            // biome-ignore lint/suspicious/noArrayIndexKey: a rule has no identifier other than its position.
            key={index}
            index={index}
            rule={rule}
            gateways={names.includes(gatewayOf(rule)) ? names : [gatewayOf(rule), ...names]}
            fault={faultAt(draft.failure, index)}
            isReadOnly={isReadOnly}
            onChange={(next) => set(rules.map((one, at) => (at === index ? next : one)))}
            onRemove={() => set(rules.filter((_, at) => at !== index))}
            onMove={(by) => move(index, by)}
          />
        ))}
      </Box>
      {!isReadOnly && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
          <Button variant="outlined" onClick={() => add({ condition: '', gateway: names[0] ?? 'sandbox' })}>
            {t('Add rule')}
          </Button>
          {!hasDefault && (
            <Button variant="text" onClick={() => add({ default: names[0] ?? 'sandbox' })}>
              {t('Add default')}
            </Button>
          )}
        </Box>
      )}
    </Box>
  );
}

interface RuleFault {
  readonly message: string;
  /** Index of the character in the condition; undefined if the error is elsewhere. */
  readonly position: number | undefined;
  readonly length: number;
}

function faultAt(failure: ApiFailure | null, index: number): RuleFault | undefined {
  if (failure?.details.index !== index) return undefined;
  const { position, length } = failure.details;
  return {
    message: serviceText(failure.serviceMessage.replace(/^Rule \d+: /, '')),
    position: typeof position === 'number' ? position : undefined,
    length: typeof length === 'number' ? length : 1,
  };
}

interface RuleRowProps {
  readonly index: number;
  readonly rule: RoutingRule;
  readonly gateways: readonly string[];
  readonly fault: RuleFault | undefined;
  readonly isReadOnly: boolean;
  readonly onChange: (rule: RoutingRule) => void;
  readonly onRemove: () => void;
  readonly onMove: (by: -1 | 1) => void;
}

function RuleRow({ index, rule, gateways, fault, isReadOnly, onChange, onRemove, onMove }: RuleRowProps) {
  const isDefault = 'default' in rule;
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    onMove(event.key === 'ArrowUp' ? -1 : 1);
  };
  return (
    <Box
      component="li"
      onKeyDown={onKeyDown}
      sx={{ display: 'grid', gap: 3, gridTemplateColumns: '24px minmax(0, 1fr) 168px auto', alignItems: 'start' }}
    >
      <Box sx={{ lineHeight: '40px', color: 'text.secondary', textAlign: 'end' }}>{index + 1}</Box>
      {isDefault ? (
        <Box sx={{ lineHeight: '40px' }}>{t('All other payments')}</Box>
      ) : (
        <Box>
          <TextField
            id={`rule-${index}`}
            label={t('Rule {{rule}}, condition', { rule: index + 1 })}
            value={rule.condition}
            onChange={(event) => onChange({ ...rule, condition: event.target.value })}
            error={fault !== undefined}
            helperText={fault?.message ?? t('Alt+Up and Alt+Down move the rule')}
            disabled={isReadOnly}
            fullWidth
            slotProps={{
              htmlInput: { className: 'mono', spellCheck: false, autoComplete: 'off', maxLength: 500 },
              formHelperText: { role: fault ? 'alert' : undefined },
            }}
          />
          {fault?.position !== undefined && <FaultMark text={rule.condition} position={fault.position} length={fault.length} />}
        </Box>
      )}
      <SelectField
        id={`rule-${index}-gateway`}
        label={t('Rule {{rule}}, gateway', { rule: index + 1 })}
        value={gatewayOf(rule)}
        options={gateways.map((name) => [name, name] as const)}
        onChange={(value) => onChange(isDefault ? { default: value } : { ...rule, gateway: value })}
        disabled={isReadOnly}
      />
      <Button
        variant="text"
        disabled={isReadOnly}
        onClick={onRemove}
        aria-label={t('Remove rule {{rule}}', { rule: index + 1 })}
        sx={{ height: 40 }}
      >
        {t('Remove')}
      </Button>
    </Box>
  );
}

/** The condition with the error marked. */
function FaultMark({ text, position, length }: { text: string; position: number; length: number }) {
  const end = Math.max(position + 1, position + length);
  return (
    <Box
      className="mono"
      aria-label={t('Error at character {{position}}', { position: position + 1 })}
      sx={{ fontSize: 12, mt: 1, px: 3.5, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
    >
      {text.slice(0, position)}
      <Box component="mark" sx={{ bgcolor: 'tone.error.tint', color: 'tone.error.main', textDecoration: 'underline wavy' }}>
        {text.slice(position, end) || '␣'}
      </Box>
      {text.slice(end)}
    </Box>
  );
}
