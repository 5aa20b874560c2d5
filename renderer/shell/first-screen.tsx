import { Navigate, useNavigation } from 'react-router';
import { useMay } from '#renderer/session/user';

/**
 * Opens the screen on which a role starts: Home for users who may see figures of the business, and Sell for the front desk. An address that is
 * opened meanwhile, such as a link of the desktop application, takes precedence.
 */
export function FirstScreen() {
  const may = useMay();
  const { state } = useNavigation();
  return state === 'idle' ? <Navigate to={may('reporting:read') ? '/home' : '/sell'} replace /> : null;
}
