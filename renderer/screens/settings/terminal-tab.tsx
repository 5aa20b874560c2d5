import Box from '@mui/material/Box';
import { useMerchant } from '#renderer/session';
import { CheckboxGroup, ChoiceSetting, Group, NumberSetting, SwitchSetting, TextSetting } from './fields.tsx';
import type { TabProps } from './form-tabs.tsx';
import { SectionForm } from './section-form.tsx';
import type { ValuesOf } from './sections.ts';
import type { Draft } from './use-draft.ts';

/** Settings of the virtual terminal and of receipts. */
export function TerminalTab({ merchantId }: TabProps) {
  const { currency } = useMerchant();
  return (
    <SectionForm merchantId={merchantId} name="terminal">
      {(draft: Draft<ValuesOf<'terminal'>>, isReadOnly) => {
        const { values, set, faultOf } = draft;
        const fieldProps = (field: keyof ValuesOf<'terminal'> & string) => ({ fault: faultOf(field), isReadOnly });
        return (
          <Box sx={{ display: 'grid', gap: 6, gridTemplateColumns: { xs: '1fr', md: 'minmax(0, 1fr) 240px' } }}>
            <Box sx={{ display: 'grid', gap: 5 }}>
              <Group title="Entering a sale">
                <SwitchSetting
                  label="Require security code"
                  checked={values.requireCvv}
                  onChecked={(requireCvv) => set({ requireCvv })}
                  {...fieldProps('requireCvv')}
                />
                <SwitchSetting
                  label="Require ZIP code"
                  checked={values.requireZip}
                  onChecked={(requireZip) => set({ requireZip })}
                  {...fieldProps('requireZip')}
                />
                <CheckboxGroup
                  label="Payment methods"
                  value={values.allowedModes}
                  options={[
                    ['card', 'Card'],
                    ['ach', 'Bank account'],
                    ['token', 'Saved card'],
                  ]}
                  onValue={(allowedModes) => set({ allowedModes })}
                  {...fieldProps('allowedModes')}
                />
                <ChoiceSetting
                  label="Default type"
                  value={values.defaultType}
                  options={[
                    ['sale', 'Sale'],
                    ['auth', 'Authorization'],
                  ]}
                  onValue={(defaultType) => set({ defaultType })}
                  {...fieldProps('defaultType')}
                />
                <SwitchSetting
                  label="Ask for a tip"
                  checked={values.tipEnabled}
                  onChecked={(tipEnabled) => set({ tipEnabled })}
                  {...fieldProps('tipEnabled')}
                />
              </Group>
              <Group title="Cash and checks">
                <CheckboxGroup
                  label="Tenders"
                  value={values.tenders}
                  options={[
                    ['cash', 'Cash'],
                    ['check', 'Check'],
                  ]}
                  onValue={(tenders) => set({ tenders })}
                  {...fieldProps('tenders')}
                />
                <TextSetting
                  label="Other tenders"
                  help="One name per line, such as Gift voucher. At most 8."
                  lines={2}
                  value={values.otherTenders.join('\n')}
                  onValue={(text) => set({ otherTenders: text === '' ? [] : text.split('\n') })}
                  {...fieldProps('otherTenders')}
                />
                <SwitchSetting
                  label="Take cash only in an open shift"
                  checked={values.cashRequiresShift}
                  onChecked={(cashRequiresShift) => set({ cashRequiresShift })}
                  {...fieldProps('cashRequiresShift')}
                />
                <ChoiceSetting
                  label="Shifts"
                  value={values.shiftPer}
                  options={[
                    ['drawer', 'One per drawer'],
                    ['person', 'One per drawer and person'],
                  ]}
                  onValue={(shiftPer) => set({ shiftPer })}
                  {...fieldProps('shiftPer')}
                />
              </Group>
              <Group title="Charge later">
                <NumberSetting
                  label="Largest amount"
                  unit={currency}
                  help="During an outage, saved cards with consent can be queued up to this amount. Empty turns it off."
                  value={values.chargeLaterMaxAmount}
                  onValue={(chargeLaterMaxAmount) => set({ chargeLaterMaxAmount })}
                  {...fieldProps('chargeLaterMaxAmount')}
                />
                <NumberSetting
                  label="Largest sum per customer"
                  unit={currency}
                  help="All open payments of a customer together. Empty means the largest amount of one payment."
                  value={values.chargeLaterMaxPerCustomer}
                  onValue={(chargeLaterMaxPerCustomer) => set({ chargeLaterMaxPerCustomer })}
                  {...fieldProps('chargeLaterMaxPerCustomer')}
                />
              </Group>
              <Group title="Receipts">
                <ChoiceSetting
                  label="Paper"
                  value={values.receiptWidth}
                  options={[
                    ['58mm', '58 mm roll'],
                    ['80mm', '80 mm roll'],
                    ['letter', 'US letter'],
                  ]}
                  onValue={(receiptWidth) => set({ receiptWidth })}
                  {...fieldProps('receiptWidth')}
                />
                <SwitchSetting
                  label="Print when approved"
                  checked={values.autoPrint}
                  onChecked={(autoPrint) => set({ autoPrint })}
                  {...fieldProps('autoPrint')}
                />
                <TextSetting
                  label="Header"
                  lines={2}
                  value={values.receiptHeader}
                  onValue={(receiptHeader) => set({ receiptHeader })}
                  {...fieldProps('receiptHeader')}
                />
                <TextSetting
                  label="Footer"
                  lines={2}
                  value={values.receiptFooter}
                  onValue={(receiptFooter) => set({ receiptFooter })}
                  {...fieldProps('receiptFooter')}
                />
              </Group>
            </Box>
            <Preview values={values} />
          </Box>
        );
      }}
    </SectionForm>
  );
}

/** Preview of the required fields and of a receipt, with the values of the form. */
function Preview({ values }: { values: ValuesOf<'terminal'> }) {
  const { name } = useMerchant();
  const requiredFields = [
    'Amount',
    ...(values.tipEnabled ? ['Tip, optional'] : []),
    'Card number',
    'Expiry',
    values.requireCvv ? 'Security code' : 'Security code, optional',
    ...(values.requireZip ? ['ZIP'] : []),
  ];
  return (
    <Box sx={{ display: 'grid', gap: 5, alignContent: 'start', fontSize: 13 }}>
      <Box component="section" aria-label="Fields of a card sale">
        <Box sx={{ fontSize: 12, color: 'text.secondary', mb: 2 }}>A card sale asks for</Box>
        <Box component="ol" sx={{ m: 0, pl: 5, display: 'grid', gap: 1 }}>
          {requiredFields.map((field) => (
            <li key={field}>{field}</li>
          ))}
        </Box>
      </Box>
      <Box component="section" aria-label="Receipt" className="mono" sx={RECEIPT}>
        {values.receiptHeader && <Box>{values.receiptHeader}</Box>}
        <Box sx={{ fontWeight: 600 }}>{name}</Box>
        <Box>SALE 24.50</Box>
        <Box>VISA ····1111</Box>
        {values.receiptFooter && <Box>{values.receiptFooter}</Box>}
      </Box>
    </Box>
  );
}

const RECEIPT = {
  p: 3,
  display: 'grid',
  gap: 1,
  textAlign: 'center',
  fontSize: 12,
  whiteSpace: 'pre-wrap',
  overflowWrap: 'anywhere',
  border: 1,
  borderColor: 'divider',
  bgcolor: '#FFFFFF',
  color: '#14181F',
} as const;
