import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import TextField from '@mui/material/TextField';

const CONSENT_MAX = 1_000;

interface SaveCardProps {
  /** Consent of the customer; null if nothing is saved. */
  readonly consent: string | null;
  /** Customer who gets the card; null creates one from the name and email above. */
  readonly customer: string | null;
  readonly what: 'card' | 'account';
  readonly frozen: boolean;
  readonly usual: string;
  readonly onConsent: (consent: string | null) => void;
}

/** The sentence that is read out to the customer before a card is kept. */
export const usualConsent = (merchant: string) =>
  `I authorize ${merchant} to store this card or account and to charge it for purchases I agree to.`;

/** Keeps the card of this sale on its customer's file, with what the customer agreed to. */
export function SaveCard({ consent, customer, what, frozen, usual, onConsent }: SaveCardProps) {
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <FormControlLabel
        control={<Checkbox checked={consent !== null} disabled={frozen} onChange={(_, isWanted) => onConsent(isWanted ? usual : null)} />}
        label={`Save this ${what} for ${customer ?? 'the customer named above'}`}
      />
      {consent !== null && (
        <TextField
          id="sale-consent"
          label="The customer agrees"
          value={consent}
          onChange={(event) => onConsent(event.target.value)}
          multiline
          minRows={2}
          disabled={frozen}
          slotProps={{ htmlInput: { maxLength: CONSENT_MAX } }}
          // A line break belongs to the text; the form's Enter does not.
          onKeyDown={(event) => event.stopPropagation()}
        />
      )}
    </Box>
  );
}
