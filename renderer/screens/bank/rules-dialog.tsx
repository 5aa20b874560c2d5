import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { BankRule } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { Dialog, FailureNote, QueryContent, SelectField, useSubmit } from '#renderer/kit/ui';
import { useMay, useMerchant } from '#renderer/session/user';
import { addRule, changeRule, refreshBank, removeRule, rulesQuery } from './queries.ts';
import { KIND_NAMES } from './texts.ts';

type Kind = BankRule['kind'];
const KINDS = ['fee', 'chargeback', 'own', 'ignore'] as const satisfies readonly Kind[];

/** Rules that suggest explanations by the text of a line: learned and written ones. */
export function RulesDialog({ onClose }: { onClose: () => void }) {
  const { merchantId } = useMerchant();
  const canWrite = useMay()('settlement:write');
  const rules = useQuery(rulesQuery(merchantId));
  const saving = useSubmit({
    send: ({ rule, contains, kind }: { rule: BankRule | null; contains: string; kind: Kind }) =>
      rule
        ? changeRule(rule.ruleId, { contains, kind, ...(rule.customer && { customerId: rule.customer.customerId }) })
        : addRule({ merchantId, contains, kind }),
    announcement: ({ contains }) => t('Rule for “{{text}}” saved.', { text: contains }),
    refresh: refreshBank,
  });
  const removing = useSubmit({
    send: (rule: BankRule) => removeRule(rule.ruleId),
    announcement: ({ contains }) => t('Rule for “{{text}}” removed.', { text: contains }),
    refresh: refreshBank,
  });
  const failure = saving.failure ?? removing.failure;
  return (
    <Dialog
      title={t('Rules for bank lines')}
      maxWidth="md"
      isOpen
      onClose={onClose}
      actions={
        <Button onClick={onClose} autoFocus>
          {t('Close')}
        </Button>
      }
    >
      <Box sx={{ display: 'grid', gap: 4, pt: 1 }}>
        <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
          {t(
            'A rule suggests an explanation for lines whose text contains its words. It posts nothing. Marking a line as a fee teaches a rule, and so does a line that pays invoices of one customer.',
          )}
        </Box>
        <QueryContent
          query={rules}
          isEmpty={(data) => data.length === 0}
          empty={<Box sx={{ fontSize: 14 }}>{t('There are no rules yet.')}</Box>}
        >
          {(data) =>
            data.map((rule) => (
              <RuleForm
                key={`${rule.ruleId} ${rule.contains} ${rule.kind}`}
                rule={rule}
                canWrite={canWrite}
                onSave={(contains, kind) => saving.onSubmit({ rule, contains, kind })}
                onRemove={() => removing.onSubmit(rule)}
              />
            ))
          }
        </QueryContent>
        {canWrite && (
          <RuleForm
            key={rules.data?.length ?? 0}
            rule={null}
            canWrite
            onSave={(contains, kind) => saving.onSubmit({ rule: null, contains, kind })}
          />
        )}
        {failure && <FailureNote failure={failure} />}
      </Box>
    </Dialog>
  );
}

interface RuleFormProps {
  /** Null for a new rule. */
  readonly rule: BankRule | null;
  readonly canWrite: boolean;
  readonly onSave: (contains: string, kind: Kind) => void;
  readonly onRemove?: () => void;
}

function RuleForm({ rule, canWrite, onSave, onRemove }: RuleFormProps) {
  const [contains, setContains] = useState(rule?.contains ?? '');
  const [kind, setKind] = useState<Kind>(rule?.kind ?? 'fee');
  const isChanged = contains.trim() !== (rule?.contains ?? '') || (rule !== null && kind !== rule.kind);
  const id = rule?.ruleId ?? 'new';
  return (
    <Box
      component="form"
      aria-label={rule ? t('Rule for {{text}}', { text: rule.contains }) : t('New rule')}
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        if (contains.trim() !== '') onSave(contains.trim(), kind);
      }}
      sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'flex-end' }}
    >
      <TextField
        id={`rule-${id}`}
        size="small"
        label={rule ? (rule.origin === 'learned' ? t('Text contains (learned)') : t('Text contains')) : t('New rule: text contains')}
        value={contains}
        disabled={!canWrite}
        onChange={({ target }) => setContains(target.value)}
        sx={{ flex: 1, minWidth: 180 }}
        slotProps={{ htmlInput: { maxLength: 60, autoComplete: 'off' } }}
      />
      {rule?.customer ? (
        <Box sx={{ width: 208, fontSize: 14, alignSelf: 'center' }}>
          {rule.customer.name ? t('Invoices of {{name}}', { name: rule.customer.name }) : t('Invoices of one customer')}
        </Box>
      ) : (
        <SelectField
          id={`rule-kind-${id}`}
          size="small"
          label={t('Explanation')}
          value={kind}
          disabled={!canWrite}
          options={KINDS.map((each) => [each, KIND_NAMES[each]] as const)}
          onChange={setKind}
          sx={{ width: 208 }}
        />
      )}
      {canWrite && (
        <Button type="submit" disabled={!isChanged || contains.trim() === ''}>
          {rule ? t('Save rule') : t('Add rule')}
        </Button>
      )}
      {canWrite && onRemove && (
        <Button variant="text" onClick={onRemove}>
          {t('Remove')}
        </Button>
      )}
    </Box>
  );
}
