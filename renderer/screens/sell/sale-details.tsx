import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import TextField from '@mui/material/TextField';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import Typography from '@mui/material/Typography';
import type { KeyboardEvent, ReactNode } from 'react';
import { channelName } from '#renderer/base/channels';
import { t } from '#renderer/base/language';
import { useMay, useMerchant } from '#renderer/session/user';
import { customerName } from '#renderer/shared/customers';
import { DESK_CHANNELS } from '#shared/channels';
import { SHIPPING_ADDRESS_LENGTHS as LENGTHS } from '#shared/shipping-address';
import { EntryField } from './form/entry-field.tsx';
import { isTender, type SaleField, type SaleMode, type SellChannel } from './form/form.ts';
import { postalRule } from './form/postal-code.ts';
import type { Terminal } from './terminal/use-terminal.ts';

/** Optional details of a sale, in place of the items. They stay rendered while they are hidden, so that nothing typed is lost. */
export function SaleDetails({ terminal }: { terminal: Terminal }) {
  const { form, rules, mode, stage, payer, areDetailsOpen, showDetails, dispatch } = terminal;
  const may = useMay();
  const merchant = useMerchant();
  const frozen = stage.kind !== 'entry';
  const postal = postalRule(rules.country);
  const customer = payer.payer?.customer ?? null;
  const close = () => {
    showDetails(false);
    dispatch({ kind: 'next-field-requested' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close();
  };
  const field = (name: SaleField, label: string, span: number, maxLength: number, more: { numeric?: boolean; email?: boolean } = {}) => (
    <Box sx={{ gridColumn: { xs: '1 / -1', sm: `span ${span}` } }}>
      <EntryField bound={form.field(name)} label={label} frozen={frozen} maxLength={maxLength} tight {...more} />
    </Box>
  );
  // The card fields contain the ZIP code if the merchant requires it for cards.
  const hasZip = rules.mode !== 'card' || !rules.requireZip;
  return (
    <Box id="sale-details" role="group" aria-label={t('Details of the sale')} hidden={!areDetailsOpen} onKeyDown={onKeyDown}>
      <Box sx={{ display: 'grid', gap: 5, maxWidth: 760 }}>
        <Box sx={{ display: 'flex', alignItems: 'center', justifyContent: 'space-between' }}>
          <Typography variant="h2">{t('Details of the sale')}</Typography>
          <Button onClick={close}>{t('Close')}</Button>
        </Box>
        {mode !== 'reader' && !isTender(mode) && (
          <ChannelBar
            mode={mode}
            channel={terminal.channel}
            frozen={frozen}
            onChannel={(channel) => dispatch({ kind: 'channel-chosen', channel })}
          />
        )}
        {(mode === 'card' || mode === 'bank') && may('customers:write') && (
          <SaveCard
            consent={payer.consent}
            customer={customer && customerName(customer)}
            what={mode === 'bank' ? 'account' : 'card'}
            frozen={frozen}
            defaultText={defaultConsent(merchant.name)}
            onConsent={payer.setConsent}
          />
        )}
        <Fields title={t('Customer and receipt')}>
          {field('name', t('Customer name'), 3, 100)}
          {field('email', t('Receipt email'), 3, 200, { email: true })}
          {field('phone', t('Phone'), 3, 30)}
          {field('order', t('Order ID'), 3, 100)}
          {field('description', t('Description'), 6, 500)}
        </Fields>
        <Fields title={t('Billing address')}>
          {field('street', t('Street'), 6, 200)}
          {field('city', t('City'), 3, 100)}
          {field('state', t('State'), hasZip ? 1 : 3, 50)}
          {hasZip && field('zip', postal.label, 2, 10, { numeric: postal.numeric })}
        </Fields>
        <Fields title={t('Ship to')}>
          {field('shipStreet', t('Shipping street'), 6, LENGTHS.street)}
          {field('shipCity', t('Shipping city'), 3, LENGTHS.city)}
          {field('shipState', t('Shipping state'), 1, LENGTHS.state)}
          {field('shipZip', postal.shippingLabel, 2, LENGTHS.zip)}
          {field('shipCountry', t('Shipping country, if abroad'), 6, LENGTHS.country)}
        </Fields>
      </Box>
    </Box>
  );
}

function Fields({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Box component="fieldset" sx={{ m: 0, p: 0, border: 0, minWidth: 0 }}>
      <Typography component="legend" sx={{ p: 0, mb: 2, fontWeight: 600 }}>
        {title}
      </Typography>
      <Box sx={{ display: 'grid', gridTemplateColumns: 'repeat(6, minmax(0, 1fr))', gap: 3 }}>{children}</Box>
    </Box>
  );
}

interface ChannelBarProps {
  readonly mode: SaleMode;
  readonly channel: SellChannel;
  readonly frozen: boolean;
  readonly onChannel: (channel: SellChannel) => void;
}

/** Choice of the channel of the sale. A saved card can also be charged without the customer. */
function ChannelBar({ mode, channel, frozen, onChannel }: ChannelBarProps) {
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 3, rowGap: 1 }}>
      <Box component="span" id="sale-channel" sx={{ fontSize: 12, color: 'text.secondary' }}>
        {t('Channel')}
      </Box>
      <ToggleButtonGroup
        exclusive
        size="small"
        aria-labelledby="sale-channel"
        value={channel}
        disabled={frozen}
        onChange={(_, next: SellChannel | null) => next && onChannel(next)}
      >
        {DESK_CHANNELS.map((option) => (
          <ToggleButton key={option} value={option}>
            {channelName(option)}
          </ToggleButton>
        ))}
        {mode === 'saved' && <ToggleButton value="unscheduled">{t('Customer not present')}</ToggleButton>}
      </ToggleButtonGroup>
    </Box>
  );
}

const CONSENT_MAX = 1_000;

interface SaveCardProps {
  /** Consent of the customer; null if nothing is saved. */
  readonly consent: string | null;
  /** Customer who gets the card; null creates one from the name and email of the form. */
  readonly customer: string | null;
  readonly what: 'card' | 'account';
  readonly frozen: boolean;
  /** Default text of the consent. */
  readonly defaultText: string;
  readonly onConsent: (consent: string | null) => void;
}

/** Returns the consent that is read out to the customer before a card is saved. */
const defaultConsent = (merchant: string) =>
  `I authorize ${merchant} to store this card or account and to charge it for purchases I agree to.`;

function labelOf(what: SaveCardProps['what'], customer: string | null): string {
  if (customer === null)
    return what === 'card' ? t('Save this card for the customer named below') : t('Save this account for the customer named below');
  return what === 'card' ? t('Save this card for {{customer}}', { customer }) : t('Save this account for {{customer}}', { customer });
}

/** Saves the card of this sale for its customer, with the consent. */
function SaveCard({ consent, customer, what, frozen, defaultText, onConsent }: SaveCardProps) {
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <FormControlLabel
        control={
          <Checkbox checked={consent !== null} disabled={frozen} onChange={(_, isWanted) => onConsent(isWanted ? defaultText : null)} />
        }
        label={labelOf(what, customer)}
      />
      {consent !== null && (
        <TextField
          id="sale-consent"
          label={t('Customer’s consent')}
          value={consent}
          onChange={(event) => onConsent(event.target.value)}
          multiline
          minRows={2}
          disabled={frozen}
          slotProps={{ htmlInput: { maxLength: CONSENT_MAX } }}
          // Enter adds a line break here and must not reach the form.
          onKeyDown={(event) => event.stopPropagation()}
        />
      )}
    </Box>
  );
}
