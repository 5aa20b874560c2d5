import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import TextField from '@mui/material/TextField';
import { t } from '#renderer/base/language';

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
export const defaultConsent = (merchant: string) =>
  `I authorize ${merchant} to store this card or account and to charge it for purchases I agree to.`;

function labelOf(what: SaveCardProps['what'], customer: string | null): string {
  if (customer === null)
    return what === 'card' ? t('Save this card for the customer named below') : t('Save this account for the customer named below');
  return what === 'card' ? t('Save this card for {{customer}}', { customer }) : t('Save this account for {{customer}}', { customer });
}

/** Saves the card of this sale for its customer, with the consent. */
export function SaveCard({ consent, customer, what, frozen, defaultText, onConsent }: SaveCardProps) {
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
