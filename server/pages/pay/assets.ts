import { assetOf } from '../asset.ts';
import { SCRIPT } from './script.ts';
import { STYLE } from './style.ts';

export const STYLE_SHEET = assetOf('pay', 'pay', 'css', STYLE);
export const PAGE_SCRIPT = assetOf('pay', 'pay', 'js', SCRIPT);
