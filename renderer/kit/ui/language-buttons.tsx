import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { chooseForComputer, language } from '#renderer/base/language';
import { LANGUAGE_CODES, LANGUAGES } from '#shared/languages';

/** Buttons that show the page in another language, each in its own. For pages without a signed-in user. */
export function LanguageButtons() {
  return (
    <Box sx={{ display: 'flex', justifyContent: 'center', gap: 2 }}>
      {LANGUAGE_CODES.filter((code) => code !== language()).map((code) => (
        <Button key={code} lang={code} variant="text" size="small" onClick={() => chooseForComputer(code)}>
          {LANGUAGES[code]}
        </Button>
      ))}
    </Box>
  );
}
