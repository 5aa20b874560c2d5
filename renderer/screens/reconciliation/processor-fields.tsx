import MenuItem from '@mui/material/MenuItem';
import { t } from '#renderer/base/language';
import { ChoiceField, ColumnField, MappingFields, type MappingForm } from '#renderer/kit/file-import';
import { fits, type Mapping } from './mapping.ts';
import { type SavedMapping, useSavedMappings } from './saved-mappings.ts';

interface ProcessorFieldsProps {
  readonly form: MappingForm<Mapping>;
  /** Name of the saved mapping in use, or blank. */
  readonly savedName: string;
  readonly onSaved: (saved: SavedMapping | undefined) => void;
}

/** Mapping of a file's columns, and the formats of its dates and amounts. */
export function ProcessorFields({ form, savedName, onSaved }: ProcessorFieldsProps) {
  const { head, mapping, onChange, isChecked } = form;
  const { mappings, forget } = useSavedMappings();
  const usable = mappings.filter((saved) => fits(head, saved));
  const change = (part: Partial<Mapping>) => onChange({ ...mapping, ...part });
  return (
    <MappingFields
      id="import"
      form={form}
      texts={{
        positive: t('Payments'),
        negative: t('Refunds'),
        credit: t('Column of payments'),
        debit: t('Column of refunds'),
        debitValues: t('Words for refunds'),
      }}
      saved={{
        label: t('Saved mapping'),
        names: usable.map(({ name }) => name),
        value: savedName,
        onChange: (name) => onSaved(usable.find((saved) => saved.name === name)),
        onForget: (name) => {
          forget(name);
          onSaved(undefined);
        },
      }}
      first={
        <ColumnField
          id="import-transactionId"
          label={t('Payment or refund')}
          head={head}
          value={mapping.transactionId}
          hint={t('Paydesk’s ID, or the processor’s reference.')}
          isChecked={isChecked}
          onChange={(transactionId) => change({ transactionId })}
        />
      }
    >
      <ChoiceField
        id="import-unit"
        label={t('Amounts are in units of')}
        value={mapping.unit}
        onChange={(unit) => change({ unit: unit === 'minor' ? 'minor' : 'major' })}
      >
        <MenuItem value="major">{t('The currency, such as 12.50')}</MenuItem>
        <MenuItem value="minor">{t('Cents, such as 1250')}</MenuItem>
      </ChoiceField>
    </MappingFields>
  );
}
