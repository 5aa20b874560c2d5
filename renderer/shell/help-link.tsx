import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import { CircleHelp } from 'lucide-react';
import { useLocation } from 'react-router';
import { t } from '#renderer/base/language';
import { guideAddressOf } from './navigation/index.ts';

/** Link to the guide of the open screen, which this server also serves without the internet. */
export function HelpLink() {
  const { pathname } = useLocation();
  return (
    <Tooltip title={t('Help for this page')}>
      <IconButton component="a" href={guideAddressOf(pathname)} target="_blank" rel="noreferrer" aria-label={t('Help for this page')}>
        <CircleHelp size={18} aria-hidden />
      </IconButton>
    </Tooltip>
  );
}
